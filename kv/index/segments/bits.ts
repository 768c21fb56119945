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
    bits.#clearTail();
    return bits;
  }

  has(row: number): boolean {
    return (this.words[row >>> 5]! & (1 << (row & 31))) !== 0;
  }

  add(row: number): void {
    this.words[row >>> 5]! |= 1 << (row & 31);
  }

  /** The rows of both sets. */
  and(other: Bits): Bits {
    const both = new Bits(this.rows);
    for (let i = 0; i < both.words.length; i++) both.words[i] = this.words[i]! & other.words[i]!;
    return both;
  }

  /** The rows of either set. */
  or(other: Bits): Bits {
    const either = new Bits(this.rows);
    for (let i = 0; i < either.words.length; i++) {
      either.words[i] = this.words[i]! | other.words[i]!;
    }
    return either;
  }

  /** The other rows. */
  not(): Bits {
    const others = new Bits(this.rows);
    for (let i = 0; i < others.words.length; i++) others.words[i] = ~this.words[i]!;
    others.#clearTail();
    return others;
  }

  /** The same rows, to which others can be added. */
  copy(): Bits {
    const copy = new Bits(this.rows);
    copy.words.set(this.words);
    return copy;
  }

  /** The rows in order; most words of a set of few are skipped. */
  *list(): Generator<number, void> {
    for (let i = 0; i < this.words.length; i++) {
      for (let word = this.words[i]!; word !== 0; word &= word - 1) {
        yield i * 32 + 31 - Math.clz32(word & -word);
      }
    }
  }

  /** How many rows are in this set and not in `others`. */
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

  /** The last word has bits for rows that are not there. */
  #clearTail(): void {
    const used = this.rows & 31;
    if (used > 0) this.words[this.words.length - 1]! &= (1 << used) - 1;
  }
}
