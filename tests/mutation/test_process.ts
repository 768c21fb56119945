/**
 * The process in which tests run with mutants: started when it is needed, killed when a test does not end.
 *
 * @module
 */
import type { TestAnswer, TestCommand } from "./child.ts";
import { TextLineStream } from "./lines.ts";

const CHILD = new URL("child.ts", import.meta.url).pathname;
const SAMPLE_MS = 250;
/** A process that computes next to nothing for so long waits for ever. */
const IDLE_MS = 12_000;
/** Processor time, and samples in which it could have computed, that are next to nothing. */
const IDLE_CPU_MS = 500;
const IDLE_RUNNABLE = 8;
/** Processor time that a test may use beyond ten times what it used without a mutant. */
const EXTRA_CPU_MS = 10_000;
/** A fresh process after so many tests: what failed tests leave behind adds up. */
const TESTS_MAX = 1_500;

/** A running process with its end of the conversation. */
interface Running {
  child: Deno.ChildProcess;
  writer: WritableStreamDefaultWriter<Uint8Array>;
  answers: ReadableStreamDefaultReader<string>;
}

/** Runs one test at a time. */
export class TestProcess {
  readonly #folder: string;
  #running: Running | null = null;
  #tests = 0;

  /** `folder` is the copy of the repository with the mutants built in. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Runs a test; null when it did not end in time or ended the process. `cpuMs` is what it usually uses. */
  async run(command: TestCommand, cpuMs: number): Promise<TestAnswer | null> {
    if (this.#tests++ > TESTS_MAX) this.stop();
    this.#running ??= this.#start(null);
    const { child, writer, answers } = this.#running;
    const watch = this.#watch(child.pid, 10 * cpuMs + EXTRA_CPU_MS);
    try {
      await writer.write(new TextEncoder().encode(`${JSON.stringify(command)}\n`));
      for (;;) {
        const { value, done } = await answers.read();
        if (done) break;
        if (value.startsWith("\u0001")) return JSON.parse(value.slice(1));
      }
    } catch {
      // The process has ended.
    } finally {
      clearInterval(watch);
    }
    this.stop();
    return null;
  }

  /** A fresh process whose modules see the mutant from their first line. */
  restart(mutant: number | null): void {
    this.stop();
    this.#running = this.#start(mutant);
  }

  stop(): void {
    this.#tests = 0;
    if (this.#running === null) return;
    try {
      this.#running.child.kill("SIGKILL");
    } catch {
      // It has already ended.
    }
    this.#running = null;
  }

  #start(mutant: number | null): Running {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-check", CHILD],
      cwd: this.#folder,
      env: { NO_COLOR: "1", MUTANT: mutant === null ? "" : String(mutant) },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    return {
      child,
      writer: child.stdin.getWriter(),
      answers: child.stdout.pipeThrough(new TextDecoderStream())
        .pipeThrough(new TextLineStream()).getReader(),
    };
  }

  /** Kills the process when it computes for too long, or waits while computing next to nothing. */
  #watch(pid: number, cpuMsMax: number): ReturnType<typeof setInterval> {
    const first = cpuMsOf(pid);
    let since = { at: Date.now(), used: first, runnable: 0 };
    return setInterval(() => {
      const used = cpuMsOf(pid);
      if (isRunnable(pid)) since.runnable += 1;
      // A process that waits for a busy processor does not wait for nothing; timers alone are no progress.
      const isActive = used - since.used > IDLE_CPU_MS || since.runnable > IDLE_RUNNABLE;
      if (isActive) since = { at: Date.now(), used, runnable: 0 };
      if (used - first > cpuMsMax || Date.now() - since.at > IDLE_MS) this.stop();
    }, SAMPLE_MS);
  }
}

/** Processor time of a process in milliseconds. */
function cpuMsOf(pid: number): number {
  const fields = statOf(`/proc/${pid}/stat`);
  return fields === null ? 0 : 10 * (Number(fields[11]) + Number(fields[12]));
}

function isRunnable(pid: number): boolean {
  try {
    for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
      const state = statOf(`/proc/${pid}/task/${name}/stat`)?.[0];
      if (state === "R" || state === "D") return true;
    }
  } catch {
    // It has ended.
  }
  return false;
}

function statOf(path: string): string[] | null {
  try {
    const text = Deno.readTextFileSync(path);
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}
