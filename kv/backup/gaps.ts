/**
 * The gaps that pruning has left in histories, while their versions are written into a backup.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { VersionRow } from "../versioning/entities.ts";
import type { VersionNote } from "../versioning/version_notes.ts";
import { type Key, versionNoteKey, versionNotePrefix } from "../keys.ts";
import type { VersionLine } from "../model/entities/backup.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import type { Entry } from "../store/operation.ts";

/** The versions of a type that were pruned between two others, asked for in the order of all versions. */
export class GapReader {
  readonly #notes: AsyncIterator<Entry<VersionNote>>;
  #next: Entry<VersionNote> | null = null;
  #isRead = false;
  #before: { id: string; row: VersionRow } | null = null;

  /** Continues after the version that has the key `after`. */
  static async open(context: Context, type: EntityType, after: Key | null): Promise<GapReader> {
    const reader = new GapReader(context, type, after?.[2] as string | undefined);
    const row = after && (await context.store.get<VersionRow>(after)).value;
    if (row) reader.#before = { id: after[2] as string, row };
    return reader;
  }

  private constructor({ store }: Context, type: EntityType, from: string | undefined) {
    const start = from === undefined ? {} : { start: versionNoteKey(type, from, 0) };
    const notes = store.list<VersionNote>({ prefix: versionNotePrefix(type), ...start });
    this.#notes = notes[Symbol.asyncIterator]();
  }

  /** The versions pruned just before this one; null if none were, and before an entity's first version. */
  async before(id: string, row: VersionRow): Promise<NonNullable<VersionLine["gap"]> | null> {
    const last = this.#before;
    this.#before = { id, row };
    if (last?.id !== id || row.n === last.row.n + 1) return null;
    const first = last.row.n + 1;
    for (; !this.#isRead; this.#next = null) {
      this.#next ??= await this.#read();
      if (this.#next === null) break;
      const [, , noted, n] = this.#next.key as [string, string, string, number];
      if (noted > id || noted === id && n > first) break;
      const note = this.#next.value!;
      if (noted !== id || n !== first || typeof note === "string") continue;
      return { first, at: note.at, sitting: note.sitting };
    }
    // Without a note, it is unknown how long the version before it was the newest.
    return { first, at: last.row.at, sitting: false };
  }

  async #read(): Promise<Entry<VersionNote> | null> {
    const { done, value } = await this.#notes.next();
    this.#isRead = done === true;
    return done ? null : value;
  }
}
