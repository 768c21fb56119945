/**
 * `GET /metrics`: metrics of this process in the Prometheus text format, for clients with the token
 * in `METRICS_TOKEN`.
 *
 * @module
 */
import { timingSafeEqual } from "node:crypto";
import { Hono } from "@hono/hono";
import type { Counter, Gauge, Histogram, Registry } from "prom-client";
import { dueByLane } from "../../kv/jobs/due_summary.ts";
import { failures } from "../../kv/jobs/job_list.ts";
import { type JobGroup, jobsByState } from "../../kv/jobs/job_summary.ts";
import { sha256 } from "../../kv/model/values/sha256.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Store } from "../../kv/store/store.ts";
import { FAILED_COUNTED_MAX } from "../input/limits.ts";
import { closeMethods } from "../middleware/methods.ts";
import { bearerText } from "../input/bearer_text.ts";
import { storeMetrics, type StoreMetricsSources } from "./store_metrics.ts";

/** Upper bounds of the buckets of request times, seconds. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The sources of the metrics. */
export interface MetricsSources extends StoreMetricsSources {
  version: string;
  now: () => number;
  /** Jobs that this process runs at the moment. */
  running: () => number;
  /** The longest delay of the event loop since this was last asked, seconds. */
  lagSeconds: () => number;
}

/** A request that was answered. */
export interface CompletedRequest {
  method: string;
  route: string;
  status: number;
  ms: number;
}

/** The metrics of a process; created only if they can be read. */
export class Metrics {
  readonly #registry: Registry;
  readonly #requests: Counter<"method" | "route" | "status">;
  readonly #seconds: Histogram<"method" | "route">;

  private constructor(library: typeof import("prom-client"), sources: MetricsSources) {
    const { Registry, Counter, Histogram, Gauge } = library;
    const registers = [this.#registry = new Registry()];
    this.#requests = new Counter({
      name: "cms_http_requests_total",
      help: "Number of requests by route and status.",
      labelNames: ["method", "route", "status"],
      registers,
    });
    this.#seconds = new Histogram({
      name: "cms_http_request_seconds",
      help: "Time to first byte of responses.",
      labelNames: ["method", "route"],
      buckets: SECONDS,
      registers,
    });
    simpleGauges(library, this.#registry, sources);
    new Gauge({
      name: "cms_build_info",
      help: "Version of the service.",
      labelNames: ["version"],
      registers,
    }).set({ version: sources.version }, 1);
    const { store, now } = sources;
    dueGauges(library, this.#registry, () => dueByLane(store, now()));
    jobGauges(library, this.#registry, () => jobsByState(store), now);
    operationCounter(library, this.#registry, store);
    storeMetrics(library, this.#registry, sources);
  }

  /** Loads the metrics library. */
  static async open(sources: MetricsSources): Promise<Metrics> {
    const { default: library } = await import("prom-client");
    return new Metrics(library, sources);
  }

  /** Counts a request. */
  observe({ method, route, status, ms }: CompletedRequest): void {
    this.#requests.inc({ method, route, status });
    this.#seconds.observe({ method, route }, ms / 1000);
  }

  /** Everything, as Prometheus reads it. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }
}

type Library = typeof import("prom-client");

/** Numbers without labels, read when they are asked for. */
function simpleGauges(
  { Gauge }: Library,
  registry: Registry,
  { store, running, lagSeconds }: MetricsSources,
): void {
  const gauges: [name: string, help: string, read: () => number | Promise<number>][] = [
    ["cms_event_loop_lag_seconds", "Longest event loop delay since the last scrape.", lagSeconds],
    ["cms_memory_resident_bytes", "Resident memory of the process.", () => Deno.memoryUsage().rss],
    ["cms_memory_heap_bytes", "Used JavaScript heap.", () => Deno.memoryUsage().heapUsed],
    ["cms_jobs_running", "Jobs running in this process.", running],
    [
      "cms_jobs_failed",
      `Failed jobs that were neither retried nor cancelled, up to ${FAILED_COUNTED_MAX}.`,
      async () => (await failures(store, FAILED_COUNTED_MAX)).count,
    ],
  ];
  for (const [name, help, read] of gauges) {
    const collect = async function (this: Gauge) {
      this.set(await read());
    };
    new Gauge({ name, help, registers: [registry], collect });
  }
}

/** Lets gauges that are collected at the same moment share one look. */
function sharedRead<T>(read: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | null = null;
  return () => {
    underWay ??= read().finally(() => underWay = null);
    return underWay;
  };
}

function dueGauges(
  { Gauge }: Library,
  registry: Registry,
  read: () => ReturnType<typeof dueByLane>,
): void {
  const registers = [registry];
  const lanes = sharedRead(read);
  new Gauge({
    name: "cms_jobs_due_oldest_seconds",
    help: "Waiting time of the oldest due job, by lane.",
    labelNames: ["lane"] as const,
    registers,
    collect: async function () {
      for (const { lane, oldestMs } of await lanes()) this.set({ lane }, oldestMs / 1000);
    },
  });
  new Gauge({
    name: "cms_jobs_due_by_type",
    help: 'Due jobs by type; jobs that run under a name count as "named".',
    labelNames: ["type"] as const,
    registers,
    collect: async function () {
      const types = (await lanes()).flatMap(({ types }) => Object.entries(types));
      this.reset();
      for (const [type, some] of types) this.inc({ type }, some);
    },
  });
  new Gauge({
    name: "cms_jobs_due",
    help: "Due jobs, up to 1,000 per lane.",
    labelNames: ["lane"] as const,
    registers,
    collect: async function () {
      for (const { lane, count } of await lanes()) this.set({ lane }, count);
    },
  });
}

function jobGauges(
  { Gauge }: Library,
  registry: Registry,
  read: () => Promise<JobGroup[]>,
  now: () => number,
): void {
  const registers = [registry];
  const labelNames = ["type", "state"] as const;
  const groups = sharedRead(read);
  new Gauge({
    name: "cms_jobs",
    help: "Unfinished jobs by type and state, up to 1,000 per lane, plus up to 1,000 failed jobs.",
    labelNames,
    registers,
    collect: async function () {
      const found = await groups();
      this.reset();
      for (const { type, state, count } of found) this.set({ type, state }, count);
    },
  });
  new Gauge({
    name: "cms_jobs_oldest_seconds",
    help: "Age of the oldest unfinished job.",
    labelNames,
    registers,
    collect: async function () {
      const found = await groups();
      this.reset();
      for (const { type, state, since } of found) {
        this.set({ type, state }, Math.max(0, now() - since) / 1000);
      }
    },
  });
}

/** The store keeps the count; the counter is set to it. */
function operationCounter({ Counter }: Library, registry: Registry, { counts }: Store): void {
  new Counter({
    name: "cms_kv_operations_total",
    help: "Store operations sent by this process.",
    labelNames: ["kind"] as const,
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, count] of Object.entries(counts)) this.inc({ kind }, count);
    },
  });
}

/**
 * Responds with the metrics to clients with the token; without a token in the configuration, the
 * route does not exist.
 */
export function metricsRoute(metrics: Metrics | null, token: string): Hono {
  const expected = sha256(token);
  const app = new Hono().get("/", async (c) => {
    if (metrics === null || token === "") throw new Refusal("NOT_FOUND");
    const given = sha256(bearerText(c) ?? "");
    if (!timingSafeEqual(new TextEncoder().encode(given), new TextEncoder().encode(expected))) {
      throw new Refusal("UNAUTHENTICATED");
    }
    const headers = {
      "content-type": "text/plain; version=0.0.4; charset=utf-8",
      "cache-control": "no-store",
    };
    return c.body(await metrics.text(), 200, headers);
  });
  return closeMethods(app);
}
