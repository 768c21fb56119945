/**
 * Replaying rows of a back-up: versions verbatim under their own numbers and ids, and with the last one of
 * each entity what belongs to its live state. Every commit checks the import's lock, so a replay that was
 * taken for dead changes nothing any more; done twice it has the same effect.
 *
 * @module
 */
import type { Content } from "../content.ts";
import { type LiveRow, readHead, type VersionRow } from "../entities.ts";
import { recordDelta } from "../index/delta.ts";
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
import { valueHash } from "../document_claims.ts";
import {
  type FieldKeyLine,
  isVersionTable,
  type OldSlugLine,
  type TableName,
  type VersionLine,
} from "../model/backup.ts";
import type { Collection } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { MediaState } from "../model/media.ts";
import { SchemaSource } from "../schema.ts";
import { type Placement, placeState } from "../state_placement.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { MediaBytesRow } from "../media.ts";
import { type ChunkRow, readChunk } from "./row_chunks.ts";

/** A commit is closed when it has grown to this: the store allows more, its neighbours wait less. */
const COMMIT_MUTATIONS = 400;
const COMMIT_BYTES = 300_000;
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
  content: Content,
  lock: HeldLock,
  place: { importId: string; table: TableName; chunk: number },
): Promise<void> {
  const { table } = place;
  if (!isVersionTable(table)) return await replayKeys(content, lock, place);
  const rows = await readChunk<VersionLine>(content.context, place.importId, table, place.chunk);
  const replay = new Replay(content, lock);
  await replay.open();
  for (const row of rows) await replay.add(row);
  await replay.flush();
}

async function replayKeys(
  { context }: Content,
  lock: HeldLock,
  { importId, table, chunk }: { importId: string; table: TableName; chunk: number },
): Promise<void> {
  const rows = await readChunk<FieldKeyLine | OldSlugLine>(context, importId, table, chunk);
  const operation = underLock(lock);
  for (const { row } of rows) {
    if ("key" in row) operation.set(fieldKeyKey(row.collection_id, row.key), row.field_id);
    else operation.set(oldSlugKey(row.collection_id, row.slug), row.document_id);
  }
  await commitUnderLock(content(context), operation);
}

/** A commit that takes effect only while the lock is held. */
export function underLock({ stamp }: HeldLock): Operation {
  return new Operation().check({ key: importLockKey, versionstamp: stamp });
}
