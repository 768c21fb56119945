/**
 * Runs jobs in a separate thread, so that their computation does not delay requests. The thread
 * reads the store itself and commits through the process's single write handle. A thread that
 * crashes is restarted; its jobs continue once their leases have expired. If no thread can be
 * started, jobs run next to the requests.
 *
 * @module
 */
import { DueFlags } from "../../jobs/runner/due_flags.ts";
import type { Runner } from "../../jobs/runner/runner.ts";
import type { Traffic } from "../../jobs/runner/traffic.ts";
import { isChangeStamp } from "../../kv/changes/change_keys.ts";
import type { ChangeSignal } from "../../kv/changes/change_signal.ts";
import type { Lane } from "../../kv/jobs/due.ts";
import type { Log } from "../../kv/log.ts";
import { serveCommits } from "../../kv/store/commits/commit_port.ts";
import { placeOf } from "../../kv/store/open.ts";
import type { Operation } from "../../kv/store/operation.ts";
import type { Store } from "../../kv/store/store.ts";
import type { Config } from "./config.ts";
import type { JobsOrder, JobsReport, JobsStart, JobsStatus } from "./jobs_thread_worker.ts";
import { JOBS_THREAD_FAILURES_MAX, JOBS_THREAD_PROCESSORS_MIN } from "../input/limits.ts";
import { storeLocationOf } from "./config_options.ts";

/** The interface of a job runner to the process. */
export type Jobs = Pick<
  Runner,
  "start" | "notify" | "poll" | "sweep" | "stop" | "running" | "pollAgeMs"
>;

/** Options of the thread. */
export interface JobsThreadOptions extends Pick<JobsStart, "config" | "version" | "json"> {
  traced: boolean;
  store: Store;
  now: () => number;
  traffic: Traffic;
  changeSignal: Pick<ChangeSignal, "notify">;
  log: Log;
  /** There is more to do than this process may run at once. */
  wakeOthers: () => void;
  /** Runs the jobs if no thread can be started. */
  instead: Jobs;
  /** Makes the thread; replaced in tests. */
  startThread?: () => Worker;
  /** Before a thread that has ended is followed by another, milliseconds. */
  restartMs?: number;
}

/** Before a thread that has ended is followed by another, milliseconds. */
const RESTART_MS = 1_000;

/**
 * Time for running steps after an order to stop, and for the thread to hand back the rest,
 * milliseconds.
 */
const STOP_GRACE_MS = 4_000;
const HAND_BACK_MS = 1_000;

/**
 * Whether jobs get a thread: if the store is a file and there is a second processor, unless
 * configured otherwise.
 */
export function hasJobsThread(config: Config, processors: number): boolean {
  if (placeOf(storeLocationOf(config)).kind !== "file") return false;
  return config.JOBS_THREAD === ""
    ? processors >= JOBS_THREAD_PROCESSORS_MIN
    : config.JOBS_THREAD === "1";
}

/** Runs the jobs of a process in a thread. */
export class JobsThread implements Jobs {
  readonly #options: JobsThreadOptions;
  readonly #sweeps = new Map<number, () => void>();
  #thread: Worker | null = null;
  #port: MessagePort | null = null;
  #isReady = false;
  #startsFailed = 0;
  #stopping = false;
  #stopped: (() => void) | null = null;
  #instead: Jobs | null = null;
  #dueFlags = new DueFlags();
  #count = 0;
  #status: Pick<JobsStatus, "running" | "pollAgeMs"> = { running: 0, pollAgeMs: null };
  #toldAt = 0;

  constructor(options: JobsThreadOptions) {
    this.#options = options;
  }

  start(): void {
    const { store, config, version, json, traced, traffic, startThread = newThread } =
      this.#options;
    this.#isReady = false;
    this.#dueFlags = new DueFlags();
    let thread: Worker;
    try {
      thread = startThread();
    } catch (error) {
      return this.#ended(error);
    }
    this.#thread = thread;
    const { port1, port2: commits } = new MessageChannel();
    this.#port = port1;
    serveCommits(port1, store.driver, (operation) => this.#committed(operation));
    thread.onmessage = ({ data }: MessageEvent<JobsReport>) => this.#received(data);
    thread.onerror = (event) => {
      event.preventDefault();
      this.#end();
      this.#ended(event.message);
    };
    const start: JobsStart = {
      config,
      version,
      json,
      traced,
      commits,
      traffic: traffic.memory,
      dueFlags: this.#dueFlags.memory,
      monotonicMs: performance.now(),
    };
    thread.postMessage({ kind: "start", start } satisfies JobsOrder, [commits]);
  }

  notify(dueAt: number, lane: Lane): void {
    if (this.#instead !== null) return this.#instead.notify(dueAt, lane);
    const isDue = dueAt <= this.#options.now();
    if (!isDue || this.#dueFlags.raise(lane)) this.#order({ kind: "notify", dueAt, lane });
  }

  poll(): void {
    if (this.#instead !== null) return this.#instead.poll();
    this.#order({ kind: "poll" });
  }

  async sweep(): Promise<void> {
    if (this.#instead !== null) return await this.#instead.sweep();
    if (this.#thread === null) return;
    const id = ++this.#count;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#sweeps.set(id, resolve);
    this.#order({ kind: "sweep", id });
    await promise;
  }

  async stop(graceMs = STOP_GRACE_MS): Promise<void> {
    this.#stopping = true;
    if (this.#instead !== null) return await this.#instead.stop(graceMs);
    if (this.#thread === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#stopped = resolve;
    this.#order({ kind: "stop", graceMs });
    // One that computes does not hear: its leases run out then.
    const late = setTimeout(resolve, graceMs + HAND_BACK_MS);
    await promise;
    clearTimeout(late);
    this.#end();
  }

  get running(): number {
    return this.#instead?.running ?? this.#status.running;
  }

  get pollAgeMs(): number | null {
    if (this.#instead !== null) return this.#instead.pollAgeMs;
    const { pollAgeMs } = this.#status;
    return pollAgeMs === null ? null : pollAgeMs + performance.now() - this.#toldAt;
  }

  #end(): void {
    this.#port?.close();
    this.#thread?.terminate();
    this.#port = this.#thread = null;
  }

  #order(order: JobsOrder): void {
    this.#thread?.postMessage(order);
  }

  #received(report: JobsReport): void {
    if (report.kind === "ready") {
      this.#isReady = true;
      this.#startsFailed = 0;
    }
    if (report.kind === "status") {
      this.#status = report.status;
      this.#toldAt = performance.now();
      this.#options.store.addThreadCounts(report.status.counts);
    }
    if (report.kind === "wake others") this.#options.wakeOthers();
    if (report.kind === "swept") {
      this.#sweeps.get(report.id)?.();
      this.#sweeps.delete(report.id);
    }
    if (report.kind === "stopped") this.#stopped?.();
  }

  /** Waiting clients are notified of commits in the thread as of those in the process. */
  #committed({ touches }: Operation): void {
    if (touches.some(isChangeStamp)) this.#options.changeSignal.notify();
  }

  #ended(cause: unknown): void {
    const { log, instead, restartMs = RESTART_MS } = this.#options;
    for (const end of this.#sweeps.values()) end();
    this.#sweeps.clear();
    this.#stopped?.();
    if (this.#stopping) return;
    log.error("the thread of the jobs has ended", {}, cause);
    if (!this.#isReady) this.#startsFailed += 1;
    if (this.#startsFailed >= JOBS_THREAD_FAILURES_MAX) {
      log.warn("jobs run beside requests");
      this.#instead = instead;
      return instead.start();
    }
    setTimeout(() => this.#stopping || this.start(), restartMs);
  }
}

function newThread(): Worker {
  return new Worker(new URL("./jobs_thread_worker.ts", import.meta.url), { type: "module" });
}
