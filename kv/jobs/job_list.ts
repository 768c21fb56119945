/**
 * Jobs for display: a piece of their history at a time, newest first. Pages with totals are in `job_pages.ts`.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import type { Context } from "../context.ts";
import { askedJobs, NAMED_HEAD } from "./jobs.ts";
import { cronTickKey } from "../keys.ts";
import { jobFailedKey, jobFailedPrefix, jobKey } from "./job_keys.ts";
import { isFinished, type JobRecord, type JobState } from "./job.ts";
import type { JobType } from "./job_contracts.ts";
import { Schedule } from "./payloads.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Records read for one piece; a rare type may need a second look. */
const JOBS_PER_SCAN = 500;
/** Behind the ids of all named jobs. */
export const NAMED_END = `${NAMED_HEAD}~`;
/** The cron runs every minute; after so many milliseconds without it something is wrong. */
export const CRON_SILENCE_MS = 180_000;

/** The filter. */
export interface JobSearch {
  type?: JobType | undefined;
  state?: JobState | undefined;
  /** Only jobs older than the one with this id. */
  before?: string | undefined;
  limit: number;
}

/** A piece of the history. */
export interface JobPiece {
  jobs: JobRecord[];
  /** From where older ones are looked for; null at the end. */
  next: string | null;
}

/** The newest jobs that fit. */
export async function newestJobs(store: Store, search: JobSearch): Promise<JobPiece> {
  return search.state === "failed" ? await failedJobs(store, search) : await walk(store, search);
}

async function walk(store: Store, search: JobSearch): Promise<JobPiece> {
  const { before, limit } = search;
  const jobs: JobRecord[] = [];
  let shown = 0, examined = 0;
  let last: string | null = null;
  const batchSize = isWide(search) ? 4 * limit : JOBS_PER_SCAN;
  for await (const record of newestFirst(store, before, batchSize)) {
    const isNamed = record.id.startsWith(NAMED_HEAD);
    if (!isNamed && (shown === limit || examined === JOBS_PER_SCAN)) return { jobs, next: last };
    if (fits(record, search)) {
      jobs.push(record);
      if (!isNamed) shown += 1;
    }
    if (isNamed) continue;
    examined += 1;
    last = record.id;
  }
  return { jobs, next: null };
}

function isWide({ type, state }: JobSearch): boolean {
  return type === undefined && state === undefined;
}

/** All jobs before one, newest first; named ones, whose ids say nothing of it, at their time. */
async function* newestFirst(
  store: Store,
  before: string | undefined,
  batchSize: number,
): AsyncGenerator<JobRecord> {
  const to = before === undefined ? Infinity : decodeTime(before);
  const named = (await namedJobs(store)).filter(({ createdAt }) => createdAt < to)
    .sort((a, b) => a.createdAt - b.createdAt);
  const range = { start: jobKey(NAMED_END), end: jobKey(before ?? "~") };
  for await (const { value } of store.list<JobRecord>(range, { reverse: true, batchSize })) {
    const time = decodeTime(value.id);
    for (
      let next = named.at(-1);
      next !== undefined && next.createdAt >= time;
      next = named.at(-1)
    ) {
      yield next;
      named.pop();
    }
    yield value;
  }
  yield* named.reverse();
}

/** Every named job, or what is asked of it next; there are few. */
export async function namedJobs(store: Store): Promise<JobRecord[]> {
  const asked = await askedJobs(store);
  const named: JobRecord[] = [];
  const range = { start: jobKey(NAMED_HEAD), end: jobKey(NAMED_END) };
  for await (const { value } of store.list<JobRecord>(range)) {
    const record = value;
    named.push(isFinished(record.state) ? asked.get(record.id) ?? record : record);
    asked.delete(record.id);
  }
  return [...named, ...asked.values()];
}

/** By the keys of failed jobs; one that is being retried is left out. */
async function failedJobs(store: Store, search: JobSearch): Promise<JobPiece> {
  const { before, limit } = search;
  const range = { prefix: jobFailedPrefix, end: jobFailedKey(before ?? "~") };
  const keys = await store.listAll(range, { reverse: true, limit: JOBS_PER_SCAN });
  const jobs: JobRecord[] = [];
  let next: string | null = null;
  for (let start = 0; start < keys.length && next === null; start += limit) {
    const ids = keys.slice(start, start + limit).map(({ key }) => key[1] as string);
    const records = await store.getMany(ids.map(jobKey)) as Entry<JobRecord>[];
    for (const { value } of records) {
      if (value === null || !fits(value, search)) continue;
      if (jobs.length === limit) next = jobs.at(-1)?.id ?? null;
      else jobs.push(value);
    }
  }
  if (next === null && keys.length === JOBS_PER_SCAN) next = keys.at(-1)?.key[1] as string;
  return { jobs, next };
}

/** Whether a job has a type and a state. */
export function fits(
  record: JobRecord,
  { type, state }: Pick<JobSearch, "type" | "state">,
): boolean {
  return (type === undefined || record.type === type) &&
    (state === undefined || record.state === state);
}

/** Failed jobs of documents that were to be published or unpublished, among the newest `max` failed ones. */
export async function failedSchedules(
  store: Store,
  max: number,
): Promise<{ job: JobRecord; schedule: Schedule }[]> {
  const keys = await store.listAll({ prefix: jobFailedPrefix }, { reverse: true, limit: max });
  const records = await store.getMany(keys.map(({ key }) => jobKey(key[1] as string)));
  return (records as Entry<JobRecord>[]).flatMap(({ value: job }) => {
    const isFailed = job?.type === "SCHEDULE" && job.state === "failed" && !job.cancelled;
    return isFailed ? [{ job, schedule: Schedule.parse(job.payload) }] : [];
  });
}

/** How many jobs have failed and were not cancelled, up to `max`, and the newest of them. */
export async function failures(
  store: Store,
  max: number,
): Promise<{ count: number; newest: JobRecord | null }> {
  const { jobs } = await failedJobs(store, { state: "failed", limit: max });
  const failed = jobs.filter(({ cancelled }) => cancelled !== true);
  const newest = failed.toSorted((a, b) => b.updatedAt - a.updatedAt)[0] ?? null;
  return { count: failed.length, newest };
}

/**
 * Milliseconds since the minute's cron last ran, when that is too long; null when all is well. `since` is
 * when the site began (milliseconds), for a cron that has never run.
 */
export async function cronSilence(context: Context, since: number): Promise<number | null> {
  const { value } = await context.store.get<number>(cronTickKey);
  const silent = context.now() - (value ?? since);
  return silent > CRON_SILENCE_MS ? silent : null;
}
