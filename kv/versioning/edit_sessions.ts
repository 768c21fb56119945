/**
 * Edit sessions: versions of one author that live editing made without a longer pause. The history shows and
 * counts them as one.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { CurrentRow, VersionRow } from "./entities.ts";
import { SecondChanceCache } from "../cache/second_chance_cache.ts";
import { currentKey, versionKey, versionPrefix } from "../keys.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { Refusal } from "../refusals.ts";
import { allSettledOrThrow } from "../store/concurrency.ts";
import { EDIT_SESSIONS_BYTES_MAX } from "../tuning.ts";
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

/** The sessions of an entity as they were read, oldest first. */
interface ReadSessions {
  sessions: EditSession[];
  /** The newest version that was read. */
  newest: VersionRow;
  /** The stamp of the notes: it changes whenever a version is named or pruned. */
  stamp: string | null;
}

/** A rough size of a session in memory, bytes. */
const SESSION_BYTES = 300;

/**
 * Pages of edit sessions, newest first. What was read of a history is kept, and continued with its newer versions, until
 * a version is named or pruned.
 */
export class EditSessionPages {
  readonly #context: Context;
  readonly #cache = new SecondChanceCache(EDIT_SESSIONS_BYTES_MAX);

  constructor(context: Context) {
    this.#context = context;
  }

  /** A page, and how many sessions an entity has. */
  async read(
    type: EntityType,
    id: string,
    { skip, limit }: { skip: number; limit: number },
  ): Promise<{ total: number; versions: EditSession[] }> {
    const { sessions } = await this.#sessions(type, id);
    const end = Math.max(0, sessions.length - skip);
    return {
      total: sessions.length,
      versions: sessions.slice(Math.max(0, end - limit), end).reverse(),
    };
  }

  async #sessions(type: EntityType, id: string): Promise<Pick<ReadSessions, "sessions">> {
    const { store } = this.#context;
    const [current, notes] = await allSettledOrThrow([
      store.get<CurrentRow>(currentKey(type, id)),
      readNotes(this.#context, type, id),
    ]);
    if (current.value === null) throw new Refusal("NOT_FOUND");
    const name = `${type} ${id}`;
    const stamp = notes.stamp.versionstamp;
    const known = this.#cache.get<ReadSessions>(name);
    if (known?.stamp === stamp && known.newest.vid === current.value.vid) return known;
    const isKnown = known?.stamp === stamp && known.newest.n < current.value.n;
    const read = isKnown && await this.#continued(type, id, known, notes) ||
      await this.#added(
        type,
        id,
        notes,
        { sessions: [], newest: null },
        versionsOf(this.#context, type, id),
      );
    if (read.newest === null) return read;
    const { newest, sessions } = read;
    this.#cache.set<ReadSessions>(
      name,
      { sessions, newest, stamp },
      sessions.length * SESSION_BYTES,
    );
    return read;
  }

  /** The sessions with newer versions; null if the history is another one by now, as after an import. */
  async #continued(type: EntityType, id: string, known: ReadSessions, notes: VersionNotes) {
    const rows = versionsOf(this.#context, type, id, { from: known.newest.n });
    const { done, value: first } = await rows.next();
    if (done || first.vid !== known.newest.vid) return null;
    const sessions = [...known.sessions];
    return await this.#added(type, id, notes, { sessions, newest: known.newest }, rows);
  }

  async #added(
    type: EntityType,
    id: string,
    notes: VersionNotes,
    read: { sessions: EditSession[]; newest: VersionRow | null },
    rows: AsyncIterable<VersionRow>,
  ): Promise<typeof read> {
    const { sessions } = read;
    let { newest: before } = read;
    for await (const row of rows) {
      const published = await wasPublished(this.#context, type, id, row, before);
      const head = versionHead(row, notes, published);
      if (before !== null && isSameEditSession(before, row, notes.gaps)) {
        const { count, since, name, published } = sessions.pop()!;
        const marks = { ...(name !== undefined && { name }), ...(published && { published }) };
        sessions.push({ ...marks, ...head, count: count + 1, since });
      } else sessions.push({ ...head, count: 1, since: row.at });
      before = row;
    }
    return { sessions, newest: before };
  }
}

/** The kept versions of an entity, in order of their numbers, from one on. */
export async function* versionsOf(
  { store }: Context,
  type: EntityType,
  id: string,
  { reverse = false, from }: { reverse?: boolean; from?: number } = {},
): AsyncGenerator<VersionRow> {
  const start = from === undefined ? {} : { start: versionKey(type, id, from) };
  const range = { prefix: versionPrefix(type, id), ...start };
  const options = { reverse, batchSize: VERSIONS_PER_READ };
  for await (const { value } of store.list<VersionRow>(range, options)) yield value;
}
