/**
 * Rows of entities: a state is stored inside its row, in pieces, or in the object store, and read back as a
 * whole.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { currentPrefix, type Key, stateChunkPrefix } from "../keys.ts";
import { CHUNK_BYTES } from "../limits/store.ts";
import { DOCUMENT_PARTS, type DocumentPart } from "../model/entities/document.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import { ObjectMissing } from "../objects/object_store.ts";
import { documentPartPath } from "../objects/paths.ts";
import { sha256 } from "../model/values/sha256.ts";
import { decodeState, unpackedBytes } from "./state_codec.ts";
import type { Entry } from "../store/operation.ts";

/** Bytes in the object store, with their digest. */
export interface Spilled {
  key: string;
  sha256: string;
  bytes: number;
}

/** The current row of an entity: its newest version and the location of its state. */
export interface CurrentRow {
  /** Version number. */
  n: number;
  /** Version id. */
  vid: string;
  /** Epoch seconds of the newest change. */
  at: number;
  /** Set on a tombstone; it has no body. */
  gone?: true;
  /** The packed state if it fits, without the spilled parts of a document. */
  body?: Uint8Array;
  /** Number of pieces of the body under {@linkcode stateChunkPrefix}. */
  chunks?: number;
  /** The snapshot of the whole state, if it was spilled. */
  snapshot?: Spilled;
  /** Spilled parts of a document: digest and size of their current copies. */
  parts?: { [part in DocumentPart]?: { sha256: string; bytes: number } };
}

/**
 * A version as stored. The state is in one of `body`, `chunks` and `snapshot`; a tombstone (`gone`) has none.
 */
export interface VersionRow {
  vid: string;
  n: number;
  at: number;
  by: string | null;
  summary: string | null;
  /**
   * Whether the version made a document, or changes of it, public. Absent for all other types, and in versions
   * that were written before this was recorded.
   */
  published?: boolean;
  /** The languages that it changed, of a document that has several; `""` is that of the original. */
  languages?: string[];
  gone?: true;
  body?: Uint8Array;
  chunks?: number;
  snapshot?: Spilled;
}

/** An entity that has never existed; the entry's null versionstamp is what a write checks. */
export interface AbsentHead {
  entry: Entry<CurrentRow>;
  row: null;
  state: null;
}

/** A deleted entity: its row is a tombstone. */
export interface TombstoneHead {
  entry: Entry<CurrentRow>;
  row: CurrentRow;
  state: null;
}

/** An entity that exists. */
export interface LivingHead<T extends EntityType = EntityType> {
  entry: Entry<CurrentRow>;
  row: CurrentRow;
  state: StateOf<T>;
}

/** An entity as a write has read it: its entry for the check, its current row and its state. */
export type Head<T extends EntityType = EntityType> = AbsentHead | TombstoneHead | LivingHead<T>;

/** The bytes of a chunked state; null if a newer version has replaced them. */
async function readChunks(
  context: Context,
  prefix: Key,
  count: number,
): Promise<Uint8Array | null> {
  const keys = Array.from({ length: count }, (_, position): Key => [...prefix, position]);
  const bytes = new Uint8Array(count * CHUNK_BYTES);
  let size = 0;
  for (const { value } of await context.store.getMany(keys)) {
    if (!(value instanceof Uint8Array)) return null;
    bytes.set(value, size);
    size += value.byteLength;
  }
  return bytes.subarray(0, size);
}

async function readSpilled(context: Context, spilled: Spilled): Promise<Uint8Array> {
  const bytes = await context.objects.get(spilled.key);
  if (bytes === null || sha256(bytes) !== spilled.sha256) {
    throw new ObjectMissing(`The object of a spilled state is missing or damaged: ${spilled.key}`);
  }
  return bytes;
}

/** Whether the whole state is inside its current row. */
export function isInline(row: CurrentRow): row is CurrentRow & { body: Uint8Array } {
  return row.body !== undefined && row.parts === undefined;
}

/** The approximate size of a state that a reader will load, bytes. */
export function stateBytes(row: CurrentRow): number {
  const parts = DOCUMENT_PARTS.reduce((sum, part) => sum + (row.parts?.[part]?.bytes ?? 0), 0);
  const body = (row.body && unpackedBytes(row.body)) ?? (row.chunks ?? 0) * CHUNK_BYTES;
  return parts + body === 0 ? row.snapshot?.bytes ?? 0 : parts + body;
}

/** The state of a current row if it needs no further read, otherwise undefined. */
function inlineState<T extends EntityType>(row: CurrentRow): StateOf<T> | undefined {
  return isInline(row) ? decodeState(row.body) : undefined;
}

/** The whole state of a current row; null if its pieces were replaced and it must be read again. */
async function wholeState<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: CurrentRow,
): Promise<StateOf<T> | null> {
  const inline = inlineState<T>(row);
  if (inline !== undefined) return inline;
  const body = row.body ??
    (row.chunks === undefined
      ? null
      : await readChunks(context, stateChunkPrefix(type, id, row.n), row.chunks));
  if (row.chunks === undefined && body === null && row.snapshot !== undefined) {
    return decodeState<T>(await readSpilled(context, row.snapshot));
  }
  if (body === null) return null;
  const state = decodeState<T>(body);
  if (row.parts === undefined) return state;
  return await withParts(context, id, row, state);
}

/** Adds the spilled parts from their current copies, or from the snapshot if a copy is stale or missing. */
async function withParts<T extends EntityType>(
  context: Context,
  id: string,
  row: CurrentRow,
  state: StateOf<T>,
): Promise<StateOf<T>> {
  for (const part of DOCUMENT_PARTS) {
    const expected = row.parts?.[part];
    if (expected === undefined) continue;
    const copy = await context.objects.get(documentPartPath(id, part)).catch(() => null);
    if (copy !== null && sha256(copy) === expected.sha256) {
      Object.assign(state, { [part]: decodeState(copy) });
    } else {
      return decodeState(await readSpilled(context, row.snapshot!));
    }
  }
  return state;
}

/** Reads an entity's current row and state; `known` is an entry that was already read. */
export async function readHead<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  key: Key,
  known?: Entry<CurrentRow>,
): Promise<Head<T>> {
  let entry = known ?? await context.store.get<CurrentRow>(key);
  for (;;) {
    const row = entry.value;
    if (row === null) return { entry, row, state: null };
    if (row.gone) return { entry, row, state: null };
    let cause: unknown;
    const state = await wholeState(context, type, id, row).catch((error) => {
      cause = error;
      return null;
    });
    if (state !== null) return { entry, row, state };
    // A newer version may have replaced the pieces, or a prune may have removed the object.
    const again = await context.store.get<CurrentRow>(key);
    if (again.versionstamp === entry.versionstamp) {
      throw cause ?? new Error(`Pieces of a state are missing: ${type} ${id} version ${row.n}`);
    }
    entry = again;
  }
}

/** The state that a version recorded; null for a tombstone. */
export async function versionState<T extends EntityType>(
  context: Context,
  type: T,
  id: string,
  row: VersionRow,
): Promise<StateOf<T> | null> {
  if (row.gone) return null;
  if (row.body !== undefined) return decodeState(row.body);
  if (row.snapshot !== undefined) return decodeState(await readSpilled(context, row.snapshot));
  const bytes = await readChunks(context, stateChunkPrefix(type, id, row.n), row.chunks ?? 0);
  if (bytes === null) throw new Error(`Pieces of a version are missing: ${type} ${id} ${row.n}`);
  return decodeState(bytes);
}

/** The head of an entity that does not exist. */
export function absentHead(key: Key): AbsentHead {
  return { entry: { key, value: null, versionstamp: null }, row: null, state: null };
}

/** All living entities of a type with row and state, in order of id. */
export async function* livingEntities<T extends EntityType>(
  context: Context,
  type: T,
): AsyncGenerator<{ id: string; entry: Entry<CurrentRow>; row: CurrentRow; state: StateOf<T> }> {
  for await (const entry of context.store.list<CurrentRow>({ prefix: currentPrefix(type) })) {
    if (entry.value === null || entry.value.gone) continue;
    const id = entry.key[2] as string;
    const { entry: read, row, state } = await readHead(context, type, id, entry.key, entry);
    if (row !== null && state !== null) yield { id, entry: read, row, state };
  }
}
