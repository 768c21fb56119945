/**
 * What `tests/flaky.ts` is asked for, and how it counts failures over several runs.
 *
 * @module
 */

/** What a series of runs was asked for. */
export interface FlakyArguments {
  runs: number;
  /** Busy loops beside every second run. */
  busy: number;
  /** Arguments of `deno task test`, as they are. */
  testArguments: string[];
}

/** A quiet run has the machine to itself; a busy one shares it with busy loops. */
export type RunKind = "quiet" | "busy";

/** What failed in one run: names of tests by file. */
export interface RunFailures {
  kind: RunKind;
  failedTests: Record<string, string[]>;
}

const DEFAULTS = { runs: 12, busy: 2 };

/** Takes `--runs N` and `--busy N` (also `--runs=N`); throws a RangeError for a number that cannot be. */
export function parseFlakyArguments(args: string[]): FlakyArguments {
  const own: { runs: number; busy: number } = { ...DEFAULTS };
  const testArguments: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const [, name, inline] = /^--(runs|busy)(?:=(.*))?$/.exec(args[at]!) ?? [];
    if (name === undefined) {
      testArguments.push(args[at]!);
      continue;
    }
    const text = inline ?? args[++at] ?? "";
    const min = name === "runs" ? 1 : 0;
    if (!/^\d+$/.test(text) || Number(text) < min) {
      throw new RangeError(`--${name} must be a whole number from ${min}, not ${text || "empty"}`);
    }
    own[name as keyof typeof own] = Number(text);
  }
  return { ...own, testArguments };
}

/** Quiet and busy runs alternate. */
export function runKind(index: number, { busy }: Pick<FlakyArguments, "busy">): RunKind {
  return busy > 0 && index % 2 === 1 ? "busy" : "quiet";
}

/** One line for each test that failed, the most frequent first; empty when all runs passed. */
export function describeFailures(runs: RunFailures[]): string[] {
  const failures = new Map<string, Record<RunKind, number>>();
  const runsOf = { quiet: 0, busy: 0 };
  for (const { kind, failedTests } of runs) {
    runsOf[kind]++;
    for (const [file, names] of Object.entries(failedTests)) {
      for (const name of new Set(names)) {
        const test = `${file}: ${name}`;
        const counts = failures.get(test) ?? { quiet: 0, busy: 0 };
        counts[kind]++;
        failures.set(test, counts);
      }
    }
  }
  return [...failures]
    .toSorted(([a, x], [b, y]) => y.quiet + y.busy - x.quiet - x.busy || (a < b ? -1 : 1))
    .map(([test, { quiet, busy }]) =>
      `${quiet + busy} of ${runs.length} runs ` +
      `(${quiet} of ${runsOf.quiet} quiet, ${busy} of ${runsOf.busy} busy): ${test}`
    );
}
