/**
 * Runs a group of test files in one `deno test` process. A process that hangs or dies names the file at which it did,
 * and the files after that one run in a process of their own.
 *
 * @module
 */
import { readGroupOutput, type TestCounts } from "./group_output.ts";
import { CACHE_FOLDER } from "./last_run.ts";
import { killTree } from "./process_tree.ts";

/** How a file ended. */
export interface FileResult {
  file: string;
  /** Wall time of its tests, without loading the modules. */
  seconds: number;
  counts: TestCounts;
  /** The names of its tests that failed. */
  failedTests: string[];
  /** What to print after the name when the file has failed; null when it has passed. */
  failure: { note: string; text: string } | null;
}

/** How groups are run. */
export interface GroupOptions {
  denoOptions: string[];
  /** Long proofs do all of their work. */
  all: boolean;
  /** The most that one file may take, in minutes. */
  minutesMax: number;
  /** Print everything that the process prints. */
  verbose: boolean;
  /** Called when the tests of a file have run; their results follow when the process has ended. */
  onFileDone(file: string, seconds: number): void;
  onFileEnd(result: FileResult): void;
}

const GROUP = new URL("group.ts", import.meta.url).pathname;
const OUTPUT_FOLDER = `${CACHE_FOLDER}/test_output`;
const POLL_INTERVAL_MS = 250;

interface Events {
  /** The file whose modules are being loaded or whose tests are running; null before the first and after the last. */
  current: number | null;
  starts: number[];
  ended: boolean;
}

/** Runs all files, in as many processes as it takes. */
export async function runGroup(files: string[], options: GroupOptions): Promise<void> {
  let waiting = files;
  while (waiting.length > 0) waiting = await runProcess(waiting, options);
}

/** Runs one process over the files; answers those that it did not come to. */
async function runProcess(files: string[], options: GroupOptions): Promise<string[]> {
  const eventsFile = await Deno.makeTempFile({ prefix: "tests-" });
  try {
    const child = spawn(files, eventsFile, options);
    let isHung = false;
    let done = 0;
    const watch = setInterval(() => {
      const events = readEvents(eventsFile, files.length);
      for (; events.starts[done + 1] !== undefined; done++) {
        options.onFileDone(files[done]!, secondsOf(events, done));
      }
      if (isHung || !isOverdue(events, options.minutesMax)) return;
      isHung = true;
      void killTree(child.pid);
    }, POLL_INTERVAL_MS);
    const began = Date.now();
    const { code, stdout, stderr } = await child.output();
    clearInterval(watch);
    const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
    if (options.verbose) console.log(output.trimEnd());
    await keepOutput(child.pid, output);
    const events = readEvents(eventsFile, files.length);
    return report({ files, code, output, events, isHung, began }, options);
  } finally {
    await Deno.remove(eventsFile);
  }
}

/** Keeps what a process printed in `.cache/test_output/`, to look at what one file of a group did. */
async function keepOutput(pid: number, output: string): Promise<void> {
  await Deno.mkdir(OUTPUT_FOLDER, { recursive: true });
  await Deno.writeTextFile(`${OUTPUT_FOLDER}/${pid}.txt`, output);
}

/** Removes what earlier runs have left in `.cache/test_output/`. */
export async function clearOutputs(): Promise<void> {
  await Deno.remove(OUTPUT_FOLDER, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

function spawn(files: string[], eventsFile: string, { denoOptions, all }: GroupOptions) {
  const absolute = files.map((file) => new URL(file, `file://${Deno.cwd()}/`).pathname);
  return new Deno.Command(Deno.execPath(), {
    args: ["test", "--allow-all", "--no-check", ...denoOptions, GROUP],
    env: {
      NO_COLOR: "1",
      TEST_GROUP: JSON.stringify(absolute),
      TEST_EVENTS: eventsFile,
      ...(all && { TEST_ALL: "1" }),
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function readEvents(eventsFile: string, files: number): Events & { since: number } {
  const events: Events & { since: number } = { current: null, starts: [], ended: false, since: 0 };
  for (const line of Deno.readTextFileSync(eventsFile).split("\n")) {
    const [kind, index, at] = line.split(" ");
    if (at === undefined || at === "") continue;
    events.since = Number(at);
    if (kind === "load" || kind === "start") events.current = Number(index);
    if (kind === "start") events.starts[Number(index)] = Number(at);
    if (kind === "end") {
      events.current = null;
      events.ended = true;
      events.starts[files] = Number(at);
    }
  }
  return events;
}

function secondsOf({ starts }: Events, index: number): number {
  return (starts[index + 1]! - starts[index]!) / 1000;
}

function isOverdue({ current, since }: Events & { since: number }, minutesMax: number): boolean {
  return current !== null && Date.now() - since > minutesMax * 60_000;
}

interface EndedProcess {
  files: string[];
  code: number;
  output: string;
  events: Events;
  isHung: boolean;
  began: number;
}

/**
 * Reports the files that have ended and answers the others. A process that stops before its last marker has stopped
 * at its current file: that one has failed.
 */
function report(
  ended: EndedProcess,
  { minutesMax, denoOptions, onFileEnd }: GroupOptions,
): string[] {
  const { files, code, output, events, isHung, began } = ended;
  const { counts, failedTests, failures } = readGroupOutput(output, files.length);
  // A filter leaves the markers out as well.
  const hasMarkers = !isFiltered(denoOptions);
  const isBroken = hasMarkers ? !events.ended : !/^(ok|FAILED) \| \d+ passed/m.test(output);
  const stopped = isBroken ? events.current ?? 0 : files.length - 1;
  const hasFailedTest = counts.some(({ failed }) => failed > 0);
  const wasLoading = isBroken && hasMarkers && events.starts.length === 0;
  let text = failures;
  const finish = (index: number) => {
    const seconds = events.starts[index + 1] === undefined
      ? (Date.now() - (events.starts[index] ?? began)) / 1000
      : secondsOf(events, index);
    const own = counts[index]!;
    const stoppedHere = index === stopped && (isBroken || code !== 0 && !hasFailedTest);
    if (stoppedHere && own.failed === 0) own.failed = 1;
    const note = isHung ? ` (hung, killed after ${minutesMax} minutes)` : " (ended its process)";
    const failure = own.failed > 0 ? { note: stoppedHere ? note : "", text } : null;
    // The text covers all failures of the process: print it once.
    if (failure !== null) text = "";
    onFileEnd({
      file: files[index]!,
      seconds,
      counts: own,
      failedTests: failedTests[index]!,
      failure,
    });
  };
  if (wasLoading) {
    finish(stopped);
    return files.toSpliced(stopped, 1);
  }
  for (let index = 0; index <= stopped; index++) finish(index);
  return files.slice(stopped + 1);
}

/** Whether `deno test` is told to run only some tests by name. */
export function isFiltered(denoOptions: string[]): boolean {
  return denoOptions.some((option) => option.startsWith("--filter"));
}
