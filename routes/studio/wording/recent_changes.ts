/**
 * Recent versions as sentences: the entity, the author and the change.
 *
 * @module
 */
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { State } from "../../../kv/model/entities/entity.ts";
import { laidOverState } from "../../../kv/model/entities/working_copy.ts";
import { entityName } from "./entity_names.ts";
import { changedLabels } from "../history/field_changes.ts";
import {
  type EventPosition,
  newestVersions,
  type VersionEvent,
} from "../../../kv/history/newest_versions.ts";
import { findKeptState } from "../../../kv/versioning/versions.ts";
import type { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { versionKey } from "../../../kv/keys.ts";
import {
  type AnyState,
  asJson,
  ENTITY_TYPES,
  type EntityType,
} from "../../../kv/model/entities/entity_kinds.ts";
import { READ_PERMISSIONS } from "../../../kv/model/entities/permission.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { CHANGE_ROUNDS_MAX } from "../../input/limits.ts";
import type { Deps } from "../../deps/deps.ts";
import { versionNote } from "./job_words.ts";
import { nameOf } from "../pages/content/versions.tsx";
import { settingName } from "./setting_names.ts";
import type { Visit } from "../serving/studio_env.ts";

/** A version as the list of recent changes shows it. */
export interface RecentChange {
  event: VersionEvent;
  name: string;
  /** The verb phrase before the name: "changed Title and Lead of". */
  verb: string;
  /** The kind of entity: "Article". */
  kind: string;
  /** The remaining summary of the version. */
  note: string | null;
  /** The author's id; null for the service itself. */
  byId: string | null;
  by: string;
  /** The changed fields that the verb names. */
  labels: string[];
  /** Whether the version is one of many in an edit session. */
  isTyped: boolean;
}

/** Summaries of versions with their verbs. */
const VERBS: Readonly<Record<string, string>> = {
  Published: "published",
  "Published on schedule": "published",
  Unpublished: "unpublished",
  Archived: "archived",
  Scheduled: "scheduled",
  Untrashed: "restored",
  "Schedule cancelled": "unscheduled",
  "Changes discarded": "discarded changes to",
  "Review asked for": "requested a review of",
  "Review returned": "returned",
  "Review withdrawn": "withdrew the review request for",
  "Comment written": "commented on",
  "Comment removed": "removed a comment on",
  "Publication begun": "started publishing",
  "Reversal begun": "started reverting",
  "password changed": "changed the password of",
  replaced: "replaced the file of",
  undeleted: "restored",
};
/** Verbs of first versions other than "created". */
const FIRST_VERBS: Readonly<{ [type in EntityType]?: string }> = {
  user: "invited",
  media_metadata: "uploaded",
  theme: "installed",
  plugin: "installed",
  setting: "set",
  discussion: "commented on",
};
/** Summaries that add nothing to the sentence. */
const IMPLIED_NOTES: ReadonlySet<string> = new Set([
  "Edited live",
  "Working copy changed",
]);
/** Number of fields that a sentence names. */
const LABELS_NAMED = 2;

/** The types whose versions the user may read. */
export function readableTypes(visit: Visit): EntityType[] {
  return ENTITY_TYPES.filter((type) => {
    if (type === "document") return visit.documents.somewhere("read");
    return type !== "permission" && visit.can(READ_PERMISSIONS[type]);
  });
}

/** Which versions are wanted. */
export interface ChangesQuery {
  types: readonly EntityType[];
  before: EventPosition | null;
  limit: number;
  /** The id of their author, null for the service itself; any author if absent. */
  by?: string | null;
  /** The first second, epoch seconds. */
  from?: number;
}

/** Versions that are looked through at once for those of one author. */
const LOOKED_AT_ONCE = 100;

/**
 * The newest versions of some types that the user may see. `more` is the position after them if older ones
 * exist, even if fewer than `limit` were found among those that one request looks through.
 */
export async function recentChanges(
  deps: Deps,
  timeline: Timeline,
  visit: Pick<Visit, "documents" | "schema">,
  { types, before, limit, by, from = 0 }: ChangesQuery,
): Promise<{ changes: RecentChange[]; more: EventPosition | null }> {
  const events: VersionEvent[] = [];
  let position = before;
  let isLast = false;
  for (let round = 0; round < CHANGE_ROUNDS_MAX && events.length < limit && !isLast; round++) {
    const missing = limit - events.length;
    const atOnce = by === undefined ? missing : LOOKED_AT_ONCE;
    const found = await newestVersions(timeline, types, { before: position, limit: atOnce });
    const inTime = found.filter(({ at }) => at >= from);
    const looked = inTime.slice(0, atOnce);
    const wanted = await readableEvents(deps, visit, await eventsBy(deps, looked, by));
    const taken = wanted.slice(0, missing);
    events.push(...taken);
    const isCut = taken.length < wanted.length;
    isLast = !isCut && inTime.length === looked.length;
    position = (isCut ? taken : looked).at(-1) ?? position;
  }
  return { changes: await described(deps, visit, events), more: isLast ? null : position };
}

/** The versions that a user wrote, or the service itself; all of them for an undefined author. */
async function eventsBy(
  { content: { context } }: Deps,
  events: VersionEvent[],
  by: string | null | undefined,
): Promise<VersionEvent[]> {
  if (by === undefined) return events;
  const keys = events.map(({ type, id, n }) => versionKey(type, id, n));
  const rows = await context.store.getMany(keys) as Entry<VersionRow>[];
  // The author of a version that was pruned is not known any more.
  return events.filter((_, index) => rows[index]?.value?.by === by);
}

/**
 * The versions whose documents the user may read. Deleted documents are visible only to users who may read all.
 */
async function readableEvents(
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
  { content: { context }, people, reader }: Deps,
  { schema }: Pick<Visit, "schema">,
  events: VersionEvent[],
): Promise<RecentChange[]> {
  const own = events.map(({ type, id, n }) => versionKey(type, id, n));
  const former = events.map(({ type, id, n }) => versionKey(type, id, n - 1));
  const [rows, present] = await Promise.all([
    context.store.getMany([...own, ...former]) as Promise<Entry<VersionRow>[]>,
    Promise.all(events.map((event) => presentState(reader, event))),
  ]);
  const { users } = await people.access.current();
  return await Promise.all(events.map(async (event, index) => {
    const { type, id } = event;
    const stateOf = async (row: VersionRow | null) =>
      row && editedState(type, await findKeptState(context, type, id, row) ?? null);
    const row = rows[index]?.value ?? null;
    const [state, before] = await Promise.all([
      stateOf(row),
      stateOf(rows[events.length + index]?.value ?? null),
    ]);
    const by = row?.by ?? null;
    const note = row === null ? "pruned since" : row.summary && versionNote(row.summary);
    const noted = parseNote(note);
    // A deleted entity is shown with its last name.
    const shown = event.gone ? before : present[index] ?? state;
    const labels = labelsOf(event, before, state, schema);
    const isFirstAccount = type === "user" && event.n === 1 && by === id;
    return {
      event,
      name: isFirstAccount ? "the site" : changedName(type, shown),
      kind: schema.byId.get(String(shown?.collectionId))?.name ?? entityName(type, true),
      verb: isFirstAccount
        ? "set up"
        : event.gone
        ? "deleted"
        : noted.verb ?? verbOf(event, labels),
      labels: noted.verb === undefined ? labels : [],
      isTyped: note !== null && IMPLIED_NOTES.has(note),
      note: noted.rest,
      byId: by,
      by: by === null ? "The service" : users.get(by)?.displayName ?? "Deleted user",
    };
  }));
}

/** A new document is saved after the first keystroke, so its creation is shown with its current title. */
async function presentState(
  reader: Deps["reader"],
  { type, id, n }: VersionEvent,
): Promise<State | null> {
  if (type !== "document" || n > 1) return null;
  const present = await reader.find(id);
  return present && editedState("document", present.state);
}

/** Splits a summary into the verb of a sentence and the rest: the program that made the change, or its note. */
export function parseNote(note: string | null): { verb: string | undefined; rest: string | null } {
  if (note === null || IMPLIED_NOTES.has(note)) return { verb: undefined, rest: null };
  const colon = note.lastIndexOf(": ");
  const verb = VERBS[note] ?? VERBS[note.slice(colon + 2)];
  if (verb === undefined) return { verb, rest: note };
  return { verb, rest: note in VERBS ? null : note.slice(0, colon) };
}

/** The name of an entity in a sentence; settings have readable names. */
function changedName(type: EntityType, state: State | null): string {
  const { key } = state ?? {};
  return type === "setting" && typeof key === "string" ? settingName(key) : nameOf(type, state);
}

/** A state as editors see it: with the working copy applied. */
function editedState(type: EntityType, state: AnyState | null): State | null {
  if (state === null) return null;
  return type === "document" ? laidOverState(asJson(state)) : asJson(state);
}

/** The fields that differ from the previous version, if it is stored. */
function labelsOf(
  { type, n }: VersionEvent,
  before: State | null,
  after: State | null,
  schema: Schema,
): string[] {
  const isKept = n > 1 && before !== null && after !== null;
  return isKept && type !== "setting" ? changedLabels(type, before, after, schema) : [];
}

/** "created", or "changed" with the changed fields. */
function verbOf({ type, n }: VersionEvent, labels: readonly string[]): string {
  return n === 1 ? FIRST_VERBS[type] ?? "created" : changedVerb(labels);
}

/** "changed" with the first changed fields. */
export function changedVerb(labels: readonly string[]): string {
  if (labels.length === 0) return "changed";
  const more = labels.length - LABELS_NAMED;
  const named = labels.slice(0, LABELS_NAMED);
  const list = more > 0 ? `${named.join(", ")} and ${more} more` : named.join(" and ");
  return `changed ${list} of`;
}
