/**
 * Times with counts, packed: each run is the distance from the run before it and its count, both as
 * variable-length integers. A minute of 60 requests takes some 200 bytes.
 *
 * @module
 */

/** How many requests were admitted at one time (ms). */
export interface Run {
  time: number;
  count: number;
}

/** Packs runs that are in order of time; none is before `base`. */
export function packRuns(runs: readonly Run[], base: number): Uint8Array {
  const bytes: number[] = [];
  let before = base;
  for (const { time, count } of runs) {
    pushInteger(bytes, time - before);
    pushInteger(bytes, count);
    before = time;
  }
  return Uint8Array.from(bytes);
}

/** The runs that {@linkcode packRuns} packed. */
export function unpackRuns(bytes: Uint8Array, base: number): Run[] {
  const runs: Run[] = [];
  let position = 0;
  const next = (): number => {
    let value = 0;
    for (let scale = 1;; scale *= 128) {
      const byte = bytes[position++];
      if (byte === undefined) throw new Error("Cannot unpack runs: the bytes end too soon");
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  let time = base;
  while (position < bytes.length) {
    time += next();
    runs.push({ time, count: next() });
  }
  return runs;
}

function pushInteger(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push(rest % 128 + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
