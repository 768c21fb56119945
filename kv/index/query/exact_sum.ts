/**
 * Sums of doubles that do not depend on the order of the numbers: what is lost to rounding is carried along,
 * and the result is rounded once. Segments and their merges have numbers in different orders.
 *
 * @module
 */

/** Splits a double into two halves of its digits, whose products are exact. */
const SPLITTER = 2 ** 27 + 1;
/** From here on the halves would overflow: such numbers are added as they are. */
const HUGE = 2 ** 960;

/** A sum that grows. */
export class ExactSum {
  /** Whole numbers, as long as a double holds each step exactly. */
  #whole = 0;
  /** The parts of any other sum, smallest first; no two overlap in their digits. */
  #partials: number[] = [];
  #huge = 0;

  /** Adds a number `times` times. */
  add(value: number, times: number): void {
    const product = value * times;
    const isWhole = Number.isInteger(value) && Number.isSafeInteger(product);
    if (isWhole && Number.isSafeInteger(this.#whole + product)) {
      this.#whole += product;
    } else if (Math.abs(product) < HUGE) {
      this.#grow(product);
      if (times > 1) this.#grow(productError(value, times, product));
    } else this.#huge += product;
  }

  /** The double nearest to the sum. */
  get value(): number {
    this.#grow(this.#whole);
    this.#whole = 0;
    return rounded(this.#partials) + this.#huge;
  }

  #grow(number: number): void {
    const partials = this.#partials;
    let carried = number;
    let kept = 0;
    for (let at = 0; at < partials.length; at++) {
      const partial = partials[at]!;
      const sum = carried + partial;
      const error = sumError(carried, partial, sum);
      if (error !== 0) partials[kept++] = error;
      carried = sum;
    }
    partials[kept++] = carried;
    while (partials.length > kept) partials.pop();
  }
}

/** The rounding error of a sum of two numbers. */
function sumError(a: number, b: number, sum: number): number {
  const fromB = sum - a;
  return (a - (sum - fromB)) + (b - fromB);
}

/** The rounding error of a product of two numbers. */
function productError(a: number, b: number, product: number): number {
  const aHigh = highHalf(a);
  const bHigh = highHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aLow * bLow - (((product - aHigh * bHigh) - aLow * bHigh) - aHigh * bLow);
}

/** The upper half of a double's digits. */
function highHalf(value: number): number {
  const spread = SPLITTER * value;
  return spread - (spread - value);
}

/** The sum of numbers that do not overlap, the smallest first, rounded to even where it lies in the middle. */
function rounded(partials: readonly number[]): number {
  let at = partials.length - 1;
  if (at < 0) return 0;
  let sum = partials[at]!;
  let error = 0;
  while (at > 0 && error === 0) {
    const next = partials[--at]!;
    const before = sum;
    sum = before + next;
    error = next - (sum - before);
  }
  // In the middle of two doubles: what is below decides.
  const below = at > 0 ? partials[at - 1]! : 0;
  if (Math.sign(error) !== Math.sign(below)) return sum;
  const other = sum + 2 * error;
  return 2 * error === other - sum ? other : sum;
}
