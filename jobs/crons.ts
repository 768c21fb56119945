/**
 * Every cron on one page; times are UTC. Each process registers all of them, so what they add is added
 * once for each occasion, whichever process is first.
 *
 * @module
 */
import type { Context } from "../kv/context.ts";
import type { Content } from "../kv/documents/content.ts";
import { requestCompaction } from "../kv/index/segments/compaction_request.ts";
import { requestTidying } from "../kv/jobs/tidy_requests.ts";
import { addJobOnce } from "../kv/jobs/jobs.ts";
import type { Collection } from "../kv/model/entities/collection.ts";
import { cronTickKey } from "../kv/keys.ts";
import { Operation } from "../kv/store/operation.ts";
import { requestSearchCompaction } from "../kv/search/delta/search_requests.ts";
import { requestTimelineCompaction } from "./kinds/compact_timeline.ts";
import { needsTimelineCompaction } from "../kv/history/timeline/compaction.ts";
import { requestFanOut } from "../kv/jobs/fan_out_request.ts";
import { callScheduled } from "./plugins/call_scheduled.ts";
import type { PurgeCollector } from "./publishing/purge_collector.ts";
import type { Runner } from "./runner/runner.ts";

/** A cron as `Deno.cron` takes it. */
export interface Cron {
  name: string;
  schedule: string;
  run: () => Promise<void>;
}

type DailyType = "SWEEP_MEDIA" | "EXPORT" | "PRUNE" | "COMPARE_SITE";

/** Jobs of every day, with their hours. */
const DAILY: readonly { type: DailyType; hour: number }[] = [
  { type: "SWEEP_MEDIA", hour: 2 },
  { type: "EXPORT", hour: 3 },
  { type: "PRUNE", hour: 4 },
  { type: "COMPARE_SITE", hour: 5 },
];

/** Collections whose compaction is asked for in one commit; each takes two of its mutations. */
const COMPACTIONS_PER_COMMIT = 200;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How far behind the last tick one looks for daily jobs that were missed, milliseconds. */
const OVERLAP_MS = HOUR_MS;

/** The crons, to be registered at the top level of the entry point. */
export function crons(
  content: Content,
  runner: Pick<Runner, "sweep">,
  purges: Pick<PurgeCollector, "flush">,
): Cron[] {
  const everyMinuteOfAll = async () => {
    await everyMinute(content);
    await purges.flush();
    await runner.sweep();
  };
  return [
    { name: "due jobs", schedule: "* * * * *", run: everyMinuteOfAll },
    { name: "tidy up", schedule: "30 * * * *", run: () => everyHour(content) },
    ...DAILY.map(({ type, hour }) => ({
      name: type,
      schedule: `0 ${hour} * * *`,
      run: () => addDaily(content, type, hour),
    })),
  ];
}

async function everyMinute(content: Content): Promise<void> {
  const { context, schema, index, webhooks } = content;
  const { value: lastTick } = await context.store.get<number>(cronTickKey);
  for (const { type, hour } of DAILY) {
    if (isMissed(context.now(), hour, lastTick)) await addDaily(content, type, hour);
  }
  const { collections } = await schema.current();
  await requestCompactions(context, collections.filter((one) => index.needsCompaction(one)));
  const operation = new Operation().set(cronTickKey, context.now());
  if (await needsTimelineCompaction(context)) requestTimelineCompaction(operation, context);
  if (await webhooks?.isAnyEnabled(await schema.current())) requestFanOut(operation, context);
  await context.store.commit(operation);
  await callScheduled(context);
}

/** Compactions look for themselves whether there is something to do. */
async function everyHour({ context, schema }: Content): Promise<void> {
  const { collections } = await schema.current();
  const operation = new Operation();
  requestTidying(operation, context);
  requestSearchCompaction(operation, context);
  await context.store.commit(operation);
  await requestCompactions(context, collections);
}

async function requestCompactions(context: Context, collections: Collection[]): Promise<void> {
  for (let start = 0; start < collections.length; start += COMPACTIONS_PER_COMMIT) {
    const operation = new Operation();
    for (const collection of collections.slice(start, start + COMPACTIONS_PER_COMMIT)) {
      requestCompaction(operation, context, collection);
    }
    await context.store.commit(operation);
  }
}

async function addDaily({ context }: Content, type: DailyType, hour: number): Promise<void> {
  const now = context.now();
  await addJobOnce(context, { type, payload: {} }, now - sinceHour(now, hour));
}

/**
 * Whether a daily job may have been missed: its hour came when no process was there. A site that has just
 * begun has missed nothing.
 */
function isMissed(now: number, hour: number, lastTick: number | null): boolean {
  const tickedFor = lastTick === null ? 0 : Math.max(0, now - lastTick);
  return sinceHour(now, hour) < tickedFor + OVERLAP_MS;
}

/** Milliseconds since it was last `hour` o'clock. */
function sinceHour(now: number, hour: number): number {
  return (((now - hour * HOUR_MS) % DAY_MS) + DAY_MS) % DAY_MS;
}
