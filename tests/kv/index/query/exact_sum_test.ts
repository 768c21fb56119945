import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ExactSum } from "../../../../kv/index/query/exact_sum.ts";
import { exactSum } from "../../../support/harness/naive_lists.ts";

function sumOf(numbers: readonly (readonly [value: number, times: number])[]): number {
  const sum = new ExactSum();
  for (const [value, times] of numbers) sum.add(value, times);
  return sum.value;
}

Deno.test("ExactSum is the double nearest to the sum, in whatever order the numbers come", () => {
  const value = fc.oneof(
    fc.constantFrom(0.1, -0.1, 1e15, -1e15, 2 ** 53, 1, -1, 2 ** -53, 1e280, 1e-280),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e280, max: 1e280 })
      .filter((one) => one === 0 || Math.abs(one) > 1e-280),
    fc.maxSafeInteger(),
  );
  const numbers = fc.array(fc.tuple(value, fc.integer({ min: 1, max: 40 })), { maxLength: 12 });
  fc.assert(
    fc.property(numbers, (given) => {
      const each = given.flatMap(([one, times]) => Array<number>(times).fill(one));
      const expected = exactSum(each) + 0;
      assertEquals(sumOf(given), expected);
      assertEquals(sumOf(given.toReversed()), expected);
      assertEquals(sumOf(each.map((one) => [one, 1])), expected);
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("ExactSum rounds once", () => {
  assertEquals(sumOf([[0.1, 10]]), 1);
  assertEquals(sumOf([[-(2 ** 51), 8], [-0.1, 20]]), -(2 ** 54) - 4);
  assertEquals(sumOf([[1e15, 2], [0.1, 2]]), 2_000_000_000_000_000.2);
  assertEquals(sumOf([[2 ** 53, 1], [1, 1], [2 ** -60, 1]]), 2 ** 53 + 2);
  assertEquals(sumOf([[2 ** 53, 1], [1, 1]]), 2 ** 53);
  assert(sumOf([[Number.MAX_VALUE, 2]]) === Infinity);
  assertEquals(sumOf([[Number.MAX_VALUE, 1], [-1, 3]]), Number.MAX_VALUE);
  assertEquals(sumOf([]), 0);
});
