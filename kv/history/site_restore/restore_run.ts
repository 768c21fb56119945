/**
 * Shared data of the parts of a site-wide restore: the instant, the request, and the outcome of each entity.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import type { Context } from "../../context.ts";
import type { CurrentRow, VersionRow } from "../../versioning/entities.ts";
import { versionKey } from "../../keys.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { Actor } from "../../model/entities/entity.ts";
import type { EntityType } from "../../model/entities/entity_kinds.ts";
import type { Entry } from "../../store/operation.ts";
import { UNRESTORED_NAMED_MAX } from "../../tuning.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** A restore that is under way. */
export interface RestoreRun {
  content: Content;
  /** Surroundings whose clock is never before the second after the request. */
  context: Context;
  timeline: Timeline;
  jobId: string;
  /** The user who requested it, who must not be locked out. */
  userId: string | null;
  /** The instant to which the site goes back. */
  timestamp: number;
  /** Whether what was taken away since stays so: tokens and users. */
  keepRevoked: boolean;
  /** Versionstamp of the request. */
  requestStamp: string;
  /** The entries that every document's commit checks, read once per portion for the first attempts. */
  known: Entry[];
  /** Removed collections that were looked up. */
  lost: Map<string, Collection>;
}

/** The part of a restore that plans depend on. */
export type PlannedRun = Pick<
  RestoreRun,
  "context" | "timeline" | "timestamp" | "requestStamp" | "keepRevoked" | "userId"
>;

/** Why an entity was left as it stands. */
export type Reason = "taken" | "pruned" | "needed" | "revoked";

/** The counts of a step, kept in the job's cursor. */
export type RestoreCounts = {
  /** New versions equal to the state at the instant. */
  minted: number;
  /** Tombstones of what was created since. */
  removed: number;
  /** Written since the request, and so left alone. */
  kept: number;
  /** Left as they stand: a name is taken by what was kept, their version was pruned, or they are needed. */
  left: number;
  named: { type: EntityType; id: string; reason: Reason }[];
  /**
   * Credentials that give access again: tokens that were revoked, had expired, or had another secret, and
   * users who were deleted.
   */
  validAgain?: { id: string; name: string }[];
};

/** Counts of nothing. */
export function noCounts(): RestoreCounts {
  return { minted: 0, removed: 0, kept: 0, left: 0, named: [] };
}

/** Counts an entity that cannot be restored. */
export function countSkipped(
  counts: RestoreCounts,
  type: EntityType,
  id: string,
  reason: Reason,
): void {
  counts.left += 1;
  if (counts.named.length < UNRESTORED_NAMED_MAX) counts.named.push({ type, id, reason });
}

/** The actor of the versions of a restore. */
export function restorer({ userId, jobId }: RestoreRun): Actor & { via: string } {
  return { userId, via: `RESTORE ${jobId}` };
}

/** The change summary of the versions of a restore. */
export function restoreSummary({ timestamp }: RestoreRun): string {
  return `the site as of ${new Date(timestamp * 1000).toISOString()}`;
}

/** Whether an entity was written since the request, by this restore or by another writer. */
export function isChangedSince(
  { requestStamp }: Pick<RestoreRun, "requestStamp">,
  { versionstamp }: Pick<Entry, "versionstamp">,
): boolean {
  return versionstamp !== null && versionstamp > requestStamp;
}

/** Counts an entity that was written since the request: a restore that runs on after a crash finds its own. */
export async function countChanged(
  run: RestoreRun,
  counts: RestoreCounts,
  type: EntityType,
  { key, value }: Entry<CurrentRow>,
): Promise<void> {
  const row = value!;
  const id = key.at(-1) as string;
  const version = await run.context.store.get<VersionRow>(versionKey(type, id, row.n));
  const isOwn = version.value?.summary?.startsWith(restorer(run).via) ?? false;
  if (!isOwn) counts.kept += 1;
  else if (row.gone) counts.removed += 1;
  else counts.minted += 1;
}
