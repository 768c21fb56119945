/**
 * Queries of up to three words that a reader who knows a page would type, and how far up the page is found:
 * the mean reciprocal rank is 1 when it is always the first hit, 0 when it is never among the first twenty.
 *
 * @module
 */
import { seededRandom } from "./harness.ts";

/** A page in Markdown. */
export interface Page {
  title: string;
  body: string;
  /** Such as `en`. */
  language: string;
}

/** Where the words of a query come from. */
export const KNOWN_ITEM_KINDS = ["title", "word", "heading", "sentence", "row", "page"] as const;

/** One of {@linkcode KNOWN_ITEM_KINDS}. */
export type KnownItemKind = typeof KNOWN_ITEM_KINDS[number];

/** A query, and the index of the page that it means. */
export interface KnownItem {
  kind: KnownItemKind;
  page: number;
  text: string;
}

/** Words of more than this share of the pages tell nothing of one. */
const FREQUENT_SHARE = 0.05;
/** One page in so many is asked for. */
const ASKED_ONE_IN = 5;

const segmenter = new Intl.Segmenter("und", { granularity: "word" });

/** The words of a text, in any script. */
export function wordsIn(text: string): string[] {
  return [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment.toLowerCase());
}

/** Queries of every kind for a part of the pages; the same for the same seed. */
export function knownItems(pages: readonly Page[], seed = 1): KnownItem[] {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const frequency = new Map<string, number>();
  for (const { title, body } of pages) {
    for (const word of new Set(wordsIn(`${title}\n${body}`))) {
      frequency.set(word, (frequency.get(word) ?? 0) + 1);
    }
  }
  const often = Math.max(10, pages.length * FREQUENT_SHARE);
  const tells = (word: string) => {
    const count = frequency.get(word) ?? 0;
    return count >= 2 && count <= often;
  };
  const items: KnownItem[] = [];
  pages.forEach(({ title, body }, page) => {
    if (page % ASKED_ONE_IN !== 0) return;
    const length = random() < 0.5 ? 2 : 3;
    const lines = body.split("\n");
    const headings = lines.filter((line) => line.startsWith("#")).map(wordsIn);
    const sentences = lines.filter((line) => !line.startsWith("#")).map(wordsIn);
    /** Some of the words, in the order in which they stand. */
    const some = (words: readonly string[]) => {
      const left = [...new Set(words)];
      while (left.length > length) left.splice(Math.floor(random() * left.length), 1);
      return left;
    };
    const add = (kind: KnownItemKind, words: readonly string[]) => {
      if (words.length >= 2) items.push({ kind, page, text: words.join(" ") });
    };
    const rare = (words: readonly string[]) =>
      words.toSorted((a, b) => frequency.get(a)! - frequency.get(b)!).slice(0, length);
    const titleWords = [...new Set(wordsIn(title))];
    const rarest = new Set(rare(titleWords));
    const [word] = rare(titleWords.filter((word) => word.length > 1));
    if (word !== undefined) items.push({ kind: "word", page, text: word });
    add("title", titleWords.filter((word) => rarest.has(word)));
    const fitting = headings.filter((words) => words.length >= 2);
    if (fitting.length > 0) add("heading", pick(fitting).slice(0, 3));
    const telling = sentences.map((words) => words.filter(tells)).filter((words) =>
      words.length >= length
    );
    if (telling.length > 0) add("sentence", some(pick(telling)));
    const long = sentences.filter((words) => words.length > length);
    if (long.length > 0) {
      const words = pick(long);
      const at = Math.floor(random() * (words.length - length));
      add("row", words.slice(at, at + length));
    }
    add("page", some(sentences.flat().filter(tells)));
  });
  return items;
}

/** Ranks of the pages that were asked for, over all queries or some. */
export interface Ranks {
  queries: number;
  /** Mean reciprocal rank. */
  mrr: number;
  /** Queries whose page was not among the first twenty. */
  missed: number;
}

/** Asks every query; `search` answers the indexes of pages, best first. */
export async function rankKnownItems(
  items: readonly KnownItem[],
  groupsOf: (item: KnownItem) => string[],
  search: (text: string) => Promise<number[]> | number[],
): Promise<Map<string, Ranks>> {
  const sums = new Map<string, Ranks>();
  for (const item of items) {
    const at = (await search(item.text)).slice(0, 20).indexOf(item.page);
    for (const group of groupsOf(item)) {
      const ranks = sums.get(group) ?? { queries: 0, mrr: 0, missed: 0 };
      ranks.queries += 1;
      ranks.mrr += at < 0 ? 0 : 1 / (at + 1);
      if (at < 0) ranks.missed += 1;
      sums.set(group, ranks);
    }
  }
  for (const ranks of sums.values()) ranks.mrr /= ranks.queries;
  return sums;
}
