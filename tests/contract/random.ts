/**
 * Random choices that a seed repeats.
 *
 * @module
 */

/** Random choices. */
export interface Random {
  /** At least 0, less than 1. */
  fraction(): number;
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** True this often. */
  chance(probability: number): boolean;
  /** One of several. */
  pick<T>(choices: readonly T[]): T;
}

/** Random choices from a seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (choices) => choices[below(choices.length)]!,
  };
}
