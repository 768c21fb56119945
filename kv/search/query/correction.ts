/**
 * The probable correction of a query that matches nothing.
 *
 * @module
 */
import { CORRECTED_CHARS_MIN, CORRECTED_QUERIES_MAX, CORRECTED_WORDS_MAX } from "../../tuning.ts";
import { matchDelta, matchSegment } from "./clause_match.ts";
import { countWithout } from "../segments/posting_list.ts";
import type { SearchReader } from "../search_reader.ts";
import type { Clause } from "./search_query.ts";
import { spellingsOf } from "./spelling.ts";
import type { VisibleResult } from "./visible_matches.ts";

/** A query with words spelt differently, and what it finds. */
export interface Correction extends VisibleResult {
  clauses: Clause[];
}

/** The likeliest query with one edit in some words that finds something; null when none does. */
export async function findCorrected(
  reader: SearchReader,
  wanted: readonly Clause[],
  find: (clauses: Clause[]) => Promise<VisibleResult>,
): Promise<Correction | null> {
  for (const clauses of (await corrections(reader, wanted)).slice(0, CORRECTED_QUERIES_MAX)) {
    const visible = await find(clauses);
    if (visible.found.total > 0) return { clauses, ...visible };
  }
  return null;
}

/** Words that no document has must change; then each other word may, one at a time. */
async function corrections(reader: SearchReader, clauses: readonly Clause[]): Promise<Clause[][]> {
  const isKnown = await Promise.all(clauses.map((clause) => hasMatch(reader, clause)));
  const indexed = clauses.map((clause, index) => ({ clause, index }));
  const unknown = indexed.filter(({ index }) => !isKnown[index]);
  if (unknown.length > CORRECTED_WORDS_MAX) return [];
  const mended = await mendAll(reader, clauses, unknown);
  const known = indexed.filter(({ clause, index }) => isKnown[index] && isCorrectable(clause));
  const queries = unknown.length === 0 ? [] : mended;
  for (const { clause, index } of known.slice(0, CORRECTED_WORDS_MAX)) {
    const words = await spellingsOf(reader, clause.terms[0].term);
    for (const base of mended.slice(0, 2)) {
      for (const word of words) queries.push(base.with(index, respelt(clause, word)));
    }
  }
  return queries;
}

/** Queries in which every one of some clauses is spelt differently, the most frequent spellings first. */
async function mendAll(
  reader: SearchReader,
  clauses: readonly Clause[],
  wrong: readonly { clause: Clause; index: number }[],
): Promise<Clause[][]> {
  if (!wrong.every(({ clause }) => isCorrectable(clause))) return [];
  const spelt = await Promise.all(
    wrong.map(async (one) => ({
      ...one,
      words: await spellingsOf(reader, one.clause.terms[0].term),
    })),
  );
  if (spelt.some(({ words }) => words.length === 0)) return [];
  const queries: Clause[][] = [];
  const count = Math.max(1, ...spelt.map(({ words }) => words.length));
  for (let rank = 0; rank < count; rank++) {
    const query = [...clauses];
    for (const { clause, index, words } of spelt) {
      const word = words[Math.min(rank, words.length - 1)];
      if (word !== undefined) query[index] = respelt(clause, word);
    }
    queries.push(query);
  }
  return queries;
}

/** Whether any document matches the clause, be it of another collection. */
async function hasMatch({ layers, delta }: SearchReader, clause: Clause): Promise<boolean> {
  if (delta.some((document) => matchDelta(document, clause)[0] > 0)) return true;
  for (const { segment, replaced } of layers) {
    if (countWithout((await matchSegment(segment, clause)).all, replaced) > 0) return true;
  }
  return false;
}

function isCorrectable({ terms, words, unspaced, quoted }: Clause): boolean {
  return terms.length === 1 && !unspaced && !quoted && [...words[0]].length >= CORRECTED_CHARS_MIN;
}

function respelt(clause: Clause, word: string): Clause {
  const { forms: _, ...rest } = clause;
  return { ...rest, words: [word], terms: [{ ...clause.terms[0], term: word }] };
}
