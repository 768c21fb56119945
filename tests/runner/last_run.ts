/**
 * What the last run found out: which files failed, and how long each took. Kept in `.cache/`, which is not committed.
 *
 * @module
 */

/** Where runs keep what they found: `TEST_CACHE`, for a run inside a test, or `.cache`. */
export const CACHE_FOLDER = Deno.env.get("TEST_CACHE") ?? ".cache";

const FILE = `${CACHE_FOLDER}/tests.json`;

/** The last result of each file that ever ran here. */
export interface LastRun {
  seconds: Record<string, number>;
  failed: string[];
  /** The names of the tests that failed in the last run, by file. A file that hung or died has a note instead. */
  failedTests: Record<string, string[]>;
}

const NO_RUN: LastRun = { seconds: {}, failed: [], failedTests: {} };

/** Reads it; empty when no run has been recorded. */
export async function readLastRun(): Promise<LastRun> {
  try {
    return { ...NO_RUN, ...JSON.parse(await Deno.readTextFile(FILE)) };
  } catch {
    return NO_RUN;
  }
}

/** Records a run; a file that did not run keeps what is known about it. */
export async function writeLastRun(last: LastRun): Promise<void> {
  await Deno.mkdir(CACHE_FOLDER, { recursive: true });
  await Deno.writeTextFile(FILE, JSON.stringify(last));
}
