/**
 * Asking for a restore of the whole site. The row that is written with the job separates before and after: what was
 * committed before it goes back to the instant, what is committed after it stays. The store's
 * versionstamps tell the two apart, whatever the clocks say.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { addJob, findJob } from "../../jobs/jobs.ts";
import { findImport } from "../../versioning/import_lock.ts";
import { siteRestoreKey } from "../../keys.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { isFinished, type JobRecord } from "../../jobs/job.ts";
import { commitAudited } from "../../versioning/audit.ts";
import { invalid, Refusal } from "../../refusals.ts";
import { type Entry, Operation } from "../../store/operation.ts";
import { allSettledOrThrow } from "../../store/concurrency.ts";
import type { Store } from "../../store/store.ts";
import { leavesAnAdministrator } from "./restore_group.ts";
import { Timeline } from "../timeline/timeline.ts";

/** The last restore of the site. */
export interface SiteRestoreRow {
  jobId: string;
  /** The instant to which the site goes back, epoch seconds. */
  timestamp: number;
  /** When it was asked for; all versions that it mints are later, so that it can be undone to here. */
  at: number;
}

/** The request for a restore. */
export interface SiteRestoreRequest {
  /** The instant, epoch seconds. */
  timestamp: number;
  /** Whether tokens that are revoked and users who are deleted stay so. */
  keepRevoked?: boolean;
}

/** Later than every versionstamp, which is hexadecimal: nothing was written since the request. */
const LATEST = "g";

/**
 * Starts a restore; answers the job.
 *
 * @throws {Refusal} VALIDATION_FAILED if no administrator could sign in afterwards; CONFLICT during another restore, or an
 * import.
 */
export async function requestSiteRestore(
  context: Context,
  actor: Actor,
  { timestamp, keepRevoked = false }: SiteRestoreRequest,
): Promise<string> {
  const at = seconds(context);
  if (timestamp > at) throw invalid("timestamp", "TOO_LARGE", "Must not be in the future");
  const { userId } = actor;
  const timeline = new Timeline(context.store);
  const run = { context, timeline, timestamp, requestStamp: LATEST, keepRevoked, userId };
  const [first, slot, importing, isReachable] = await allSettledOrThrow([
    firstInstant(context.store),
    context.store.get<SiteRestoreRow>(siteRestoreKey),
    findImport(context),
    leavesAnAdministrator(run),
  ]);
  if (first !== null && timestamp < first) {
    throw invalid("timestamp", "TOO_SMALL", "Must not be before the site was created");
  }
  if (await isUnderWay(context.store, slot)) throw underWay();
  if (importing !== null) {
    throw new Refusal("CONFLICT", { about: "a backup is being imported" });
  }
  if (!isReachable) {
    const message = "No administrator could sign in with the settings and users of then";
    throw invalid("timestamp", "INVALID_CHOICE", message);
  }
  const operation = new Operation().check(slot);
  const payload = { timestamp, at, userId, ...(keepRevoked && { keepRevoked }) };
  const jobId = addJob(operation, context, { type: "RESTORE", payload });
  operation.set(siteRestoreKey, { jobId, timestamp, at } satisfies SiteRestoreRow);
  if (!(await commitAudited(context.store, operation, actor.audit)).ok) throw underWay();
  return jobId;
}

/** Epoch seconds of the site's first version: it begins with its permissions. Pruning takes none from the timeline. */
async function firstInstant(store: Store): Promise<number | null> {
  let first: number | null = null;
  const permissions = await new Timeline(store).of("permission");
  permissions.eachTime((at) => first = Math.min(first ?? at, at));
  return first;
}

/** The last restore of the site with its job, which may be forgotten by now; null when there was none. */
export async function lastSiteRestore(
  store: Store,
): Promise<{ row: SiteRestoreRow; job: JobRecord | null } | null> {
  const { value: row } = await store.get<SiteRestoreRow>(siteRestoreKey);
  return row === null ? null : { row, job: await findJob(store, row.jobId) };
}

/** Whether a restore of the site is not finished yet. */
export async function isUnderWay(store: Store, slot: Entry<SiteRestoreRow>): Promise<boolean> {
  if (slot.value === null) return false;
  const job = await findJob(store, slot.value.jobId);
  return job !== null && !isFinished(job.state);
}

function underWay(): Refusal {
  return new Refusal("CONFLICT", { about: "a restore of the site is in progress" });
}
