/**
 * What the parts of a site-wide restore share: the instant, the cut, and what became of each entity.
 *
 * @module
 */
import type { Content } from "../../documents/content.ts";
import type { Context } from "../../context.ts";
import type { LiveRow, VersionRow } from "../../entities.ts";
import { versionKey } from "../../keys.ts";
import type { Collection } from "../../model/collection.ts";
import type { Actor, EntityType } from "../../model/entity.ts";
import type { Entry } from "../../store/operation.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** Entities of a step that are named because they could not be restored. */
const NAMED_MAX = 50;

/** A restore that is under way. */
export interface Site {
  content: Content;
  /** Surroundings whose clock is never before the second after the request. */
  context: Context;
  timeline: Timeline;
  jobId: string;
  /** Who asked for it; must not be locked out. */
  userId: string | null;
  /** The instant to which the site goes back. */
  timestamp: number;
  /** Versionstamp of the request. */
  cut: string;
  /** Removed collections that were looked up. */
  lost: Map<string, Collection>;
}

/** Why an entity was left as it stands. */
export type Reason = "taken" | "pruned" | "needed";

/** What became of the entities of a step; it travels in the job's cursor. */
export type Tally = {
  /** New versions equal to the state at the instant. */
  minted: number;
  /** Tombstones of what was created since. */
  removed: number;
  /** Written after the cut, and so left alone. */
  kept: number;
  /** Left as they stand: a name is taken by what was kept, their version was pruned, or they are needed. */
  left: number;
  named: { type: EntityType; id: string; reason: Reason }[];
};

/** A tally of nothing. */
export function emptyTally(): Tally {
  return { minted: 0, removed: 0, kept: 0, left: 0, named: [] };
}

/** Counts an entity that cannot be restored. */
export function leave(tally: Tally, type: EntityType, id: string, reason: Reason): void {
  tally.left += 1;
  if (tally.named.length < NAMED_MAX) tally.named.push({ type, id, reason });
}

/** Who writes the versions of a restore. */
export function restorer({ userId, jobId }: Site): Actor {
  return { userId, via: `RESTORE ${jobId}` };
}

/** The change summary of the versions of a restore. */
export function restoreSummary({ timestamp }: Site): string {
  return `the site as of ${new Date(timestamp * 1000).toISOString()}`;
}

/** Whether an entity was written after the cut, by this restore or by somebody else. */
export function isYoung({ cut }: Site, { versionstamp }: Pick<Entry, "versionstamp">): boolean {
  return versionstamp !== null && versionstamp > cut;
}

/** Counts an entity that was written after the cut: a restore that runs on after a crash finds its own. */
export async function countYoung(
  site: Site,
  tally: Tally,
  type: EntityType,
  { key, value }: Entry<LiveRow>,
): Promise<void> {
  const row = value!;
  const id = key.at(-1) as string;
  const version = await site.context.store.get<VersionRow>(versionKey(type, id, row.n));
  const isOwn = version.value?.summary?.startsWith(restorer(site).via!) ?? false;
  if (!isOwn) tally.kept += 1;
  else if (row.gone) tally.removed += 1;
  else tally.minted += 1;
}
