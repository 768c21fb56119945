/**
 * What searching keeps in memory, in rooms of their own so that none pushes the others out. Chunks as they
 * are stored have a small one: they are only needed until the lists in them are decoded.
 *
 * @module
 */
import { ByteLru } from "../index/byte_lru.ts";

/** How much of the memory each kind may take. */
const SHARES = { chunks: 1 / 16, answers: 1 / 16, lists: 3 / 8, shown: 1 / 2 };
/** Queries that are remembered as asked lately: about as many as their answers have room for. */
const ASKED_MAX = 256;
/** More documents than a segment has; what is left of a number's 53 bits is for segments. */
const ORDINALS = 2 ** 26;

/** The caches that all segments share. */
export class SearchMemory {
  /** Pieces of the streams of postings and positions. */
  readonly chunks: ByteLru;
  /** Answers of the newest picture, by what was asked. */
  readonly answers: ByteLru;
  /** Dictionary blocks and lists. */
  readonly lists: ByteLru;
  /** The texts of documents, by {@linkcode shownName}. */
  readonly shown: ByteLru<number>;
  /** Digests of what was asked lately, oldest first. */
  readonly #asked = new Set<number>();

  constructor(bytesMax: number) {
    this.chunks = new ByteLru(bytesMax * SHARES.chunks);
    this.answers = new ByteLru(bytesMax * SHARES.answers);
    this.lists = new ByteLru(bytesMax * SHARES.lists);
    this.shown = new ByteLru(bytesMax * SHARES.shown);
  }

  /** Whether something is asked again. Only then is the answer worth keeping: most are asked for once. */
  isAskedAgain(name: string): boolean {
    const digest = digestOf(name);
    const isKnown = this.#asked.delete(digest);
    this.#asked.add(digest);
    if (this.#asked.size > ASKED_MAX) this.#asked.delete(this.#asked.values().next().value!);
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
