/**
 * What searching keeps in memory. Chunks as they are stored have a small room of their own: they are only
 * needed until the lists in them are decoded, and would push those and the texts out.
 *
 * @module
 */
import { ByteLru } from "../index/byte_lru.ts";

/** One part in so many is for chunks. */
const CHUNKS_ONE_IN = 8;
/** One part in so many is for answers. */
const ANSWERS_ONE_IN = 16;

/** The caches that all segments share. */
export class SearchMemory {
  /** Pieces of the streams of postings and positions. */
  readonly chunks: ByteLru;
  /** Answers of the newest picture, by what was asked. */
  readonly answers: ByteLru;
  /** Dictionary blocks, lists, and the texts of documents. */
  readonly decoded: ByteLru;

  constructor(bytesMax: number) {
    this.chunks = new ByteLru(bytesMax / CHUNKS_ONE_IN);
    this.answers = new ByteLru(bytesMax / ANSWERS_ONE_IN);
    this.decoded = new ByteLru(bytesMax * (1 - 1 / CHUNKS_ONE_IN - 1 / ANSWERS_ONE_IN));
  }

  /** Drops every answer: the index has changed. */
  forgetAnswers(): void {
    this.answers.forget("");
  }

  /** Drops everything of a segment: what has a name that begins with `prefix`. */
  forget(prefix: string): void {
    this.chunks.forget(prefix);
    this.decoded.forget(prefix);
  }
}
