/**
 * Runs tests once without a mutant, to see what they reach and cost, and then against one mutant at a time.
 *
 * @module
 */
import type { Mutant } from "./mutants.ts";
import type { TestProcess } from "./test_process.ts";

/** A test that passes without a mutant. */
interface KnownTest {
  file: string;
  index: number;
  ms: number;
}

/** Which tests reach which mutants. */
export interface Baseline {
  byMutant: Map<number, KnownTest[]>;
  /** Mutants in code that runs when a module is loaded, with the files that load it. */
  atLoad: Map<number, Set<string>>;
}

/** How a mutant fared. */
export interface Outcome {
  isFound: boolean;
  note: "found" | "survived" | "not reached";
}

/** Tests that are tried against one mutant, by their time in all and by their number. */
const TRIAL_MS_MAX = 60_000;
const TRIALS_MAX = 200;
/** The files whose tests are tried before cheaper ones: hundreds of others may reach the same code. */
const FIRST_FILES = 6;
/** Load mutants need a process for each file. */
const LOADS_MAX = 6;

/** Runs each test of the files; those that fail without a mutant are left out and named. */
export async function readBaseline(process: TestProcess, files: string[]): Promise<Baseline> {
  const baseline: Baseline = { byMutant: new Map(), atLoad: new Map() };
  for (const file of files) {
    // Each file loads its modules in a process of its own, or it would not show what loading reaches.
    process.restart(null);
    const loaded = await process.run({ file, index: null, mutant: null }, 60_000);
    if (loaded === null || loaded.failure !== null) {
      console.log(`left out: ${file}: ${loaded?.failure ?? "ended its process"}`);
      continue;
    }
    for (const id of loaded.reached) {
      baseline.atLoad.set(id, (baseline.atLoad.get(id) ?? new Set()).add(file));
    }
    for (const [index, name] of loaded.names.entries()) {
      const answer = await process.run({ file, index, mutant: null }, 60_000);
      if (answer === null || answer.failure !== null) {
        console.log(`left out: ${file}: ${name}: ${answer?.failure ?? "did not end"}`);
        continue;
      }
      for (const id of answer.reached) {
        const tests = baseline.byMutant.get(id) ?? [];
        tests.push({ file, index, ms: answer.ms });
        baseline.byMutant.set(id, tests);
      }
    }
  }
  process.restart(null);
  return baseline;
}

/**
 * Tries the tests that reach a mutant until one fails: those of the nearest files, then the others, the cheapest first;
 * `nearest` are also the files to load again.
 */
export async function tryMutant(
  process: TestProcess,
  { id }: Mutant,
  baseline: Baseline,
  nearest: readonly string[],
): Promise<Outcome> {
  const isFirst = ({ file }: KnownTest) => nearest.slice(0, FIRST_FILES).includes(file);
  const tests = (baseline.byMutant.get(id) ?? [])
    .toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)) || a.ms - b.ms);
  const loads = baseline.atLoad.get(id);
  if (tests.length === 0 && loads === undefined) return { isFound: false, note: "not reached" };
  let left = TRIAL_MS_MAX;
  for (const { file, index, ms } of tests.slice(0, TRIALS_MAX)) {
    if ((left -= ms) < 0) break;
    const isFound = await failsOnlyWith(process, { file, index, mutant: id }, ms);
    if (isFound) return { isFound, note: "found" };
  }
  for (const file of nearest.filter((one) => loads?.has(one)).slice(0, LOADS_MAX)) {
    if (await failsFromLoad(process, file, id)) return { isFound: true, note: "found" };
  }
  return { isFound: false, note: "survived" };
}

/** Whether a test fails with the mutant and passes without it. */
async function failsOnlyWith(
  process: TestProcess,
  command: { file: string; index: number; mutant: number },
  ms: number,
): Promise<boolean> {
  const answer = await process.run(command, ms);
  if (answer === null) return true;
  if (answer.failure === null) return false;
  const control = await process.run({ ...command, mutant: null }, ms);
  if (control !== null && control.failure === null) return true;
  // Something else has left a trace in the process: ask once more in a fresh one.
  process.restart(null);
  const again = await process.run(command, ms);
  return again === null || again.failure !== null;
}

/** Runs all tests of a file in a process that has loaded its modules with the mutant. */
async function failsFromLoad(process: TestProcess, file: string, id: number): Promise<boolean> {
  process.restart(id);
  try {
    const loaded = await process.run({ file, index: null, mutant: id }, 10_000);
    if (loaded === null || loaded.failure !== null) return true;
    for (const index of loaded.names.keys()) {
      const answer = await process.run({ file, index, mutant: id }, 10_000);
      if (answer === null || answer.failure !== null) return true;
    }
    return false;
  } finally {
    process.restart(null);
  }
}
