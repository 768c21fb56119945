/**
 * What an entity was at an instant, from its versions.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { type Head, type LiveRow, type VersionRow, versionState } from "../../entities.ts";
import { versionKey } from "../../keys.ts";
import type { EntityType, StateOf } from "../../model/entity_kinds.ts";
import { isThere, isUnknown } from "../timeline/timeline_reader.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** What an entity was: there with a state, not there, or there in a version that was pruned. */
export type PastState<T extends EntityType = EntityType> =
  | { kind: "there"; n: number; state: StateOf<T> }
  | { kind: "absent" }
  | { kind: "pruned" };

const ABSENT = { kind: "absent" } as const;

/** What an entity was at an instant, epoch seconds. */
export async function stateAtInstant<T extends EntityType>(
  context: Context,
  timeline: Timeline,
  { type, id, head }: { type: T; id: string; head: Head<T> },
  at: number,
): Promise<PastState<T>> {
  const { row, state } = head;
  if (row === null) return ABSENT;
  if (row.at <= at) return state === null ? ABSENT : { kind: "there", n: row.n, state };
  const found = await newestVersionAt(context, type, id, row, at);
  if (found === null) return ABSENT;
  if (found !== "pruned") {
    const then = await versionState(context, type, id, found);
    return then === null ? ABSENT : { kind: "there", n: found.n, state: then };
  }
  // The versions do not tell any more whether it was there, the timeline does.
  const moment = (await timeline.of(type)).find(id, at);
  if (moment === null) return ABSENT;
  const what = moment.what[0]!;
  return isThere(what) || isUnknown(what, moment) ? { kind: "pruned" } : ABSENT;
}

/**
 * The newest version that is not later than an instant; null when all are later, "pruned" when it is not
 * kept. Numbers grow with time, so a few reads find it among many.
 */
async function newestVersionAt(
  { store }: Context,
  type: EntityType,
  id: string,
  { n: newest }: LiveRow,
  at: number,
): Promise<VersionRow | "pruned" | null> {
  let found: VersionRow | "pruned" | null = null;
  let above = newest;
  let below = 0;
  // Recent instants are asked for most, so the search goes back in growing steps first.
  for (let step = 1; above - below > 1; step *= 2) {
    const n = below === 0 ? Math.max(1, above - step) : (above + below) >>> 1;
    const { value } = await store.get<VersionRow>(versionKey(type, id, n));
    if (value !== null && value.at > at) above = n;
    else {
      below = n;
      found = value ?? "pruned";
    }
  }
  return found;
}
