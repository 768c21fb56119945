/**
 * Versions in the course of time with what people want to know of them: what it was, who did it, why.
 *
 * @module
 */
import type { VersionRow } from "../../kv/entities.ts";
import {
  type EventPosition,
  newestVersions,
  type VersionEvent,
} from "../../kv/history/newest_versions.ts";
import { findKeptState } from "../../kv/history/versions.ts";
import type { Timeline } from "../../kv/history/timeline/timeline.ts";
import { versionKey } from "../../kv/keys.ts";
import { asJson, ENTITY_TYPES, type EntityType } from "../../kv/model/entity_kinds.ts";
import { READ_PERMISSIONS } from "../../kv/model/permission.ts";
import type { Entry } from "../../kv/store/operation.ts";
import { CHANGE_ROUNDS_MAX } from "../limits.ts";
import type { Deps } from "../deps.ts";
import { nameOf } from "./pages/versions.tsx";
import type { Visit } from "./studio_env.ts";

/** A version as a list shows it. */
export interface RecentChange {
  event: VersionEvent;
  name: string;
  /** What was done, as a verb: "changed". */
  verb: string;
  /** What the version says of itself besides. */
  note: string | null;
  /** Who did it; null for the service itself. */
  byId: string | null;
  by: string;
}

/** Notes of versions that are a verb already. */
const VERBS: Readonly<Record<string, string>> = {
  Published: "published",
  "Published on schedule": "published",
  Unpublished: "unpublished",
  Archived: "archived",
  Scheduled: "scheduled",
  Untrashed: "brought back",
};

/** The types whose versions somebody may read. */
export function readableTypes(visit: Visit): EntityType[] {
  return ENTITY_TYPES.filter((type) => {
    if (type === "document") return visit.documents.somewhere("read");
    return type !== "permission" && visit.can(READ_PERMISSIONS[type]);
  });
}

/** The newest versions of some types that somebody may see; `more` is the place behind them when there are older ones. */
export async function recentChanges(
  deps: Deps,
  timeline: Timeline,
  visit: Pick<Visit, "documents">,
  { types, before, limit }: {
    types: readonly EntityType[];
    before: EventPosition | null;
    limit: number;
  },
): Promise<{ changes: RecentChange[]; more: EventPosition | null }> {
  const events: VersionEvent[] = [];
  let position = before;
  let isLast = false;
  for (let round = 0; round < CHANGE_ROUNDS_MAX && events.length < limit && !isLast; round++) {
    const missing = limit - events.length;
    const found = await newestVersions(timeline, types, { before: position, limit: missing });
    const looked = found.slice(0, missing);
    events.push(...await seenOf(deps, visit, looked));
    isLast = found.length === looked.length;
    position = looked.at(-1) ?? position;
  }
  return { changes: await described(deps, events), more: isLast ? null : position };
}

/** Those versions whose documents somebody may read; what is gone is seen by those who read everything. */
async function seenOf(
  { reader }: Deps,
  { documents }: Pick<Visit, "documents">,
  events: VersionEvent[],
): Promise<VersionEvent[]> {
  if (documents.everywhere("read")) return events;
  const seen = await Promise.all(events.map(async ({ type, id }) => {
    if (type !== "document") return true;
    const stored = await reader.find(id);
    return stored !== null && documents.on("read", stored.state);
  }));
  return events.filter((_, position) => seen[position]);
}

async function described(
  { content: { context }, people }: Deps,
  events: VersionEvent[],
): Promise<RecentChange[]> {
  // What is gone is called as it was before.
  const named = events.map(({ type, id, n, gone }) => versionKey(type, id, gone ? n - 1 : n));
  const own = events.map(({ type, id, n }) => versionKey(type, id, n));
  const rows = await context.store.getMany([...own, ...named]) as Entry<VersionRow>[];
  const { users } = await people.access.current();
  return await Promise.all(events.map(async (event, index) => {
    const row = rows[index]!.value;
    const shown = rows[events.length + index]!.value;
    const state = shown && await findKeptState(context, event.type, event.id, shown) || null;
    const by = row?.by ?? null;
    const note = row === null ? "pruned since" : row.summary;
    const known = note === null ? undefined : VERBS[note];
    return {
      event,
      name: nameOf(event.type, state && asJson(state)),
      verb: event.gone ? "deleted" : known ?? (event.n === 1 ? "created" : "changed"),
      note: known === undefined ? note : null,
      byId: by,
      by: by === null ? "The service" : users.get(by)?.displayName ?? "Somebody who is gone",
    };
  }));
}
