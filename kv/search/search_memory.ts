/**
 * What searching keeps in memory. Chunks as they are stored have a small room of their own: they are only
 * needed until the lists in them are decoded, and would push those and the texts out.
 *
 * @module
 */
import { ByteLru } from "../index/byte_lru.ts";

/** One part in so many is for chunks. */
const CHUNKS_ONE_IN = 6;

/** The caches that all segments share. */
export class SearchMemory {
  /** Pieces of the streams of postings and positions. */
  readonly chunks: ByteLru;
  /** Dictionary blocks, lists, and the texts of documents. */
  readonly decoded: ByteLru;

  constructor(bytesMax: number) {
    this.chunks = new ByteLru(bytesMax / CHUNKS_ONE_IN);
    this.decoded = new ByteLru(bytesMax - bytesMax / CHUNKS_ONE_IN);
  }

  /** Drops everything whose name begins with `prefix`. */
  forget(prefix: string): void {
    this.chunks.forget(prefix);
    this.decoded.forget(prefix);
  }
}
