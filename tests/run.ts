/**
 * `deno task test [paths…] [--all] [--changed] [--since-failed] [options of deno test…]`: runs test files in groups
 * that share an isolate, as many groups at a time as the machine has cores, and ends with one line that counts the
 * tests.
 *
 * A file that is not done after TEST_FILE_MINUTES (10) is killed with all that it started, and counts as failed; the
 * other files of its group run in a new process.
 *
 * @module
 */
import { expandPaths, parseArguments, type RunArguments, UsageError } from "./runner/arguments.ts";
import { changedTests } from "./runner/changed_tests.ts";
import { isBrowserDetail, LONG_FILES } from "./runner/files.ts";
import { clearOutputs, isFiltered, runGroup } from "./runner/group_process.ts";
import { type LastRun, readLastRun, writeLastRun } from "./runner/last_run.ts";
import { planGroups } from "./runner/plan.ts";
import { ProcessorMeter } from "./runner/process_tree.ts";
import { Progress } from "./runner/progress.ts";

/** More files than this print only progress and failures. */
const VERBOSE_FILES_MAX = 5;

async function chooseFiles(args: RunArguments, last: LastRun): Promise<string[]> {
  let files = await expandPaths(args.paths ?? ["tests"]);
  if (args.paths === null && !args.all) files = files.filter((file) => !(file in LONG_FILES));
  if (isPlain(args)) files = await withoutBrowserDetails(files);
  if (args.sinceFailed) files = files.filter((file) => last.failed.includes(file));
  if (args.changed) {
    const reached = await changedTests(files);
    files = files.filter((file) => reached.has(file));
  }
  return files;
}

/** Whether nothing was asked for but the suite. */
function isPlain({ paths, all, changed, sinceFailed }: RunArguments): boolean {
  return paths === null && !all && !changed && !sinceFailed;
}

async function withoutBrowserDetails(files: string[]): Promise<string[]> {
  const isKept = await Promise.all(
    files.map(async (file) => !isBrowserDetail(file, await Deno.readTextFile(file))),
  );
  return files.filter((_, index) => isKept[index]);
}

async function main(): Promise<boolean> {
  const args = parseArguments(Deno.args);
  const last = await readLastRun();
  const files = await chooseFiles(args, last);
  await clearOutputs();
  const meter = new ProcessorMeter();
  // One more than cores: browser tests and stories spend much of their time waiting.
  const processes = navigator.hardwareConcurrency + 1;
  const groups = await planGroups({
    files,
    read: Deno.readTextFile,
    known: last.seconds,
    // Twice as many as cores, so that the last one is not long alone.
    browserGroups: 2 * navigator.hardwareConcurrency,
    processes,
    separate: isFiltered(args.denoOptions),
  });
  const progress = new Progress(files, last.seconds);
  const waiting = groups.values();
  const options = {
    denoOptions: args.denoOptions,
    all: args.all,
    minutesMax: Number(Deno.env.get("TEST_FILE_MINUTES") ?? 10),
    verbose: files.length <= VERBOSE_FILES_MAX,
    onFileDone: progress.done.bind(progress),
    onFileEnd: progress.add.bind(progress),
  };
  const work = async () => {
    for (const group of waiting) await runGroup(group, options);
  };
  await Promise.all(Array.from({ length: processes }, work));
  const failedTests = Object.fromEntries(
    progress.results.flatMap(({ file, failure, failedTests }) =>
      failure === null ? [] : [[file, failedTests.length > 0 ? failedTests : [failure.note.trim()]]]
    ),
  );
  const failed = Object.keys(failedTests);
  const ran = new Set(files);
  await writeLastRun({
    seconds: {
      ...last.seconds,
      ...Object.fromEntries(progress.results.map(({ file, seconds }) => [file, seconds])),
    },
    failed: [...last.failed.filter((file) => !ran.has(file)), ...failed],
    failedTests,
  });
  return progress.end(await meter.stop());
}

try {
  Deno.exit(await main() ? 0 : 1);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  Deno.exit(2);
}
