/**
 * The worker of the jobs thread: a runner over the same store, wired like the service.
 *
 * @module
 */
import { DueFlags } from "../../jobs/runner/due_flags.ts";
import { Traffic } from "../../jobs/runner/traffic.ts";
import { LOCAL_POLL_INTERVAL_MS, type Runner } from "../../jobs/runner/runner.ts";
import { workerScope } from "../../kv/store/worker_scope.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import type { Lane } from "../../kv/jobs/due.ts";
import { openObjects } from "../../kv/objects/open.ts";
import { TracedObjects } from "../../kv/objects/traced.ts";
import { JOBS_DOCUMENT_CACHE_BYTES_MAX } from "../../kv/tuning.ts";
import type { StoreCounts } from "../../kv/store/counts.ts";
import { openStoreBeside } from "../../kv/store/open.ts";
import type { Store } from "../../kv/store/store.ts";
import { Watchdog } from "../../kv/store/watched_driver.ts";
import { fanOutSoon } from "../../kv/webhooks/fan_out_soon.ts";
import type { Config } from "./config.ts";
import { logOf, storeLocationOf, wiringOptionsOf } from "./config_options.ts";
import { createDeps, createRunner } from "./wiring.ts";

/** A message to the thread. */
export type JobsOrder =
  | { kind: "start"; start: JobsStart }
  | { kind: "notify"; dueAt: number; lane: Lane }
  | { kind: "poll" }
  | { kind: "sweep"; id: number }
  | { kind: "stop"; graceMs: number };

/** The start message. */
export interface JobsStart {
  config: Config;
  version: string;
  json: boolean;
  traced: boolean;
  commits: MessagePort;
  /** Of the requests, see {@linkcode Traffic}. */
  traffic: SharedArrayBuffer;
  /** The lanes that are due; see {@linkcode DueFlags}. */
  dueFlags: SharedArrayBuffer;
  /** The current time by the clock of the main thread. */
  monotonicMs: number;
}

/** A message from the thread. */
export type JobsReport =
  | { kind: "ready" }
  | { kind: "status"; status: JobsStatus }
  | { kind: "wake others" }
  | { kind: "swept"; id: number }
  | { kind: "stopped" };

/** The status that the thread reports regularly. */
export interface JobsStatus {
  running: number;
  pollAgeMs: number | null;
  /** The operations of its store since the last status. */
  counts: StoreCounts & { conflicts: number };
}

/** Between two reports of the status, milliseconds. */
const STATUS_MS = 1_000;

const thread = workerScope<JobsOrder, JobsReport>();

let starting: Promise<Runner> | undefined;

async function startRunner(start: JobsStart): Promise<Runner> {
  const { config, version, json, traced, commits } = start;
  const offsetMs = start.monotonicMs - performance.now();
  const traffic = new Traffic(() => performance.now() + offsetMs, start.traffic);
  const now = () => Date.now();
  const log = logOf(config, { json, now, out: console });
  const store = await openStoreBeside(storeLocationOf(config), commits, {
    watchdog: new Watchdog(log),
    traced,
  });
  const opened = await openObjects(config, { now });
  const objects = traced ? new TracedObjects(opened) : opened;
  const context: Context = { store, objects, now, newId: ulidSource(), log };
  // The setup is the requests' business.
  const options = wiringOptionsOf(config, { log, version, setupCode: "" });
  const documentCacheBytesMax = JOBS_DOCUMENT_CACHE_BYTES_MAX;
  const deps = createDeps(context, { ...options, traffic, documentCacheBytesMax });
  context.onEvent = fanOutSoon(deps.content);
  const runner = createRunner(deps, {
    traffic,
    dueFlags: new DueFlags(start.dueFlags),
    pollIntervalMs: LOCAL_POLL_INTERVAL_MS,
    wakeOthers: () => thread.postMessage({ kind: "wake others" }),
  });
  runner.start();
  reportStatus(runner, store);
  thread.postMessage({ kind: "ready" });
  return runner;
}

function reportStatus(runner: Runner, store: Store): void {
  const reported = { reads: 0, lists: 0, commits: 0, conflicts: 0 };
  setInterval(() => {
    const { counts: { reads, lists, commits }, conflicts } = store;
    const counts = {
      reads: reads - reported.reads,
      lists: lists - reported.lists,
      commits: commits - reported.commits,
      conflicts: conflicts - reported.conflicts,
    };
    Object.assign(reported, { reads, lists, commits, conflicts });
    const { running, pollAgeMs } = runner;
    thread.postMessage({ kind: "status", status: { running, pollAgeMs, counts } });
  }, STATUS_MS);
}

thread.onmessage = async ({ data: order }) => {
  if (order.kind === "start") {
    starting = startRunner(order.start);
    return void await starting;
  }
  const runner = await starting;
  if (order.kind === "notify") runner?.notify(order.dueAt, order.lane);
  if (order.kind === "poll") runner?.poll();
  if (order.kind === "sweep") {
    await runner?.sweep();
    thread.postMessage({ kind: "swept", id: order.id });
  }
  if (order.kind === "stop") {
    await runner?.stop(order.graceMs);
    thread.postMessage({ kind: "stopped" });
  }
};
