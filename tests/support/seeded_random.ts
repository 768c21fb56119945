/**
 * Random numbers and ULIDs that a seed determines.
 *
 * @module
 */
import { freshUlids } from "../../kv/model/values/ulid.ts";
import { ulidSource } from "../../kv/context.ts";

/** A generator of numbers in [0, 1) that a seed determines (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A source of ULIDs whose random part comes from such a generator. */
export function seededUlids(random: () => number): (ms: number) => string {
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => random() * 256);
  return ulidSource(freshUlids(bytes));
}
