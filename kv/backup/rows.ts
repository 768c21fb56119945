/**
 * The rows of a backup's tables as they were at one instant. The instant is a versionstamp: whatever was
 * committed up to then is in the snapshot, whole commits at a time and whatever the clocks say, although
 * the site stays writable. This works because versions never change once they are written.
 *
 * @module
 */
import { exportInstantKey } from "../versioning/backup_keys.ts";
import type { Context } from "../context.ts";
import { type VersionRow, versionState } from "../versioning/entities.ts";
import { encodeState, unpackState } from "../versioning/state_codec.ts";
import {
  fieldKeyPrefix,
  importLockKey,
  type Key,
  oldSlugPrefix,
  versionNotePrefix,
  versionTypePrefix,
} from "../keys.ts";
import {
  type FieldKeyLine,
  type FormerAddressLine,
  type MediaLine,
  type OldSlugLine,
  redactForExport,
  type TableName,
  type VersionLine,
  type VersionNameLine,
} from "../model/entities/backup.ts";
import type { FormerAddress } from "../redirects/former_addresses.ts";
import { formerAddressPrefix } from "../redirects/redirect_keys.ts";
import type { MediaState } from "../model/entities/media.ts";
import { PACKAGE_KINDS } from "../model/entities/package_manifest.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { isTransferTable, transferLines } from "./transfer_rows.ts";
import type { VersionNote } from "../versioning/version_notes.ts";
import { GapReader } from "./gaps.ts";
import { Operation, type StoredEntry } from "../store/operation.ts";
import { forEachConcurrent } from "../store/concurrency.ts";

/** Rows read at a time; between two batches others have their turn. */
const ROWS_AT_ONCE = 40;
/** Rows read at a time from a remote store. */
const REMOTE_ROWS_AT_ONCE = 500;
/** Room for a line at first. */
const LINE_BYTES = 100_000;
/** Bytes that a code unit may take in UTF-8. */
const UTF8_UNIT_BYTES = 3;

const encoder = new TextEncoder();

/** The instant that a backup shows. */
export type Instant = {
  stamp: string;
  /** Epoch seconds. */
  at: number;
};

/** Something that the snapshot needs was removed; a later instant has a whole one. */
export class SnapshotGone extends Error {
  override name = "SnapshotGone";
}

/** Takes the instant: everything that was acknowledged before this call is in its snapshot. */
export async function takeInstant({ store, now }: Context): Promise<Instant> {
  const at = Math.floor(now() / 1000);
  for (;;) {
    const result = await store.commit(new Operation().touch(exportInstantKey));
    if (result.ok) return { stamp: result.versionstamp, at };
  }
}

/** Throws when an import has begun to replace the site since the instant. */
export async function assertUnreplaced({ store }: Context, instant: Instant): Promise<void> {
  const lock = await store.get(importLockKey);
  if ((lock.versionstamp ?? "") > instant.stamp) {
    throw new SnapshotGone("An import began while the backup was being written");
  }
}

/** A line of a table, whole until the next one is asked for, and the key behind which the next one is. */
export interface TableLine {
  line: Uint8Array;
  key: RowKey;
}

/** Keys of rows that are backed up have nothing else in them. */
export type RowKey = (string | number)[];

/** The lines of a table or of the inventory of media, in order; with `after` only those behind that key. */
export function tableLines(
  context: Context,
  table: TableName | "media",
  instant: Instant,
  { redacted, after }: { redacted: boolean; after: RowKey | null },
): AsyncGenerator<TableLine> {
  if (table === "media") return mediaLines(context, instant, after);
  if (table === "field_key") return fieldKeyLines(context, instant, after);
  if (table === "old_slug") return oldSlugLines(context, instant, after);
  if (table === "version_name") return versionNameLines(context, instant, after);
  if (table === "former_address") return formerAddressLines(context, instant, after);
  if (isTransferTable(table)) {
    // They name rows of other systems, and a redacted backup is not imported.
    return redacted ? noLines() : transferLines(context, table, instant, after);
  }
  return versionLines(context, table, instant, { redacted, after });
}

async function* noLines(): AsyncGenerator<TableLine> {}

async function* versionLines(
  context: Context,
  type: EntityType,
  instant: Instant,
  { redacted, after }: { redacted: boolean; after: RowKey | null },
): AsyncGenerator<TableLine> {
  const buffer = new LineBuffer();
  const gaps = await GapReader.open(context, type, after);
  for await (const { id, row, key } of versionsAt(context, type, instant, after)) {
    const { state: _state, ...head } = lineOf(type, id, row, await gaps.before(id, row));
    const start = `${JSON.stringify(head).slice(0, -1)},"state":`;
    yield {
      line: buffer.line(start, await stateBytes(context, type, id, row, redacted), "}\n"),
      key,
    };
  }
}

function lineOf(
  type: EntityType,
  id: string,
  row: VersionRow,
  gap: NonNullable<VersionLine["gap"]> | null,
): VersionLine {
  return {
    id: row.vid,
    entity_type: type,
    entity_id: id,
    version_number: row.n,
    changed_by: row.by,
    change_summary: row.summary,
    changed_at: row.at,
    ...(row.published !== undefined && { published: row.published }),
    ...(gap && { gap }),
    state: null,
  };
}

/** The state as JSON; an inline one is not parsed. */
async function stateBytes(
  context: Context,
  type: EntityType,
  id: string,
  row: VersionRow,
  redacted: boolean,
): Promise<Uint8Array> {
  if (row.body !== undefined && !redacted) return unpackState(row.body);
  const state = await versionState(context, type, id, row);
  return encodeState(state === null || !redacted ? state : redactForExport(type, state));
}

/** The range of keys below a prefix, or those of them after a key. */
function rangeOf(prefix: Key, after: RowKey | null): { prefix: Key; start?: Key } {
  return { prefix, ...(after !== null && { start: [...after, ""] }) };
}

/** A version that was there at the instant. */
interface VersionAt {
  id: string;
  row: VersionRow;
  key: RowKey;
}

/** The versions of a type that were there at the instant, by entity and number. */
async function* versionsAt(
  { store }: Context,
  type: EntityType,
  instant: Instant,
  after: RowKey | null = null,
): AsyncGenerator<VersionAt> {
  let entity = after?.[2] as string | undefined;
  let seen = 0;
  const range = rangeOf(versionTypePrefix(type), after);
  const batchSize = store.isRemote ? REMOTE_ROWS_AT_ONCE : ROWS_AT_ONCE;
  for await (const entry of store.list<VersionRow>(range, { batchSize })) {
    if (++seen % ROWS_AT_ONCE === 0) await store.sleep(0);
    const id = entry.key[2] as string;
    const isFirst = id !== entity;
    entity = id;
    if (entry.versionstamp <= instant.stamp) {
      yield { id, row: entry.value, key: entry.key as RowKey };
    } else if (isFirst && entry.value.n > 1) {
      throw new SnapshotGone(`Versions of ${type} ${id} have been pruned`);
    }
  }
}

async function* fieldKeyLines(
  context: Context,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  for await (const { key, value } of entriesAt(context, rangeOf(fieldKeyPrefix, after), instant)) {
    const [, collectionId, name] = key as [string, string, string];
    const row = { collection_id: collectionId, key: name, field_id: value };
    yield { line: line<FieldKeyLine>(row), key: key as RowKey };
  }
}

async function* oldSlugLines(
  context: Context,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  for await (const { key, value } of entriesAt(context, rangeOf(oldSlugPrefix, after), instant)) {
    const [, collectionId, slug] = key as [string, string, string];
    const row = { collection_id: collectionId, slug, document_id: value };
    yield { line: line<OldSlugLine>(row), key: key as RowKey };
  }
}

async function* versionNameLines(
  context: Context,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  const range = rangeOf(versionNotePrefix(), after);
  for await (const { key, value } of entriesAt<VersionNote>(context, range, instant)) {
    const [, type, id, n] = key as [string, EntityType, string, number];
    // The gaps stand with the versions behind them.
    if (n === 0 || typeof value !== "string") continue;
    const row = { entity_type: type, entity_id: id, version_number: n, name: value };
    yield { line: line<VersionNameLine>(row), key: key as RowKey };
  }
}

async function* formerAddressLines(
  context: Context,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  const range = rangeOf(formerAddressPrefix, after);
  for await (const { key, value } of entriesAt<FormerAddress>(context, range, instant)) {
    const { type, id, language, transfer } = value;
    const row: FormerAddressLine = {
      address: key[1] as string,
      entity_type: type,
      entity_id: id,
      ...(language !== undefined && { language }),
      transfer_id: transfer,
    };
    yield { line: line(row), key: key as RowKey };
  }
}

/** Entries that were last written up to the instant. */
async function* entriesAt<T = string>(
  { store }: Context,
  range: { prefix: Key; start?: Key },
  instant: Instant,
): AsyncGenerator<StoredEntry<T>> {
  for await (const entry of store.list<T>(range)) {
    if (entry.versionstamp <= instant.stamp) yield entry;
  }
}

/** The media that were there at the instant, deleted ones too, in order of id. */
export async function* mediaAt(
  context: Context,
  instant: Instant,
  after: RowKey | null = null,
): AsyncGenerator<{ medium: MediaLine; key: RowKey }> {
  const type = "media_metadata";
  let last: VersionAt | null = null;
  const lineFor = async (found: VersionAt | null) => {
    const state = found && await versionState(context, type, found.id, found.row);
    return state && { medium: mediaLine(state), key: found.key };
  };
  for await (const version of versionsAt(context, type, instant, after)) {
    if (last !== null && last.id !== version.id) {
      const found = await lineFor(last);
      if (found !== null) yield found;
    }
    last = version;
  }
  const found = await lineFor(last);
  if (found !== null) yield found;
}

function mediaLine(state: MediaState): MediaLine {
  const { id, filename, mime, bytes, sha256, object } = state;
  const line: MediaLine = { id, filename, mime, bytes, sha256, object };
  if (state.credentials !== undefined) {
    const { object, bytes, sha256 } = state.credentials;
    line.credentials = { object, bytes, sha256 };
  }
  return line;
}

/** The digests of all packages that versions of themes and plugins lead to. */
export async function packagesAt(context: Context, instant: Instant): Promise<Set<string>> {
  const digests = new Set<string>();
  await forEachConcurrent(PACKAGE_KINDS, PACKAGE_KINDS.length, async (type) => {
    for await (const { id, row } of versionsAt(context, type, instant)) {
      const state = await versionState(context, type, id, row);
      const digest = (state as { archive?: { sha256?: unknown } } | null)?.archive?.sha256;
      if (typeof digest === "string") digests.add(digest);
    }
  });
  return digests;
}

async function* mediaLines(
  context: Context,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  for await (const { medium, key } of mediaAt(context, instant, after)) {
    yield { line: line(medium), key };
  }
}

function line<T>(row: T): Uint8Array {
  return encoder.encode(`${JSON.stringify(row)}\n`);
}

/** Lines put together in one place: hundreds of thousands of small arrays are slow to get rid of. */
class LineBuffer {
  #bytes = new Uint8Array(LINE_BYTES);

  /** A line that is whole until the next one is made. */
  line(start: string, middle: Uint8Array, end: string): Uint8Array {
    const most = UTF8_UNIT_BYTES * (start.length + end.length) + middle.length;
    if (most > this.#bytes.length) this.#bytes = new Uint8Array(2 * most);
    const bytes = this.#bytes;
    let at = encoder.encodeInto(start, bytes).written;
    bytes.set(middle, at);
    at += middle.length;
    at += encoder.encodeInto(end, bytes.subarray(at)).written;
    return bytes.subarray(0, at);
  }
}
