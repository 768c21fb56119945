import { assertEquals } from "../support/harness/assert.ts";
import { buildMutants, findMutants } from "./mutants.ts";
import { nearestTests } from "./nearest_tests.ts";
import { tableOf, textOf } from "./report.ts";

const CODE = `
import type { Level } from "./level.ts";
export function grade(points: number, isLate = false): string {
  type Level = 1 | 2;
  if (points < 0 || points > 100) {
    const text = "none";
    return text;
  }
  const bonus = isLate ? 0 : 20;
  return points + bonus >= 60 ? "passed" : "failed";
}
`;

Deno.test("findMutants() changes conditions, comparisons, logic, constants and early exits", () => {
  assertEquals(findMutants("grade.ts", CODE, 1).map(textOf), [
    "grade.ts:3:48 constant: false → true",
    "grade.ts:5:7 condition: points < 0 || points > 100 → true",
    "grade.ts:5:7 condition: points < 0 || points > 100 → false",
    "grade.ts:5:7 logic: points < 0 || points > 100 → points < 0 && points > 100",
    "grade.ts:5:7 comparison: points < 0 → points <= 0",
    "grade.ts:5:16 constant: 0 → 1",
    "grade.ts:5:21 comparison: points > 100 → points >= 100",
    "grade.ts:5:30 constant: 100 → 100 * 10",
    "grade.ts:7:5 exit: return text; → (removed)",
    "grade.ts:9:17 condition: isLate → true",
    "grade.ts:9:17 condition: isLate → false",
    "grade.ts:9:26 constant: 0 → 1",
    "grade.ts:9:30 constant: 20 → 20 * 10",
    "grade.ts:10:10 condition: points + bonus >= 60 → true",
    "grade.ts:10:10 condition: points + bonus >= 60 → false",
    "grade.ts:10:10 comparison: points + bonus >= 60 → points + bonus > 60",
    "grade.ts:10:28 constant: 60 → 60 * 10",
  ]);
});

Deno.test("a mutant is off until it is switched on, and each changes what it says", async () => {
  const mutants = findMutants("grade.ts", CODE, 1);
  const built = buildMutants("grade.ts", CODE, 1, () => true);
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  const global = globalThis as { __mutant?: (id: number) => boolean };
  try {
    await Deno.writeTextFile(file, built);
    const { grade } = await import(`file://${file}`);
    const results = () =>
      [[-1], [0], [1], [30], [40], [41], [60, true], [50, true], [100], [101], [500]].map((one) =>
        grade(...one)
      )
        .join();
    const plain = results();
    assertEquals(plain, "none,failed,failed,failed,passed,passed,passed,failed,passed,none,none");
    const unchanged = mutants.filter(({ id }) => {
      global.__mutant = (asked) => asked === id;
      return results() === plain;
    });
    // No input here is one point above a bonus.
    assertEquals(unchanged.map(textOf), ["grade.ts:9:26 constant: 0 → 1"]);
  } finally {
    delete global.__mutant;
    await Deno.remove(file);
  }
});

Deno.test("nearestTests() prefers what shares words with the file, then fewer imports", () => {
  const module = (...imports: string[]) => ({ imports, mentions: new Set<string>() });
  const graph = new Map([
    ["tests/far_test.ts", module("kv/store.ts")],
    ["tests/near_test.ts", module("kv/rate_limit/bucket.ts")],
    ["tests/kv/rate_limit/buckets_test.ts", module("kv/store.ts")],
    ["tests/none_test.ts", module("kv/other.ts")],
    ["kv/store.ts", module("kv/rate_limit/bucket.ts")],
  ]);
  const tests = [...graph.keys()].filter((path) => path.startsWith("tests/"));
  const nearest = (count: number) => nearestTests("kv/rate_limit/bucket.ts", tests, graph, count);
  assertEquals(nearest(2), ["tests/kv/rate_limit/buckets_test.ts", "tests/near_test.ts"]);
  assertEquals(nearest(9).length, 3);
});

Deno.test("tableOf() counts by file and in sum", () => {
  const [first, second] = findMutants("a.ts", "export const a = 1 < 2;", 1);
  assertEquals(tableOf(new Map([[first!, true], [second!, false]])).split("\n"), [
    "file   found     of  share",
    "a.ts       1      2   50 %",
    "all        1      2   50 %",
  ]);
});
