/**
 * Jobs for display: a page of their history at a time, newest first, at a cost that
 * does not grow with it.
 *
 * @module
 */
import { decodeTime } from "@std/ulid";
import type { Context } from "../context.ts";
import { askedJobs, NAMED_HEAD } from "./jobs.ts";
import { cronTickKey } from "../keys.ts";
import { DUE_REQUEST, readDueKey } from "./due.ts";
import { duePrefix, jobFailedKey, jobFailedPrefix, jobKey } from "./job_keys.ts";
import { isFinished, type JobRecord, type JobState } from "./job.ts";
import type { JobType } from "./job_contracts.ts";
import { Schedule } from "./payloads.ts";
import type { Entry } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { UNFINISHED_READ_MAX } from "../tuning.ts";

/** Records read for one piece; a rare type may need a second look. */
const JOBS_PER_SCAN = 500;
/** Behind the ids of all named jobs. */
const NAMED_END = `${NAMED_HEAD}~`;
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

/** The question for a page of jobs. */
type JobPageQuery = Omit<JobSearch, "before" | "limit"> & { page: number; perPage: number };

/** A page of jobs, and how many there are. */
interface JobPage {
  jobs: JobRecord[];
  total: number;
}

/**
 * A page of jobs, newest first, and how many there are. Jobs of a state that has keys of its own are read by
 * those; for others, and if many jobs are unfinished, all jobs are read.
 */
export async function listJobs(store: Store, query: JobPageQuery): Promise<JobPage> {
  const ids = await idsByState(store, query.state);
  return ids === null ? await readAll(store, query) : await readIndexed(store, query, ids);
}

async function readAll(store: Store, query: JobPageQuery): Promise<JobPage> {
  const start = (query.page - 1) * query.perPage;
  const jobs: JobRecord[] = [];
  let total = 0;
  for await (const record of newestFirst(store)) {
    if (!fits(record, query)) continue;
    if (total >= start && jobs.length < query.perPage) jobs.push(record);
    total += 1;
  }
  return { jobs, total };
}

/** The ids of jobs, without named ones, that may be in a state, newest first; null if no keys tell. */
async function idsByState(store: Store, state: JobState | undefined): Promise<string[] | null> {
  if (state === undefined || state === "done") return null;
  let ids: string[];
  if (state === "failed") {
    const keys = await store.listAll({ prefix: jobFailedPrefix });
    ids = keys.map(({ key }) => key[1] as string);
  } else {
    const due = await store.listAll({ prefix: duePrefix }, { limit: UNFINISHED_READ_MAX + 1 });
    if (due.length > UNFINISHED_READ_MAX) return null;
    ids = due.filter(({ value }) => value !== DUE_REQUEST)
      .map(({ key }) => readDueKey(key).idOrName);
  }
  // A job that moved to another lane during the read has two entries.
  return [...new Set(ids)].filter((id) => !id.startsWith(NAMED_HEAD)).sort().reverse();
}

/** A page of the jobs with these ids and of named ones, as {@linkcode newestFirst} sorts them. */
async function readIndexed(store: Store, query: JobPageQuery, ids: string[]): Promise<JobPage> {
  const named = (await namedJobs(store)).filter((record) => fits(record, query));
  // Each failed job has such a key, so only those of the page are read.
  const isExact = query.state === "failed" && query.type === undefined;
  const records = isExact ? new Map<string, JobRecord>() : await fitting(store, query, ids);
  const known = isExact ? ids : [...records.keys()];
  const sorted = [
    ...named.map((record) => ({ id: record.id, time: record.createdAt, record })),
    ...known.map((id) => ({ id, time: decodeTime(id), record: records.get(id) })),
  ].sort((a, b) => b.time - a.time);
  const start = (query.page - 1) * query.perPage;
  const shown = sorted.slice(start, start + query.perPage);
  const missing = shown.filter(({ record }) => record === undefined).map(({ id }) => id);
  const read = await fitting(store, query, missing);
  const jobs = shown.map(({ id, record }) => record ?? read.get(id))
    .filter((record) => record !== undefined);
  return { jobs, total: sorted.length };
}

/** Those of the jobs with these ids that the filter selects, in the order of the ids. */
async function fitting(
  store: Store,
  query: JobPageQuery,
  ids: string[],
): Promise<Map<string, JobRecord>> {
  const entries = await store.getMany(ids.map(jobKey)) as Entry<JobRecord>[];
  return new Map(
    entries.map(({ value }) => value).filter((value) => value !== null)
      .filter((record) => fits(record, query)).map((record) => [record.id, record]),
  );
}

/** All jobs before one, newest first; named ones, whose ids say nothing of it, at their time. */
async function* newestFirst(
  store: Store,
  before?: string,
  batchSize = JOBS_PER_SCAN,
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
async function namedJobs(store: Store): Promise<JobRecord[]> {
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

function fits(record: JobRecord, { type, state }: Pick<JobSearch, "type" | "state">): boolean {
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
