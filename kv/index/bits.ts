/**
 * A set of rows of a segment, one bit each.
 *
 * @module
 */

/** Rows, as bits of 32-bit words. */
export class Bits {
  readonly words: Uint32Array;

  constructor(readonly rows: number) {
    this.words = new Uint32Array((rows + 31) >>> 5);
  }

  /** All rows. */
  static full(rows: number): Bits {
    const bits = new Bits(rows);
    bits.words.fill(0xffffffff);
    if (rows % 32 !== 0) bits.words[rows >>> 5] = (1 << (rows % 32)) - 1;
    return bits;
  }

  has(row: number): boolean {
    return (this.words[row >>> 5]! & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    this.words[row >>> 5]! |= 1 << (row & 31);
  }

  /** How many rows are in both this set and not in `others`. */
  countWithout(others: Bits | null): number {
    let count = 0;
    for (let i = 0; i < this.words.length; i++) {
      let word = this.words[i]! & (others === null ? -1 : ~others.words[i]!);
      word -= (word >>> 1) & 0x55555555;
      word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
      count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return count;
  }
}
