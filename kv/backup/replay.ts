/**
 * Replaying rows of a back-up: versions verbatim under their own numbers and ids, and with the last one of
 * each entity what belongs to its live state. Every commit checks the import's lock, so a replay that was
 * taken for dead changes nothing any more; done twice it has the same effect.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { valueHash } from "../documents/claims.ts";
import { stageMentions } from "../documents/mention_rows.ts";
import type { LiveRow, VersionRow } from "../entities.ts";
import { indexRow } from "../index/index_row.ts";
import {
  fieldKeyKey,
  importLockKey,
  liveKey,
  mediaBytesKey,
  oldSlugKey,
  slugKey,
  uniqueKey,
  versionIdKey,
  versionKey,
} from "../keys.ts";
import type { MediaBytesRow } from "../media/media.ts";
import { stageMediaRow } from "../media/media_list.ts";
import {
  type FieldKeyLine,
  isVersionTable,
  type OldSlugLine,
  type TableName,
  type VersionLine,
} from "../model/backup.ts";
import type { Schema } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { MediaState } from "../model/media.ts";
import { SchemaSource } from "../schema/schema.ts";
import { type PlacedObject, type Placement, placeState } from "../history/state_placement.ts";
import { Operation } from "../store/operation.ts";
import { IndexWriter } from "./index_writer.ts";
import { type ChunkRow, readChunk } from "./row_chunks.ts";

/** A commit is closed when it has grown to this: the store allows more, its neighbours wait less. */
const COMMIT_MUTATIONS = 150;
const COMMIT_BYTES = 120_000;
/** Collections whose index one commit may write: each takes a check. */
const COMMIT_COLLECTIONS = 6;
/** How often a commit is made again because an epoch of an index was closed. */
const ATTEMPTS_MAX = 20;

/** The lock is somebody else's by now: what this import has begun, it may not go on with. */
export class LockLost extends Error {
  override name = "LockLost";
}

/** A lock that is held, and since when. */
export interface HeldLock {
  jobId: string;
  stamp: string;
}

/** Replays one chunk of a table. */
export async function replayChunk(
  context: Context,
  lock: HeldLock,
  place: { importId: string; table: TableName; chunk: number },
): Promise<void> {
  const { importId, table, chunk } = place;
  if (isVersionTable(table)) {
    const rows = await readChunk<VersionLine>(context, importId, table, chunk);
    await new Replay(context, lock).run(rows);
    return;
  }
  const rows = await readChunk<FieldKeyLine | OldSlugLine>(context, importId, table, chunk);
  const operation = underLock(lock);
  for (const { row } of rows) {
    if ("key" in row) operation.set(fieldKeyKey(row.collection_id, row.key), row.field_id);
    else operation.set(oldSlugKey(row.collection_id, row.slug), row.document_id);
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
  live: boolean,
): Placement | null {
  const { id: vid, entity_type: type, entity_id: id, version_number: n, changed_at: at } = row;
  const version: VersionRow = { vid, n, at, by: row.changed_by, summary: row.change_summary };
  const now: LiveRow = { n, vid, at };
  const placement = row.state === null ? null : placeState(type, id, version, row.state);
  if (placement === null) version.gone = now.gone = true;
  else {
    Object.assign(version, placement.version);
    Object.assign(now, placement.live);
    // Pieces of a spilled state belong to the live row alone.
    const needed = live || placement.version.chunks !== undefined;
    if (needed) { for (const { key, value } of placement.pieces) operation.set(key, value); }
  }
  operation.set(versionKey(type, id, n), version).set(versionIdKey(vid), [type, id, n]);
  if (live) operation.set(liveKey(type, id), now);
  return placement;
}

/** Replays rows of one table in as few commits as the store allows. */
class Replay {
  readonly #context: Context;
  readonly #lock: HeldLock;
  readonly #index: IndexWriter;
  #schema: Schema | null = null;

  constructor(context: Context, lock: HeldLock) {
    this.#context = context;
    this.#lock = lock;
    this.#index = new IndexWriter(context);
  }

  async run(rows: ChunkRow<VersionLine>[]): Promise<void> {
    for (let start = 0; start < rows.length;) {
      start = await this.#commitFrom(rows, start);
      await this.#context.store.sleep(0);
    }
  }

  /** Commits as many rows from `start` on as fit; answers where the next commit begins. */
  async #commitFrom(rows: ChunkRow<VersionLine>[], start: number): Promise<number> {
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const operation = underLock(this.#lock);
      const after: PlacedObject[] = [];
      let next = start;
      while (next < rows.length && (next === start || hasRoom(operation))) {
        after.push(...await this.#stage(operation, rows[next]!));
        next += 1;
      }
      if ((await this.#context.store.commit(operation)).ok) {
        for (const { key, body } of after) await this.#context.objects.put(key, body);
        return next;
      }
      await this.#assertLocked();
      this.#index.forget();
    }
    throw new Error("The index of a collection is compacted too often");
  }

  async #assertLocked(): Promise<void> {
    const { versionstamp } = await this.#context.store.get(importLockKey);
    if (versionstamp !== this.#lock.stamp) throw new LockLost("The lock was lost");
  }

  async #stage(
    operation: Operation,
    { row, last }: ChunkRow<VersionLine>,
  ): Promise<PlacedObject[]> {
    const placement = stageVersion(operation, row, last);
    for (const { key, body } of placement?.before ?? []) {
      const there = await this.#context.objects.head(key);
      if (there?.bytes !== body.byteLength) await this.#context.objects.put(key, body);
    }
    if (!last) return [];
    if (row.entity_type === "media_metadata") stageMedia(operation, row);
    if (row.entity_type === "document") await this.#stageDocument(operation, row);
    return placement?.after ?? [];
  }

  async #stageDocument(operation: Operation, row: VersionLine): Promise<void> {
    const state = row.state as unknown as DocumentState | null;
    // Rows of what was mentioned before are swept, those of what is mentioned now are all written.
    stageMentions(operation, row.entity_id, null, state);
    if (state === null) return await this.#index.stageGone(operation, row.entity_id);
    // Only now: the tables of the schema are replayed before the documents.
    this.#schema ??= await new SchemaSource(this.#context).current();
    const collection = this.#schema.byId.get(state.collectionId);
    if (collection === undefined) return;
    await this.#index.stage(
      operation,
      collection.id,
      indexRow(collection, state, row.version_number),
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

/** Uploads of the same bytes find the object again, and lists the medium. */
function stageMedia(operation: Operation, { entity_id, state }: VersionLine): void {
  const medium = state as unknown as MediaState | null;
  stageMediaRow(operation, entity_id, medium);
  if (medium === null) return;
  const { sha256, object } = medium;
  operation.set(mediaBytesKey(sha256), { object } satisfies MediaBytesRow);
}
