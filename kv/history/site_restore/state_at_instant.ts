/**
 * The state of an entity at an instant, from its versions.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import type { CurrentRow, Head, VersionRow } from "../../versioning/entities.ts";
import { versionKey, versionNoteKey } from "../../keys.ts";
import type { EntityType, StateOf } from "../../model/entities/entity_kinds.ts";
import { versionIn } from "../../versioning/timeline/events.ts";
import { isThere, isUnknown } from "../timeline/timeline_reader.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { Gap } from "../../versioning/version_notes.ts";
import { findKeptState, keptBefore } from "../../versioning/versions.ts";

/** The past state of an entity: present, absent, or present in a pruned version. */
export type PastState<T extends EntityType = EntityType> =
  | { kind: "there"; n: number; state: StateOf<T> }
  | { kind: "absent" }
  | { kind: "pruned" };

const ABSENT = { kind: "absent" } as const;
const PRUNED = { kind: "pruned" } as const;

/** The state of an entity at an instant, epoch seconds. */
export async function stateAtInstant<T extends EntityType>(
  context: Context,
  timeline: Timeline,
  { type, id, head }: { type: T; id: string; head: Head<T> },
  at: number,
): Promise<PastState<T>> {
  const { row, state } = head;
  if (row === null) return ABSENT;
  if (row.at <= at) return state === null ? ABSENT : { kind: "there", n: row.n, state };
  const { found, next } = await newestVersionAt(context, type, id, row, at);
  if ((found?.n ?? 0) + 1 === next) return await stateThen(context, type, id, found);
  if (found !== null) {
    const note = await context.store.get<Gap>(versionNoteKey(type, id, found.n + 1));
    if (note.value !== null && at < note.value.at) return await stateThen(context, type, id, found);
    // A deletion never belongs to an editing session.
    if (note.value?.sitting) return PRUNED;
  }
  // The versions do not tell any more whether it was there, the timeline does.
  const moment = (await timeline.of(type)).find(id, at);
  if (moment === null) return ABSENT;
  const what = moment.what[0]!;
  if (found !== null && versionIn(what) === found.n) {
    return await stateThen(context, type, id, found);
  }
  return isThere(what) || isUnknown(what, moment) ? PRUNED : ABSENT;
}

/** The state of an entity in a kept version; null before its first. */
async function stateThen<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: VersionRow | null,
): Promise<PastState<T>> {
  if (row === null) return ABSENT;
  const state = await findKeptState(context, type, id, row);
  if (state === undefined) return PRUNED;
  return state === null ? ABSENT : { kind: "there", n: row.n, state };
}

/**
 * The newest version that is kept and not later than an instant, and the number of the one that is kept behind
 * it: between the two lies what was pruned. Numbers grow with time, so a few reads find it among many.
 */
async function newestVersionAt(
  context: Context,
  type: EntityType,
  id: string,
  { n: newest }: CurrentRow,
  at: number,
): Promise<{ found: VersionRow | null; next: number }> {
  let found: VersionRow | null = null;
  let above = newest;
  let below = 0;
  // Recent instants are asked for most, so the search goes back in growing steps first.
  for (let step = 1; above - below > 1; step *= 2) {
    const n = below === 0 ? Math.max(1, above - step) : (above + below) >>> 1;
    // Single keys are read together with those of others; only where one is gone we look around.
    const { value } = await context.store.get<VersionRow>(versionKey(type, id, n));
    const row = value ?? await keptBefore(context, type, id, n, { above: below });
    if (row !== null && row.at > at) above = row.n;
    else {
      below = n;
      found = row ?? found;
    }
  }
  return { found, next: above };
}
