/**
 * Words of the index that are one edit away from a word: a letter more, less, other, or two letters
 * exchanged.
 *
 * @module
 */
import { COMPARED_TERMS_MAX, SPELLING_LETTERS_MAX, SPELLINGS_MAX } from "../../tuning.ts";
import type { SearchReader } from "../search_reader.ts";
import { countWithout } from "../segments/posting_list.ts";
import type { Segment } from "../segments/segment.ts";
import { SPACED_CHARACTER } from "../analysis/tokens.ts";

/**
 * Other spellings of a word that documents have, the most frequent first. What was removed or replaced does not count.
 */
export async function spellingsOf(reader: SearchReader, word: string): Promise<string[]> {
  const counts = new Map<string, number>();
  const add = (term: string, documents: number) => {
    if (documents > 0) counts.set(term, (counts.get(term) ?? 0) + documents);
  };
  for (const { segment, replaced } of reader.layers) {
    for await (const term of similarTerms(segment, word)) {
      add(term, countWithout(await segment.list(term), replaced));
    }
  }
  for (const { terms } of reader.delta) {
    for (const term of terms) if (isOneEdit(word, term)) add(term, 1);
  }
  return [...counts].sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, SPELLINGS_MAX).map(([term]) => term);
}

/** The terms of a segment that are one edit away: those with the same first letter compared, the others made. */
async function* similarTerms(segment: Segment, word: string): AsyncGenerator<string> {
  const first = word.slice(0, 1);
  let left = COMPARED_TERMS_MAX;
  for (let n = 0; n < segment.blocks && left > 0; n++) {
    const next = segment.head.firstTerms[n + 1];
    if (next !== undefined && next < first) continue;
    const firstTerm = segment.head.firstTerms[n]!;
    if (firstTerm > first && !firstTerm.startsWith(first)) break;
    const cursor = (await segment.block(n)).seek(first);
    for (; !cursor.isDone && cursor.term.startsWith(first) && left > 0; cursor.next()) {
      left -= 1;
      if (isOneEdit(word, cursor.term)) yield cursor.term;
    }
  }
  for (const term of otherBeginnings(word, segment.head.firstTerms)) {
    if (term.startsWith(first) || !isOneEdit(word, term)) continue;
    if (await segment.entry(term) !== null) yield term;
  }
}

/** Spellings that begin with another letter. */
function otherBeginnings(word: string, firstTerms: readonly string[]): Set<string> {
  const rest = word.slice(1);
  const spellings = new Set([rest, word.charAt(1) + word.charAt(0) + word.slice(2)]);
  const letters = new Set([..."abcdefghijklmnopqrstuvwxyz0123456789"]);
  for (const term of firstTerms) {
    const first = String.fromCodePoint(term.codePointAt(0) ?? 0);
    if (letters.size < SPELLING_LETTERS_MAX && SPACED_CHARACTER.test(first)) letters.add(first);
  }
  for (const letter of letters) spellings.add(letter + rest).add(letter + word);
  return spellings;
}

/** Whether two different words are one edit apart. */
function isOneEdit(one: string, other: string): boolean {
  if (one.length > other.length) return isOneEdit(other, one);
  if (other.length - one.length > 1 || one === other) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (one.length < other.length) return one.slice(at) === other.slice(at + 1);
  if (one.slice(at + 1) === other.slice(at + 1)) return true;
  return one[at] === other[at + 1] && one[at + 1] === other[at] &&
    one.slice(at + 2) === other.slice(at + 2);
}
