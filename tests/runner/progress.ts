/**
 * What a run prints while it goes on and at its end.
 *
 * @module
 */
import type { FileResult } from "./group_process.ts";

const INTERVAL_MS = 10_000;
const SLOWEST_SHOWN = 10;

type TimedFile = Pick<FileResult, "file" | "seconds">;

/** Counts results and prints them. */
export class Progress {
  readonly results: FileResult[] = [];
  readonly #known: Record<string, number>;
  readonly #files: string[];
  readonly #done: TimedFile[] = [];
  readonly #began = performance.now();
  #printed = performance.now();

  /** `known` holds the seconds that files took when they last ran. */
  constructor(files: string[], known: Record<string, number>) {
    this.#files = files;
    this.#known = known;
  }

  /** Notes that the tests of a file have run; progress is printed every ten seconds. */
  done(file: string, seconds: number): void {
    this.#done.push({ file, seconds });
    if (performance.now() - this.#printed < INTERVAL_MS) return;
    this.#printed = performance.now();
    const elapsed = (performance.now() - this.#began) / 1000;
    const left = elapsed / this.#shareDone() - elapsed;
    const slowest = slowestOf(this.#done, 1)[0]!;
    console.log(
      `${this.#done.length} of ${this.#files.length} files, ${clock(elapsed)}, ` +
        `about ${clock(left)} left; slowest: ${slowest.file} (${slowest.seconds.toFixed(1)} s)`,
    );
  }

  /** Takes a file's result; a failure is printed at once. */
  add(result: FileResult): void {
    this.results.push(result);
    if (result.failure !== null) console.log(failureText(result));
  }

  /** Prints the slowest files, the time, every failure once more, and the line that counts the tests. */
  end(processorSeconds: number | null): boolean {
    if (this.#files.length > SLOWEST_SHOWN) {
      console.log(`\nslowest files:`);
      for (const { file, seconds } of slowestOf(this.results, SLOWEST_SHOWN)) {
        console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`);
      }
    }
    const elapsed = (performance.now() - this.#began) / 1000;
    const processor = processorSeconds === null
      ? ""
      : `, ${clock(processorSeconds)} of processor time`;
    console.log(`\n${clock(elapsed)}${processor}`);
    const failed = this.results.filter(({ failure }) => failure !== null);
    for (const result of failed.toSorted((a, b) => a.file < b.file ? -1 : 1)) {
      console.log(failureText(result));
    }
    const sum = { passed: 0, failed: 0, ignored: 0 };
    for (const { counts } of this.results) {
      sum.passed += counts.passed;
      sum.failed += counts.failed;
      sum.ignored += counts.ignored;
    }
    console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.ignored} skipped`);
    return failed.length === 0;
  }

  /** The share of the work that is done, weighed by the times of earlier runs. */
  #shareDone(): number {
    const weigh = (files: string[]) =>
      files.reduce((sum, file) => sum + (this.#known[file] ?? 1), 0);
    return weigh(this.#done.map(({ file }) => file)) / weigh(this.#files);
  }
}

function slowestOf(files: TimedFile[], count: number): TimedFile[] {
  return files.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
}

function failureText({ file, failure }: FileResult): string {
  return `FAILED: ${file}${failure!.note}\n${failure!.text.trim()}`.trimEnd();
}

/** Seconds as minutes and seconds: `4:07`. */
function clock(seconds: number): string {
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
