/**
 * Which test files exist, and which of them need a process of their own.
 *
 * @module
 */

/** How a file runs: in one isolate with others, in one isolate and one Chromium with others, or alone. */
export type FileClass = "shared" | "browser" | "alone";

/**
 * Files that never share an isolate, each with the reason. Every other file must leave no state behind: no changed
 * environment, no replaced global, no open resource.
 */
const ALONE: [pattern: RegExp, reason: string][] = [
  [/^tests\/stories\//, "starts processes and measures them"],
  [/^tests\/run_test\.ts$/, "runs this runner"],
  [
    /^tests\/jobs\/mail\/mailer_test\.ts$/,
    "leaves timers inside of its sockets, which Deno 2.5 counts as those of the next test",
  ],
  [
    /^tests\/routes\/body_cost_test\.ts$/,
    "compares processor times of the process, in which a heap that other files have filled counts too",
  ],
  [
    /^tests\/kv\/(?:index\/list_index_slices|objects\/files)_test\.ts$/,
    "counts blocks of code, which takes ten times as long among the modules of other files, and slows those",
  ],
];

/** Browser tests that `deno task test` runs: each follows one person through a day's work, over every part. */
const BROWSER_STORIES = "tests/browser/stories/";

/** Files that `deno task test` leaves to `--all`, with what makes them long by their nature. */
export const LONG_FILES: Record<string, string> = {
  "tests/browser/pictures_test.ts": "250 pictures at three widths in two color schemes",
  "tests/browser/studio/studio_screens_test.ts":
    "an accessibility audit of every screen at two widths",
  "tests/browser/documents/studio_menus_test.ts": "every menu of every screen at three widths",
  "tests/stories/full_disk_test.ts": "a disk that stays full longer than the store's own patience",
  "tests/stories/disk_reserve_lost_test.ts": "the same, until the store ends the process",
  "tests/stories/stalled_bodies_test.ts": "bodies that stall until their time is over",
  "tests/recipes_test.ts": "type checks of whole copies of the project",
  "tests/browser/studio/studio_budgets_test.ts":
    "interactions on a processor slowed down four times",
};

const IMPORTS_CHROMIUM = /^(?:import|\}) .*support\/browser\/chromium\.ts"/m;

/** The class of a file, by its path and text. */
export function classOf(file: string, text: string): FileClass {
  if (ALONE.some(([pattern]) => pattern.test(file))) return "alone";
  return IMPORTS_CHROMIUM.test(text) ? "browser" : "shared";
}

/**
 * Whether a file is a browser test of one screen or field. `deno task test` leaves these to `--all`: all together they
 * take seven minutes of processor time, and Chromium draws during half of it.
 */
export function isBrowserDetail(file: string, text: string): boolean {
  return classOf(file, text) === "browser" && !file.startsWith(BROWSER_STORIES);
}

/** Every test file below a folder. */
export async function* testFiles(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* testFiles(path);
    else if (name.endsWith("_test.ts")) yield path;
  }
}
