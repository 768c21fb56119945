/**
 * Edit sessions: versions of one author that live editing made without a longer pause. The history shows and
 * counts them as one.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { CurrentRow, VersionRow } from "./entities.ts";
import { currentKey, versionPrefix } from "../keys.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { Refusal } from "../refusals.ts";
import { readNotes, type VersionNotes } from "./version_notes.ts";
import { type VersionHead, versionHead, wasPublished } from "./versions.ts";

/** The summary of versions that live editing makes. */
export const LIVE_SUMMARY = "Edited live";
/** A pause after which another session starts, seconds. */
export const PAUSE_SECONDS = 600;
/** Versions per read; each may carry a state of up to 48 KB. */
const VERSIONS_PER_READ = 20;

/** An edit session, as its newest version. */
export interface EditSession extends VersionHead {
  /** The number of its versions that are kept. */
  count: number;
  /** When its first version was made, epoch seconds. */
  since: number;
}

/** Whether a version continues the session of the version that is kept before it. */
export function isSameEditSession(
  before: VersionRow,
  row: VersionRow,
  gaps: VersionNotes["gaps"],
): boolean {
  const isOfOne = before.summary === LIVE_SUMMARY && row.summary === LIVE_SUMMARY &&
    before.by !== null && before.by === row.by;
  if (!isOfOne) return false;
  return before.n + 1 === row.n
    ? row.at - before.at < PAUSE_SECONDS
    : gaps.get(before.n + 1)?.sitting === true;
}

/** A page of an entity's edit sessions, newest first. */
export async function listEditSessions(
  context: Context,
  type: EntityType,
  id: string,
  page: { skip: number; limit: number },
): Promise<{ total: number; versions: EditSession[] }> {
  const current = await context.store.get<CurrentRow>(currentKey(type, id));
  if (current.value === null) throw new Refusal("NOT_FOUND");
  const notes = await readNotes(context, type, id);
  const sessions: EditSession[] = [];
  let before: VersionRow | null = null;
  for await (const row of versionsOf(context, type, id)) {
    const head = versionHead(row, notes, await wasPublished(context, type, id, row, before));
    if (before !== null && isSameEditSession(before, row, notes.gaps)) {
      const { count, since, name, published } = sessions.pop()!;
      const marks = { ...(name !== undefined && { name }), ...(published && { published }) };
      sessions.push({ ...marks, ...head, count: count + 1, since });
    } else sessions.push({ ...head, count: 1, since: row.at });
    before = row;
  }
  const newest = sessions.reverse();
  return {
    total: newest.length,
    versions: newest.slice(page.skip, page.skip + page.limit),
  };
}

/** The kept versions of an entity, in order of their numbers. */
export async function* versionsOf(
  { store }: Context,
  type: EntityType,
  id: string,
  { reverse = false } = {},
): AsyncGenerator<VersionRow> {
  const range = { prefix: versionPrefix(type, id) };
  const options = { reverse, batchSize: VERSIONS_PER_READ };
  for await (const { value } of store.list<VersionRow>(range, options)) yield value;
}
