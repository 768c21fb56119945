/**
 * `GET /readyz`: whether this process should receive requests, with the reasons if not. Unlike
 * `/healthz`, it also checks the dependencies of the process, and writes.
 *
 * @module
 */
import { StoreFull } from "../../kv/unavailable.ts";
import { Hono } from "@hono/hono";
import { cronTickKey, schemaKey } from "../../kv/keys.ts";
import { WriteProbe } from "../../kv/store/commits/write_probe.ts";
import { CRON_SILENCE_MS } from "../../kv/jobs/job_list.ts";
import { dueByLane } from "../../kv/jobs/due_summary.ts";
import type { Deps } from "../deps/deps.ts";
import { DUE_AGE_MS_MAX, POLL_AGE_MS_MAX } from "../input/limits.ts";
import { closeMethods } from "../middleware/methods.ts";

/** Time limit of each check, milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;
/** No object has this name: asking for it is the cheapest question. */
const PROBED_OBJECT = "documents/readyz/data.json";

/** The state of the process. */
export interface ProcessFacts {
  /** Whether it is shutting down. */
  stopping: () => boolean;
  /** Milliseconds since its runner last looked for jobs; null while it has none. */
  pollAgeMs: () => number | null;
  /** When it was started, epoch milliseconds. */
  startedAt: number;
}

/** 200 with `{status: "ready"}`, or 503 with the reasons. */
export function readyRoute({ content: { context } }: Deps, process?: ProcessFacts): Hono {
  const probe = new WriteProbe(context);
  const reasons = async (): Promise<string[]> => {
    if (process?.stopping()) return ["stopping"];
    const checks: Record<string, () => Promise<string | null>> = {
      store: () => Promise.all([context.store.get(schemaKey), probe.check()]).then(() => null),
      objects: () => context.objects.head(PROBED_OBJECT).then(() => null),
      runner: () => Promise.resolve(pollReason(process?.pollAgeMs() ?? null)),
      crons: async () => {
        const { value } = await context.store.get<number>(cronTickKey);
        const silentMs = context.now() - Math.max(value ?? 0, process?.startedAt ?? 0);
        return process !== undefined && silentMs > CRON_SILENCE_MS
          ? `not run for ${seconds(silentMs)}`
          : null;
      },
      jobs: async () => {
        const lanes = await dueByLane(context.store, context.now());
        // Jobs that wait for external receivers do not make this service unready.
        const own = lanes.filter(({ lane }) => lane !== "outbound");
        const oldestMs = Math.max(0, ...own.map(({ oldestMs }) => oldestMs));
        return oldestMs > DUE_AGE_MS_MAX ? `the oldest is due for ${seconds(oldestMs)}` : null;
      },
    };
    const found = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        const reason = await inTime(check()).catch((error) => {
          context.log.warn("not ready", { check: name, error: `${error}` });
          return error instanceof StoreFull ? "the disk is full" : "does not answer";
        });
        return reason === null ? null : `${name}: ${reason}`;
      }),
    );
    return found.filter((reason) => reason !== null);
  };
  const app = new Hono().get("/", async (c) => {
    const found = await reasons();
    const headers = { "cache-control": "no-store" };
    if (found.length === 0) return c.json({ status: "ready" }, 200, headers);
    return c.json({ status: "unavailable", reasons: found }, 503, headers);
  });
  return closeMethods(app);
}

function pollReason(ageMs: number | null): string | null {
  return ageMs !== null && ageMs > POLL_AGE_MS_MAX ? `has not looked for ${seconds(ageMs)}` : null;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

async function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`No answer in ${CHECK_TIMEOUT_MS} ms`)),
    CHECK_TIMEOUT_MS,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
