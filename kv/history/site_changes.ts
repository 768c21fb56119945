/**
 * The effect of restoring the site to an instant, entity by entity: which are restored, changed or removed,
 * and which stay because the version that they need was pruned.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import { versionKey } from "../keys.ts";
import type { State } from "../model/entities/entity.ts";
import { ENTITY_TYPES, type EntityType } from "../model/entities/entity_kinds.ts";
import { redact } from "../model/values/redact.ts";
import type { Entry } from "../store/operation.ts";
import { versionIn } from "../versioning/timeline/events.ts";
import {
  type EntityPosition,
  isThere,
  isUnknown,
  type Moment,
} from "./timeline/timeline_reader.ts";
import type { TimelineReaders } from "./timeline/timeline.ts";
import { findKeptState } from "../versioning/versions.ts";

/** The change of an entity. */
export const CHANGE_KINDS = ["created", "changed", "removed", "lost"] as const;
/** See {@linkcode CHANGE_KINDS}. */
export type ChangeKind = typeof CHANGE_KINDS[number];

/** An entity that is not as it was. */
export interface SiteChange {
  type: EntityType;
  id: string;
  kind: ChangeKind;
  /** Numbers of the versions now and then; 0 where it is not there, or not known. */
  now: number;
  then: number;
}

/** Which changes are wanted. */
export interface ChangeQuery {
  /** Epoch seconds. */
  now: number;
  then: number;
  type?: EntityType | undefined;
  kind?: ChangeKind | undefined;
  skip: number;
  limit: number;
}

/** A page of changes, and how many there are of each kind. */
export interface SiteChanges {
  counts: Record<EntityType, Record<ChangeKind, number>>;
  /** How many fit the query. */
  total: number;
  changes: SiteChange[];
}

/** Lists what a restore would do, by type and within it the newest entities first. */
export async function siteChanges(
  timeline: TimelineReaders,
  query: ChangeQuery,
): Promise<SiteChanges> {
  const counts = {} as SiteChanges["counts"];
  const changes: SiteChange[] = [];
  let total = 0;
  for (const type of ENTITY_TYPES) {
    const reader = await timeline.of(type);
    const fitting: (Omit<SiteChange, "id"> & { position: EntityPosition })[] = [];
    counts[type] = { created: 0, changed: 0, removed: 0, lost: 0 };
    await reader.walk([query.now, query.then], (moment) => {
      const kind = kindOf(moment);
      if (kind === null) return;
      counts[type][kind] += 1;
      if ((query.type ?? type) !== type || (query.kind ?? kind) !== kind) return;
      const [now = 0, then = 0] = moment.what.map((what) => isThere(what) ? versionIn(what) : 0);
      fitting.push({ type, kind, now, then, position: { ...moment.position } });
    });
    const start = Math.max(0, query.skip - total);
    const room = query.limit - changes.length;
    for (const { position, ...change } of fitting.reverse().slice(start, start + room)) {
      changes.push({ ...change, id: reader.idAt(position) });
    }
    total += fitting.length;
  }
  return { counts, total, changes };
}

/** The effect of a restore on an entity; null for none. */
function kindOf(moment: Moment): ChangeKind | null {
  const [now, then] = moment.what as [number, number];
  if (now === then) return null;
  if (isUnknown(then, moment)) return "lost";
  if (!isThere(then)) return isThere(now) ? "removed" : null;
  if (moment.lost[1]) return "lost";
  return isThere(now) ? "changed" : "created";
}

/** The states between which entities change, without hidden members; null if none exists. */
export async function changedStates(
  context: Context,
  changes: readonly SiteChange[],
): Promise<{ now: State | null; then: State | null }[]> {
  const keys = changes.flatMap(({ type, id, now, then }) => [
    versionKey(type, id, now),
    versionKey(type, id, then),
  ]);
  const rows = await context.store.getMany(keys) as Entry<VersionRow>[];
  const stateOf = async ({ type, id }: SiteChange, index: number): Promise<State | null> => {
    const row = rows[index]?.value ?? null;
    // A prune may have been faster than this answer.
    const state = row === null ? null : await findKeptState(context, type, id, row) ?? null;
    return state && redact(type, state);
  };
  return await Promise.all(changes.map(async (change, index) => ({
    now: await stateOf(change, 2 * index),
    then: await stateOf(change, 2 * index + 1),
  })));
}
