/**
 * The memory of the search, in cache partitions so that no kind of content evicts another. Stored chunks have
 * a small partition: they are only needed until their lists are decoded.
 *
 * @module
 */
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import { REMEMBERED_QUERIES_MAX } from "../tuning.ts";

/** How much of the memory each kind may take. */
const SHARES = { chunks: 1 / 16, answers: 1 / 16, lists: 3 / 8, shown: 1 / 2 };
/** More documents than a segment has; what is left of a number's 53 bits is for segments. */
const ORDINALS = 2 ** 26;

/** The caches that all segments share. */
export class SearchMemory {
  /** Pieces of the streams of postings and positions. */
  readonly chunks: SecondChanceCache;
  /** Answers of the newest reader, by what was asked. */
  readonly answers: SecondChanceCache;
  /** Dictionary blocks and lists. */
  readonly lists: SecondChanceCache;
  /** The texts of documents, by {@linkcode shownName}. */
  readonly shown: SecondChanceCache<number>;
  /** Digests of what was asked lately, oldest first. */
  readonly #asked = new Set<number>();

  constructor(bytesMax: number) {
    this.chunks = new SecondChanceCache(bytesMax * SHARES.chunks);
    this.answers = new SecondChanceCache(bytesMax * SHARES.answers);
    this.lists = new SecondChanceCache(bytesMax * SHARES.lists);
    this.shown = new SecondChanceCache(bytesMax * SHARES.shown);
  }

  /** Whether something is asked again. Only then is the answer worth keeping: most are asked for once. */
  isAskedAgain(name: string): boolean {
    const digest = digestOf(name);
    const isKnown = this.#asked.delete(digest);
    this.#asked.add(digest);
    if (this.#asked.size > REMEMBERED_QUERIES_MAX) {
      this.#asked.delete(this.#asked.values().next().value!);
    }
    return isKnown;
  }

  /** Drops every answer: the index has changed. */
  forgetAnswers(): void {
    this.answers.forget(() => true);
  }

  /** Drops everything of a segment. */
  forget(cacheNumber: number): void {
    const prefix = `${cacheNumber}/`;
    this.chunks.forget((name) => name.startsWith(prefix));
    this.lists.forget((name) => name.startsWith(prefix));
    this.shown.forget((name) => Math.floor(name / ORDINALS) === cacheNumber);
  }
}

/** The name of a document's text: a number, because twenty are looked up for every query. */
export function shownName(cacheNumber: number, ordinal: number): number {
  return cacheNumber * ORDINALS + ordinal;
}

/** FNV-1a. */
function digestOf(name: string): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) {
    digest = Math.imul(digest ^ name.charCodeAt(at), 0x01000193);
  }
  return digest;
}
