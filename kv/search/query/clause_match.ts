/**
 * Which documents match a clause: of a segment as a list, of the delta one by one.
 *
 * @module
 */
import { ByteReader } from "../segments/byte_reader.ts";
import { type DeltaDocument, readPositions } from "../delta/delta_document.ts";
import { bothOccurrences, eitherOccurrence, EXACT_COUNTS } from "../segments/occurrence.ts";
import {
  intersect,
  listBytes,
  NO_POSTINGS,
  occurrenceIn,
  type PostingList,
} from "../segments/posting_list.ts";
import type { Clause, ClauseTerm } from "./search_query.ts";
import type { Segment, TermEntry } from "../segments/segment.ts";

/** The matches of a clause in a segment. */
export interface ClauseList {
  /** Every document that matches. */
  all: PostingList;
  /** Of what has other forms: the documents that have it as it is asked for, which counts for more. */
  exact: PostingList | null;
}

/** The occurrence byte of a clause in a document, 0 for no match; and that of the whole word. */
export type ClauseOccurrences = [all: number, exact: number];

/** The documents of a segment that match; without a promise when all of it is in the cache. */
export function matchSegment(segment: Segment, clause: Clause): ClauseList | Promise<ClauseList> {
  const [first] = clause.terms;
  const isPhrase = clause.terms.length > 1;
  const all = isPhrase
    ? phraseList(segment, clause)
    : clause.forms === undefined
    ? termList(segment, first)
    : segment.formsList(first.term, first.isPrefix, clause.forms);
  const exact = isInexact(clause) ? segment.list(first.term) : null;
  if (all instanceof Promise || exact instanceof Promise) {
    return Promise.all([all, exact]).then(([all, exact]) => ({ all, exact }));
  }
  return { all, exact };
}

/** Whether documents match that do not have the clause as it is asked for. */
export function isInexact({ terms, forms }: Clause): boolean {
  return terms.length === 1 && (terms[0].isPrefix || forms !== undefined);
}

function termList(segment: Segment, term: ClauseTerm): PostingList | Promise<PostingList> {
  return term.isPrefix ? segment.prefixList(term.term) : segment.list(term.term);
}

function phraseList(segment: Segment, clause: Clause): PostingList | Promise<PostingList> {
  const name = `phrase/${JSON.stringify(clause.terms)}`;
  return segment.cached(name, () => findPhrase(segment, clause.terms), listBytes);
}

async function findPhrase(segment: Segment, terms: readonly ClauseTerm[]): Promise<PostingList> {
  const lists = await Promise.all(terms.map((term) => termList(segment, term)));
  const common = intersect(lists);
  if (common.length === 0) return NO_POSTINGS;
  // Per document where the phrase may begin, after each term fewer.
  let starts: (number[] | undefined)[] = [];
  for (const [at, term] of terms.entries()) {
    const positions = await termPositions(segment, term, common);
    starts = positions.map((found, row) =>
      at === 0
        ? found.map((position) => position - term.offset)
        : followed(starts[row], found, term.offset)
    );
    if (starts.every((found) => found === undefined)) return NO_POSTINGS;
  }
  const documents = common.filter((_ordinal, row) => (starts[row]?.length ?? 0) > 0);
  const occurrences = Array.from(documents, (ordinal) => {
    return lists.map((list) => occurrenceIn(list, ordinal)).reduce(bothOccurrences);
  });
  return { documents, occurrences: Uint8Array.from(occurrences), dense: null };
}

/** The positions at which a clause begins in a document, by the positions of its terms; ignores prefixes in it. */
export function clauseStarts(
  { terms }: Clause,
  positionsOf: (term: number) => number[],
): readonly number[] {
  let starts: number[] | undefined = positionsOf(0);
  for (const [at, { isPrefix, offset }] of terms.entries()) {
    if (at > 0 && !isPrefix) starts = followed(starts, positionsOf(at), offset);
  }
  return starts ?? [];
}

/** The starts that have a position `offset` further on. */
function followed(
  starts: number[] | undefined,
  positions: number[],
  offset: number,
): number[] | undefined {
  if (starts === undefined) return undefined;
  let at = 0;
  const kept = starts.filter((start) => {
    while (at < positions.length && positions[at]! < start + offset) at += 1;
    return positions[at] === start + offset;
  });
  return kept.length === 0 ? undefined : kept;
}

/** The positions of a term in each of some documents, which all have it. */
async function termPositions(
  segment: Segment,
  { term, isPrefix }: ClauseTerm,
  documents: Uint32Array,
): Promise<number[][]> {
  const found: number[][] = Array.from(documents, () => []);
  const entries = isPrefix ? await segment.entriesFrom(term) : [await segment.entry(term)];
  for (const entry of entries as TermEntry[]) {
    const list = await segment.list(entry.term);
    readAllPositions(list, await segment.positions(entry), documents, found);
  }
  if (entries.length > 1) { for (const positions of found) positions.sort((a, b) => a - b); }
  return found;
}

function readAllPositions(
  list: PostingList,
  positions: Uint8Array,
  documents: Uint32Array,
  found: number[][],
): void {
  const reader = new ByteReader(positions);
  let row = 0;
  for (let at = 0; at < list.documents.length && row < documents.length; at++) {
    const ordinal = list.documents[at]!;
    const occurrence = list.occurrences[at]!;
    while (row < documents.length && documents[row]! < ordinal) row += 1;
    if (documents[row] === ordinal) {
      const positions = readPositions(reader, occurrence);
      const before = found[row];
      found[row] = before === undefined || before.length === 0
        ? positions
        : before.concat(positions);
    } else reader.skipNumbers(EXACT_COUNTS[occurrence] || reader.number());
  }
}

/** The occurrences of a clause in a document of the delta. */
export function matchDelta(document: DeltaDocument, clause: Clause): ClauseOccurrences {
  if (clause.terms.length > 1) return [phraseOccurrence(document, clause.terms), 0];
  const [{ term, isPrefix }] = clause.terms;
  const exact = document.occurrence(term);
  const own = isPrefix ? prefixOccurrence(document, term) : exact;
  const all = (clause.forms ?? []).reduce(
    (all, form) => eitherOccurrence(all, document.occurrence(form)),
    own,
  );
  return [all, exact];
}

function prefixOccurrence(document: DeltaDocument, prefix: string): number {
  const [start, end] = document.prefixRows(prefix);
  let occurrence = 0;
  for (let row = start; row < end; row++) {
    occurrence = eitherOccurrence(occurrence, document.occurrenceAt(row));
  }
  return occurrence;
}

function phraseOccurrence(document: DeltaDocument, terms: readonly ClauseTerm[]): number {
  let starts: number[] | undefined;
  let occurrence = 0xff;
  for (const { term, offset, isPrefix } of terms) {
    const found = isPrefix ? prefixOccurrence(document, term) : document.occurrence(term);
    if (found === 0) return 0;
    occurrence = bothOccurrences(occurrence, found);
    const positions = isPrefix ? prefixPositions(document, term) : document.positions(term);
    starts = offset === 0 ? positions : followed(starts, positions, offset);
    if (starts === undefined) return 0;
  }
  return occurrence;
}

function prefixPositions(document: DeltaDocument, prefix: string): number[] {
  const [start, end] = document.prefixRows(prefix);
  const positions: number[] = [];
  for (let row = start; row < end; row++) positions.push(...document.positionsAt(row));
  return positions.sort((a, b) => a - b);
}
