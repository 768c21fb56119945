/**
 * Jobs as the store keeps them. A job is added to the commit of the write that it follows, so that
 * both are written or neither; the record is the truth, the due entry only makes it found.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { jobBeatKey, jobFailedKey, jobKey, jobRequestKey, jobRequestPrefix } from "./job_keys.ts";
import { JOB_PAYLOAD_CHARS_MAX } from "../limits/store.ts";
import { isFinished, type JobRecord } from "./job.ts";
import type { Json } from "../model/entities/entity.ts";
import { DUE_REQUEST, jobDueKey, requestDueKey } from "./due.ts";
import type { JobClass } from "./job_contract.ts";
import { type JobPayloadInput, JOBS, type JobType } from "./job_contracts.ts";
import { Refusal } from "../refusals.ts";
import { sha256 } from "../model/values/sha256.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { stampCounted } from "../store/counted_rows.ts";
import { presentTrace } from "../tracing.ts";
import type { Store } from "../store/store.ts";
import { CROCKFORD, timeDigits } from "../model/values/ulid.ts";

/** A job of a type that is to be. */
interface NewJobOf<T extends JobType> {
  type: T;
  payload: JobPayloadInput<T>;
  /** How urgent it is; its type's class when left out. */
  class?: JobClass;
  /** Milliseconds; at once when left out. */
  dueAt?: number;
  /**
   * Asks for the one job of this name. Requests that come before it starts are one; those that come
   * while it runs make it run once more. The newest payload counts.
   */
  name?: string;
  /** An id of the caller's own making, from {@linkcode scheduleJobId}; a fresh one otherwise. */
  id?: string;
}

/** A job that is to be: its payload is its type's. */
export type NewJob<T extends JobType = JobType> = { [K in T]: NewJobOf<K> }[T];

/** A job whose payload was checked when it was added. */
type AnyJob = Omit<NewJob, "payload"> & { payload: unknown; trace?: string };

/** A request for a named job that has not started yet. */
export interface JobRequest {
  type: JobType;
  class: JobClass;
  payload: Json;
  createdAt: number;
  /** The span that asked for it, where that was traced. */
  trace?: string;
}

/** Adds a job to a commit, without a check; answers its id. */
export function addJob(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  job: NewJob,
): string {
  const size = JSON.stringify(job.payload).length;
  if (size > JOB_PAYLOAD_CHARS_MAX) {
    throw new RangeError(
      `A job's payload has ${size} characters, at most ${JOB_PAYLOAD_CHARS_MAX}`,
    );
  }
  const now = context.now();
  if (job.name !== undefined) return addRequest(operation, now, job, job.name);
  const id = job.id ?? context.newId(now);
  const record = newRecord(id, { ...job, ...askedBy() }, now);
  operation.set(jobKey(id), record).set(jobDueKey(record), record.type);
  stampJob(operation, record);
  return id;
}

/** The record of a job that has not started. */
export function newRecord(id: string, job: AnyJob, now: number): JobRecord {
  const dueAt = job.dueAt ?? now;
  return {
    id,
    type: job.type,
    class: job.class ?? JOBS[job.type].class,
    ...(job.name === undefined ? {} : { name: job.name }),
    payload: job.payload as Json,
    state: dueAt > now ? "waiting" : "queued",
    step: null,
    cursor: null,
    results: {},
    attempts: 0,
    error: null,
    progress: { done: 0, total: 0 },
    dueAt,
    holder: null,
    fence: { n: 0, by: "" },
    createdAt: now,
    updatedAt: now,
    ...(job.trace !== undefined && { trace: job.trace }),
  };
}

/** The span that is active, for the job's own to be linked with. */
function askedBy(): { trace?: string } {
  const present = presentTrace();
  return present === undefined ? {} : { trace: present };
}

function addRequest(operation: Operation, now: number, job: NewJob, name: string): string {
  const urgency = job.class ?? JOBS[job.type].class;
  const request: JobRequest = {
    type: job.type,
    class: urgency,
    payload: job.payload as Json,
    createdAt: now,
    ...askedBy(),
  };
  // The newest request counts, so that writers who ask for the same job may share a commit.
  operation.set(jobRequestKey(name), request, { blind: true })
    .set(requestDueKey(name, urgency, job.dueAt), DUE_REQUEST, { blind: true });
  return namedJobId(name);
}

/** Adds the disappearance of a job of a type that waits, whose due time is known. */
export function dropJob(operation: Operation, type: JobType, id: string, dueAt: number): void {
  const due = jobDueKey({ id, class: JOBS[type].class, attempts: 0, dueAt, createdAt: 0 });
  operation.delete(jobKey(id)).delete(due).delete(jobBeatKey(id));
  stampJob(operation, { id });
}

/** Adds to a commit that the state of a job changes, or that it comes or goes: pages of jobs count by that. */
export function stampJob(operation: Operation, { id, name }: Pick<JobRecord, "id" | "name">): void {
  // There are few named ones, which are read each time.
  if (name === undefined) stampCounted(operation, "jobs", id);
}

/** The prefix of the IDs of named jobs, in the position of the time of other jobs. */
export const NAMED_HEAD = "0".repeat(10);

/** The id of the job with this name: its record is used again and again. */
export function namedJobId(name: string): string {
  return NAMED_HEAD + ulidTail(name);
}

/**
 * The id of the job that publishes a document at a time (epoch seconds), so that a writer that changes the
 * time can drop it unread.
 */
export function scheduleJobId(documentId: string, publishAt: number): string {
  return documentId.slice(0, 10) + ulidTail(`${documentId} ${publishAt}`);
}

/** Sixteen digits of a ULID, derived from a text. */
function ulidTail(text: string): string {
  const bits = BigInt(`0x${sha256(text).slice(0, 20)}`);
  let tail = "";
  for (let digit = 15n; digit >= 0n; digit--) {
    tail += CROCKFORD[Number((bits >> (5n * digit)) & 31n)];
  }
  return tail;
}

/** The job with this id; null when there is none. */
export async function findJob(store: Store, id: string): Promise<JobRecord | null> {
  return (await store.get<JobRecord>(jobKey(id))).value;
}

/** The job with this id, or what is asked of it next; refuses with NOT_FOUND. */
export async function getJob(store: Store, id: string): Promise<JobRecord> {
  const record = await findJob(store, id);
  const mayBeAsked = id.startsWith(NAMED_HEAD) && (record === null || isFinished(record.state));
  const shown = mayBeAsked ? (await askedJobs(store)).get(id) ?? record : record;
  if (shown === null) throw new Refusal("NOT_FOUND");
  return shown;
}

/** Requests for named jobs that have not started yet, as future records. */
export async function askedJobs(store: Store): Promise<Map<string, JobRecord>> {
  const asked = new Map<string, JobRecord>();
  for await (const { key, value } of store.list<JobRequest>({ prefix: jobRequestPrefix })) {
    const name = key[1] as string;
    const id = namedJobId(name);
    const { createdAt, ...job } = value;
    asked.set(id, newRecord(id, { ...job, name }, createdAt));
  }
  return asked;
}

/** Lets a failed job begin again at the step that failed; refuses with CONFLICT when it has not failed. */
export async function retryJob(context: Context, id: string): Promise<JobRecord> {
  const { store } = context;
  for (;;) {
    const entry = await store.get<JobRecord>(jobKey(id));
    const record = entry.value;
    if (record === null) throw new Refusal("NOT_FOUND");
    if (record.state !== "failed") {
      throw new Refusal("CONFLICT", { about: `the job is ${record.state}` });
    }
    const next = requeued(record, context.now());
    const operation = new Operation().check(entry).set(jobKey(id), next)
      .set(jobDueKey(next), next.type).delete(jobFailedKey(id));
    stampJob(operation, next);
    if ((await store.commit(operation)).ok) return next;
  }
}

function requeued({ cancelled: _, ...record }: JobRecord, now: number): JobRecord {
  const progress = record.cursor === null ? { done: 0, total: 0 } : record.progress;
  return {
    ...record,
    state: "queued",
    attempts: 0,
    error: null,
    progress,
    fence: { n: record.fence.n + 1, by: "" },
    dueAt: record.createdAt,
    updatedAt: now,
  };
}

/** Adds the disappearance of a finished job; false when it is not finished. */
export function forgetJob(operation: Operation, entry: Entry<JobRecord>): boolean {
  const record = entry.value;
  if (record === null || !isFinished(record.state)) return false;
  // Only these can come back to life.
  if (record.name !== undefined || record.state === "failed") operation.check(entry);
  operation.delete(entry.key).delete(jobBeatKey(record.id));
  stampJob(operation, record);
  if (record.state === "failed") operation.delete(jobFailedKey(record.id));
  return true;
}

/** Adds the one job of a type for an instant (ms); false if it exists already. */
export async function addJobOnce(
  context: Pick<Context, "store" | "now" | "newId">,
  job: NewJob,
  instant: number,
): Promise<boolean> {
  const id = timeDigits(instant) + ulidTail(`${job.type} ${instant}`);
  const operation = new Operation().check({ key: jobKey(id), versionstamp: null });
  addJob(operation, context, { ...job, id });
  return (await context.store.commit(operation)).ok;
}
