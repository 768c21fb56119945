/**
 * Claiming due entries: which job may be claimed now, which must wait, and which entries are stale and
 * deleted.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { DUE_REQUEST, jobDueKey, readDueKey } from "../../kv/jobs/due.ts";
import { type JobRequest, namedJobId, newRecord } from "../../kv/jobs/jobs.ts";
import { stageRun } from "../../kv/jobs/job_runs.ts";
import { jobBeatKey, jobKey, jobRequestKey } from "../../kv/jobs/job_keys.ts";
import { isFinished, type JobRecord } from "../../kv/jobs/job.ts";
import { type Entry, keyText, Operation, type StoredEntry } from "../../kv/store/operation.ts";
import type { JobKind } from "./job_kind.ts";
import { commitFenced } from "./fenced_commit.ts";
import type { LeaseWatch } from "./lease.ts";
import { claimed, putRecord } from "./transition.ts";

/** The dependencies of claiming jobs. */
export interface JobClaimer {
  context: Context;
  runnerId: string;
  kinds: ReadonlyMap<string, JobKind>;
  watch: LeaseWatch;
}

/** The result of claiming a due entry. */
export type Due =
  | { kind: "claimed"; entry: StoredEntry<JobRecord> }
  /** Worth another poll after so many milliseconds. */
  | { kind: "later"; ms: number }
  | { kind: "nothing" };

const NOTHING: Due = { kind: "nothing" };

/** Claims the job of a due entry if its lease is free. */
export async function claimDue(claimer: JobClaimer, due: Entry): Promise<Due> {
  return due.value === DUE_REQUEST
    ? await claimRequest(claimer, due)
    : await claimJob(claimer, due);
}

async function claimJob(claimer: JobClaimer, due: Entry): Promise<Due> {
  const { context, kinds, watch } = claimer;
  const id = readDueKey(due.key).idOrName;
  const record = await context.store.get<JobRecord>(jobKey(id));
  const job = record.value;
  if (job === null || isFinished(job.state) || keyText(jobDueKey(job)) !== keyText(due.key)) {
    // The record is written together with its due entry: as long as it stays the same, the entry is stale.
    return await clear(context, new Operation().check(record).delete(due.key));
  }
  const kind = kinds.get(job.type);
  if (kind === undefined) return NOTHING;
  const leased = job.holder !== null;
  // This process holds the lease but does not run the job: it gave up after it stood still.
  const isOwn = job.holder === claimer.runnerId;
  const operation = new Operation().check(record);
  if (leased) {
    const beat = await context.store.get(jobBeatKey(id));
    const ms = isOwn ? 0 : watch.leftMs(id, record, beat);
    if (ms > 0) return { kind: "later", ms };
    context.log.warn("lease taken over", { jobId: id, type: job.type, holder: job.holder });
    // A heartbeat at this moment keeps the lease.
    if (!isOwn) operation.check(beat);
  }
  watch.forget(id);
  const after = claimed(job, kind, leaseHolderOf(claimer), leased);
  putRecord(operation, job, after);
  return await commitClaim(context, operation, record, after);
}

async function claimRequest(claimer: JobClaimer, due: Entry): Promise<Due> {
  const { context, kinds } = claimer;
  const name = readDueKey(due.key).idOrName;
  const id = namedJobId(name);
  const [request, record] = await context.store.getMany([jobRequestKey(name), jobKey(id)]) as [
    Entry<JobRequest>,
    Entry<JobRecord>,
  ];
  if (request.value === null) {
    return await clear(context, new Operation().check(request).delete(due.key));
  }
  const kind = kinds.get(request.value.type);
  // The one that runs has a due entry of its own; its end is followed by another look.
  if (kind === undefined || (record.value !== null && !isFinished(record.value.state))) {
    return NOTHING;
  }
  const now = context.now();
  const ms = gapLeftMs(kind, record.value, now);
  if (ms > 0) return { kind: "later", ms };
  const { createdAt: _, ...job } = request.value;
  const fresh = newRecord(id, { ...job, name }, now);
  fresh.fence = record.value?.fence ?? fresh.fence;
  fresh.run = (record.value?.run ?? 0) + 1;
  const after = claimed(fresh, kind, leaseHolderOf(claimer), false);
  const operation = new Operation().check(request).check(record)
    .delete(request.key).delete(due.key);
  if (record.value !== null) stageRun(operation, record.value);
  putRecord(operation, null, after);
  return await commitClaim(context, operation, record, after);
}

/** How long a named job must still wait after its last run, milliseconds. */
function gapLeftMs(kind: JobKind, last: JobRecord | null, now: number): number {
  if (kind.gapMs === undefined || last === null || last.createdAt > now) return 0;
  return Math.max(0, last.createdAt + kind.gapMs - now);
}

async function commitClaim(
  context: Context,
  operation: Operation,
  before: Entry<JobRecord>,
  after: JobRecord,
): Promise<Due> {
  const commit = await commitFenced(context, operation, before, after);
  if (commit.kind !== "committed") return NOTHING;
  return after.state === "running" ? { kind: "claimed", entry: commit.entry } : NOTHING;
}

/** A failure is harmless: the entry is read again. */
async function clear(context: Context, operation: Operation): Promise<Due> {
  await context.store.commit(operation);
  return NOTHING;
}

function leaseHolderOf({ context, runnerId }: JobClaimer) {
  return { runnerId, now: context.now() };
}
