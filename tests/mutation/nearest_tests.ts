/**
 * The tests that reach a file by the import graph, the nearest first.
 *
 * @module
 */
import type { Module } from "../runner/changed_tests.ts";

/** How much nearer a word that the file and the test share in their paths makes the test, in imports. */
const WORD_BONUS = 3;
/** Words that too many paths share to say anything. */
const FLOORS = new Set(["test", "kv", "job", "route", "admin", "v1"]);

/** At most `count` test files. */
export function nearestTests(
  path: string,
  tests: string[],
  graph: Map<string, Module>,
  count: number,
): string[] {
  const distances = distancesTo(path, graph);
  const words = wordsOf(path);
  const scored = tests.filter((test) => distances.has(test)).map((test) => {
    const shared = [...wordsOf(test)].filter((word) => words.has(word)).length;
    return { test, score: distances.get(test)! - WORD_BONUS * shared };
  });
  return scored.toSorted((a, b) => a.score - b.score || (a.test < b.test ? -1 : 1))
    .slice(0, count).map(({ test }) => test);
}

/** Imports between each module and the file. */
function distancesTo(path: string, graph: Map<string, Module>): Map<string, number> {
  const distances = new Map([[path, 0]]);
  for (const [target, distance] of distances) {
    for (const [from, { imports }] of graph) {
      if (!distances.has(from) && imports.includes(target)) distances.set(from, distance + 1);
    }
  }
  return distances;
}

/** The words of a path, in the singular. */
function wordsOf(path: string): Set<string> {
  const words = path.replace(/_test\.ts$|\.ts$/, "").split(/[/_]/).map((word) =>
    word.replace(/ies$/, "y").replace(/s$/, "")
  );
  return new Set(words.filter((word) => !FLOORS.has(word)));
}
