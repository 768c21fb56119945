/**
 * Replaying rows of a backup: versions verbatim under their own numbers and ids, and with the last one of
 * each entity what belongs to its live state. Every commit checks the import's lock, so a replay that was
 * taken for dead changes nothing any more; done twice it has the same effect.
 *
 * @module
 */
import type { FormerAddress } from "../redirects/former_addresses.ts";
import { formerAddressesChangedKey, formerAddressKey } from "../redirects/redirect_keys.ts";
import type { Context } from "../context.ts";
import { valueHash } from "../documents/reservations.ts";
import { stageMentionRows } from "../documents/mention_rows.ts";
import { stageReferences } from "../documents/reference_rows.ts";
import type { CurrentRow, VersionRow } from "../versioning/entities.ts";
import { stageVersionLocation } from "../versioning/version_locations.ts";
import { indexRow } from "../index/index_row.ts";
import {
  currentKey,
  fieldKeyKey,
  importLockKey,
  mediaBytesKey,
  oldSlugKey,
  slugKey,
  uniqueKey,
  versionKey,
  versionNoteKey,
} from "../keys.ts";
import type { MediaBytesRow } from "../media/media.ts";
import { stageSecondaryRows } from "../versioning/secondary_rows.ts";
import {
  type FormerAddressLine,
  isVersionTable,
  type KeyLine,
  type TableName,
  type VersionLine,
} from "../model/entities/backup.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import type { SchemaSource } from "../sources/schema_source.ts";
import { type PlacedObject, type Placement, placeState } from "../versioning/state_placement.ts";
import type { VersionNote } from "../versioning/version_notes.ts";
import { Operation } from "../store/operation.ts";
import { pipelined } from "../store/concurrency.ts";
import { EPOCH_ATTEMPTS_MAX } from "../tuning.ts";
import type { IndexWriter } from "./index_writer.ts";
import { type ChunkRow, readChunk } from "./row_chunks.ts";
import { stageChange, stageTransferRecord, stageTransferred } from "./transfer_rows.ts";

/** A commit is closed when it has grown to this: the store allows more, other commits wait less. */
const COMMIT_MUTATIONS = 50;
const COMMIT_BYTES = 45_000;
/** Commits under way at a time on a remote store; on an embedded one each waits for the one before. */
const REMOTE_COMMITS = 32;
/** Collections whose index one commit may write: each takes a check. */
const COMMIT_COLLECTIONS = 6;

/** Another process has taken the lock: this import must not continue. */
export class LockLost extends Error {
  override name = "LockLost";
}

/** A lock that is held, and since when. */
export interface HeldLock {
  jobId: string;
  stamp: string;
}

/** A chunk of a table, and what those of one table share. */
export interface ReplayedChunk {
  importId: string;
  table: TableName;
  chunk: number;
  /** Asked only for documents: the tables of the schema are replayed before them. */
  schema: SchemaSource;
  index: IndexWriter;
}

/** Replays one chunk of a table. */
export async function replayChunk(
  context: Context,
  lock: HeldLock,
  { importId, table, chunk, schema, index }: ReplayedChunk,
): Promise<void> {
  if (isVersionTable(table)) {
    const rows = await readChunk<VersionLine>(context, importId, table, chunk);
    await new Replay(context, lock, { schema, index }).run(rows);
    return;
  }
  const rows = await readChunk<KeyLine>(context, importId, table, chunk);
  const operation = underLock(lock);
  for (const { parse } of rows) {
    const row = parse();
    if ("key" in row) operation.set(fieldKeyKey(row.collection_id, row.key), row.field_id);
    else if ("slug" in row) {
      operation.set(oldSlugKey(row.collection_id, row.slug), row.document_id);
    } else if ("source_key" in row) stageTransferred(operation, row);
    else if ("plan" in row) await stageTransferRecord(context, operation, row);
    else if ("address" in row) {
      operation.set(formerAddressKey(row.address), formerAddressOf(row))
        .touch(formerAddressesChangedKey);
    } else if ("transfer_id" in row) stageChange(operation, row);
    else {
      const { entity_type, entity_id, version_number, name } = row;
      operation.set(versionNoteKey(entity_type, entity_id, version_number), name);
    }
  }
  if (!(await context.store.commit(operation)).ok) throw new LockLost("The lock was lost");
}

/** A commit that takes effect only while the lock is held. */
export function underLock({ stamp }: HeldLock): Operation {
  return new Operation().check({ key: importLockKey, versionstamp: stamp });
}

/** Adds a version to a commit; `live` makes it the entity's newest. */
export function stageVersion(
  operation: Operation,
  row: VersionLine,
  isCurrent: boolean,
): Placement | null {
  const { id: vid, entity_type: type, entity_id: id, version_number: n, changed_at: at } = row;
  const version: VersionRow = { vid, n, at, by: row.changed_by, summary: row.change_summary };
  if (row.published !== undefined) version.published = row.published;
  const now: CurrentRow = { n, vid, at };
  const placement = row.state === null ? null : placeState(type, id, version, row.state);
  if (placement === null) version.gone = now.gone = true;
  else {
    Object.assign(version, placement.version);
    Object.assign(now, placement.current);
    // Pieces of a spilled state belong to the current row alone.
    const needed = isCurrent || placement.version.chunks !== undefined;
    if (needed) { for (const { key, value } of placement.pieces) operation.set(key, value); }
  }
  operation.set(versionKey(type, id, n), version);
  stageVersionLocation(operation, vid, [type, id, n]);
  if (row.gap !== undefined) {
    const { first, ...gap } = row.gap;
    operation.set(versionNoteKey(type, id, first), { ...gap, end: n } satisfies VersionNote);
  }
  if (isCurrent) {
    operation.set(currentKey(type, id), now);
    stageSecondaryRows(operation, type, id, row.state);
  }
  return placement;
}

/** A commit with the rows that it puts in place. */
interface Portion {
  operation: Operation;
  /** Objects that readers can do without. */
  after: PlacedObject[];
  start: number;
  /** The index at which the next portion begins. */
  end: number;
}

type StageRows<T extends EntityType> = (
  operation: Operation,
  id: string,
  n: number,
  state: StateOf<T> | null,
) => void | Promise<void>;

/**
 * Replays rows of one table in few commits; while some are under way, the next is made ready. Their order does not
 * matter: no two rows have a key in common.
 */
class Replay {
  readonly #context: Context;
  readonly #lock: HeldLock;
  readonly #index: IndexWriter;
  readonly #source: SchemaSource;
  #schema: Schema | null = null;

  constructor(
    context: Context,
    lock: HeldLock,
    { schema, index }: { schema: SchemaSource; index: IndexWriter },
  ) {
    this.#context = context;
    this.#lock = lock;
    this.#index = index;
    this.#source = schema;
  }

  async run(rows: ChunkRow<VersionLine>[]): Promise<void> {
    const { store } = this.#context;
    await pipelined(store.isRemote ? REMOTE_COMMITS : 1, async ({ begin }) => {
      for (let start = 0; start < rows.length;) {
        const portion = await this.#portion(rows, start);
        await begin(() => this.#commit(rows, portion));
        start = portion.end;
        await store.sleep(0);
      }
    });
  }

  /** As many rows from `start` on as fit; `end` bounds them when they are put together again. */
  async #portion(
    rows: ChunkRow<VersionLine>[],
    start: number,
    end = rows.length,
  ): Promise<Portion> {
    const portion: Portion = { operation: underLock(this.#lock), after: [], start, end: start };
    for (const { parse, last } of rows.slice(start, end)) {
      if (portion.end > start && !hasRoom(portion.operation)) break;
      portion.after.push(...await this.#stage(portion.operation, parse(), last));
      portion.end += 1;
    }
    return portion;
  }

  /** Commits a portion; when it must be put together again it may become several. */
  async #commit(rows: ChunkRow<VersionLine>[], whole: Portion): Promise<void> {
    let portion = whole;
    for (let failures = 0; failures < EPOCH_ATTEMPTS_MAX;) {
      const { ok } = await this.#context.store.commit(portion.operation);
      if (ok) {
        for (const { key, body } of portion.after) await this.#context.objects.put(key, body);
        if (portion.end === whole.end) return;
      } else {
        await this.#assertLocked();
        this.#index.forget();
        failures += 1;
      }
      portion = await this.#portion(rows, ok ? portion.end : portion.start, whole.end);
    }
    throw new Error("The index of a collection is compacted too often");
  }

  async #assertLocked(): Promise<void> {
    const { versionstamp } = await this.#context.store.get(importLockKey);
    if (versionstamp !== this.#lock.stamp) throw new LockLost("The lock was lost");
  }

  async #stage(
    operation: Operation,
    row: VersionLine,
    last: boolean,
  ): Promise<PlacedObject[]> {
    const placement = stageVersion(operation, row, last);
    for (const { key, body } of placement?.before ?? []) {
      const there = await this.#context.objects.head(key);
      if (there?.bytes !== body.byteLength) await this.#context.objects.put(key, body);
    }
    if (!last) return [];
    await this.#stageRows(operation, row.entity_type, row);
    return placement?.after ?? [];
  }

  async #stageRows<T extends EntityType>(
    operation: Operation,
    type: T,
    row: { entity_id: string; version_number: number; state: StateOf<T> | null },
  ): Promise<void> {
    const stage: StageRows<T> | undefined = this.#rowsBeside[type];
    await stage?.(operation, row.entity_id, row.version_number, row.state);
  }

  /** Stages the secondary rows of newest versions that every write derives from the previous versions. */
  readonly #rowsBeside: { readonly [T in EntityType]?: StageRows<T> } = {
    document: (...row) => this.#stageDocument(...row),
    discussion: (operation, id, _n, state) => stageMentionRows(operation, id, null, state),
    media_metadata: (operation, _id, _n, medium) => {
      // Uploads of the same bytes find the object again.
      if (medium === null) return;
      const row: MediaBytesRow = { object: medium.object };
      operation.set(mediaBytesKey(medium.sha256), row);
    },
  };

  async #stageDocument(
    operation: Operation,
    id: string,
    n: number,
    state: DocumentState | null,
  ): Promise<void> {
    // Rows of what was referenced before are swept, those of what is referenced now are all written.
    stageReferences(operation, id, null, state);
    if (state === null) return await this.#index.stageGone(operation, id);
    this.#schema ??= await this.#source.current();
    const collection = this.#schema.byId.get(state.collectionId);
    if (collection === undefined) return;
    await this.#index.stage(
      operation,
      collection.id,
      indexRow(collection, state, n),
    );
    if (state.status === "trashed") return;
    operation.set(slugKey(collection.id, state.slug), state.id);
    for (const { key, unique } of collection.fields) {
      const value = state.data[key] ?? null;
      if (!unique || value === null) continue;
      operation.set(uniqueKey(collection.id, key, valueHash(value)), state.id);
    }
  }
}

function hasRoom(operation: Operation): boolean {
  return operation.mutations < COMMIT_MUTATIONS && operation.bytes < COMMIT_BYTES &&
    operation.checks.length <= COMMIT_COLLECTIONS;
}

function formerAddressOf(row: FormerAddressLine): FormerAddress {
  const { entity_type: type, entity_id: id, language, transfer_id: transfer } = row;
  return { type, id, ...(language !== undefined && { language }), transfer };
}
