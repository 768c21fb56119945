/**
 * Reads what `deno test` prints about a group of files.
 *
 * @module
 */

/** Begins the name of the tests that separate the files of a group. */
export const MARKER = "── file ";

/** Numbers of tests. */
export interface TestCounts {
  passed: number;
  failed: number;
  ignored: number;
}

/** What a group's output says about its files, by their index. */
export interface GroupOutput {
  counts: TestCounts[];
  /** The names of the tests that failed, by file. */
  failedTests: string[][];
  /** The part about failures, or the end of the output when the process died before it printed one. */
  failures: string;
}

/** The most that is repeated of one group's failures, in characters. */
const FAILURE_CHARACTERS = 8_000;

/** Counts the tests of each file by the lines between markers, leaving out what tests themselves printed. */
export function readGroupOutput(output: string, files: number): GroupOutput {
  const counts = Array.from({ length: files }, () => ({ passed: 0, failed: 0, ignored: 0 }));
  const failedTests = Array.from({ length: files }, () => [] as string[]);
  let current = 0;
  let isPrinting = false;
  // Deno breaks the line of a test that takes a minute or longer.
  const whole = output.replaceAll(/'.*' has been running for over \([^)]*\)\n/g, "");
  for (const line of whole.split("\n")) {
    if (/^-+ (post-test )?output -+$/.test(line)) isPrinting = true;
    else if (/^-+ (post-test )?output end -+$/.test(line)) isPrinting = false;
    else if (/^ *(ERRORS|FAILURES) *$/.test(line)) break;
    if (isPrinting) continue;
    const result = /^(\S.*?) \.\.\. (?:.* \.\.\. )?(ok|FAILED|ignored)\b/.exec(line);
    if (result === null) continue;
    const [, name, outcome] = result;
    const own = counts[current]!;
    if (name!.startsWith(MARKER)) {
      const next = Number(name!.slice(MARKER.length));
      if (next < files) current = next;
    } else if (outcome === "ok") own.passed++;
    else if (outcome === "FAILED") {
      own.failed++;
      failedTests[current]!.push(name!);
    } else own.ignored++;
  }
  return { counts, failedTests, failures: failuresIn(output) };
}

function failuresIn(output: string): string {
  const start = output.search(/^ *(ERRORS|FAILURES) *$/m);
  return start < 0
    ? output.slice(-FAILURE_CHARACTERS)
    : output.slice(start, start + FAILURE_CHARACTERS);
}
