/**
 * The operations on a document, in one order for all processes: a process that adds one checks and sets the
 * head, so each number is given once. What was added is durable, and stays until it is flushed.
 *
 * @module
 */
import type { Context } from "../versioning/context.ts";
import { addJob } from "../jobs/jobs.ts";
import { editHeadKey, editHeldKey, editOpKey, editOpPrefix, editOpStart } from "./live_keys.ts";
import { CHUNK_BYTES } from "../limits.ts";
import type { Json } from "../model/entities/entity.ts";
import type { Detail, RefusalCode } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { KEPT_EDITS_MAX, TRIMMED_PIECES_MAX } from "../tuning.ts";

/** When a job flushes what no process with a connection has, milliseconds after the first operation. */
const FLUSH_JOB_MS = 5_000;
/** How long flushed operations are kept after the last edit of a document, milliseconds. */
const KEPT_MS = 86_400_000;

/** How far the operations on a document have come. */
export interface EditHead {
  /** Number of the last operation. */
  seq: number;
  /** Number of the last one that is in the document. */
  flushed: number;
  /** The document's version that holds it. */
  n: number;
  /** The oldest operation that is kept. */
  oldest: number;
  /** Pieces of what is held back. */
  held: number;
  /** The version that holds what was set aside last. */
  aside?: number;
}

/** Before the first operation. */
export const NO_EDITS: EditHead = { seq: 0, flushed: 0, n: 0, oldest: 1, held: 0 };

/** An operation as it is kept. */
export interface EditOperation {
  /** A ULID: it shows whether an addition of unknown outcome took place. */
  id: string;
  seq: number;
  /** User. */
  by: string;
  /** Milliseconds. */
  at: number;
  /** Who sent it, and as which: a client that comes back sends what was not acknowledged again. */
  client: string | null;
  clientSeq: number;
  set: { [path: string]: Json };
  unset: string[];
  /** The storage keys of the fields that the paths begin with: they stay when a field is renamed. */
  keys: { [name: string]: string };
}

/** A value that could not be put into the document when its turn came. */
export interface HeldValue {
  /** Its first step is `title`, `slug`, `blocks` or a storage key. */
  steps: string[];
  value: Json;
  by: string;
  code: RefusalCode;
  details: Detail[];
}

interface Piece {
  bytes: Uint8Array;
  /** Pieces in all. */
  of: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Operations that are not in the document yet. */
export function pendingOf(head: EditHead): number {
  return head.seq - head.flushed;
}

/** Reads the head. */
export async function readEditHead(store: Store, documentId: string): Promise<Entry<EditHead>> {
  return await store.get<EditHead>(editHeadKey(documentId));
}

/** Adds operations to a commit, behind the head that was read; answers the next head. */
export function stageEdits(
  operation: Operation,
  context: Context,
  documentId: string,
  entry: Entry<EditHead>,
  added: readonly EditOperation[],
): EditHead {
  const head = entry.value ?? NO_EDITS;
  const next = { ...head, seq: head.seq + added.length };
  operation.check({ key: editHeadKey(documentId), versionstamp: entry.versionstamp })
    .set(editHeadKey(documentId), next);
  for (const one of added) {
    pieces(one).forEach((piece, at) => operation.set(editOpKey(documentId, one.seq, at), piece));
  }
  if (pendingOf(head) === 0) {
    const dueAt = context.now() + FLUSH_JOB_MS;
    const payload = { documentId };
    addJob(operation, context, {
      type: "FLUSH_EDITS",
      name: flushName(documentId),
      payload,
      dueAt,
    });
  }
  return next;
}

/** The name of the job that flushes a document if no other process does. */
export function flushName(documentId: string): string {
  return `flush ${documentId}`;
}

/** Operations `from` to `to`, both included, as far as they are kept. */
export async function readEdits(
  store: Store,
  documentId: string,
  from: number,
  to: number,
): Promise<EditOperation[]> {
  if (to < from) return [];
  const range = { start: editOpStart(documentId, from), end: editOpStart(documentId, to + 1) };
  const found: EditOperation[] = [];
  let parts: Uint8Array[] = [];
  for await (const { key, value } of store.list<Piece>(range)) {
    if (key[3] === 0) parts = [];
    parts.push(value!.bytes);
    if (parts.length === value!.of) found.push(JSON.parse(decoder.decode(joined(parts))));
  }
  return found;
}

/** Adds the deletion of flushed operations beyond those that are kept. */
export async function stageTrim(
  operation: Operation,
  store: Store,
  documentId: string,
  head: EditHead,
): Promise<EditHead> {
  const end = editOpStart(documentId, head.flushed - KEPT_EDITS_MAX + 1);
  if (head.flushed - KEPT_EDITS_MAX < head.oldest) return head;
  const range = { start: editOpStart(documentId, head.oldest), end };
  const rows = await store.listAll(range, { limit: TRIMMED_PIECES_MAX });
  for (const { key } of rows) operation.delete(key);
  const oldest = rows.length < TRIMMED_PIECES_MAX
    ? head.flushed - KEPT_EDITS_MAX + 1
    : rows.at(-1)!.key[2] as number;
  return { ...head, oldest };
}

/** What is held back from a document. */
export async function readHeld(
  store: Store,
  documentId: string,
  head: EditHead,
): Promise<HeldValue[]> {
  if (head.held === 0) return [];
  const keys = Array.from({ length: head.held }, (_, at) => editHeldKey(documentId, at));
  const entries = await store.getMany(keys) as Entry<Piece>[];
  if (entries.some(({ value }) => value === null)) return [];
  return JSON.parse(decoder.decode(joined(entries.map(({ value }) => value!.bytes))));
}

/** Replaces what is held back. */
export function stageHeld(
  operation: Operation,
  documentId: string,
  head: EditHead,
  held: readonly HeldValue[],
): EditHead {
  const parts = held.length === 0 ? [] : pieces(held);
  parts.forEach((part, at) => operation.set(editHeldKey(documentId, at), part));
  for (let at = parts.length; at < head.held; at++) operation.delete(editHeldKey(documentId, at));
  return { ...head, held: parts.length };
}

/**
 * Deletes the flushed operations of documents that are no longer edited, from a position on; answers
 * where to continue, null at the end.
 */
export async function trimEditLogs(
  context: Pick<Context, "store" | "now">,
  from: string | null,
): Promise<string | null> {
  const { store } = context;
  const start = from === null ? {} : { start: [...editOpPrefix, from] };
  const rows = await store.listAll<Piece>({ prefix: editOpPrefix, ...start }, { limit: 1 });
  const documentId = rows[0]?.key[1] as string | undefined;
  if (documentId === undefined) return null;
  const { value: head } = await readEditHead(store, documentId);
  const [last] = head === null
    ? []
    : await readEdits(store, documentId, head.flushed, head.flushed);
  if (head !== null && (last === undefined || context.now() - last.at > KEPT_MS)) {
    const end = editOpStart(documentId, head.flushed + 1);
    const old = await store.listAll({ start: editOpStart(documentId, 0), end });
    const operation = new Operation();
    for (const { key } of old.slice(0, TRIMMED_PIECES_MAX)) operation.delete(key);
    if (old.length > 0) await store.commit(operation);
    if (old.length > TRIMMED_PIECES_MAX) return documentId;
  }
  return `${documentId}\0`;
}

function pieces(value: unknown): Piece[] {
  const bytes = encoder.encode(JSON.stringify(value));
  const of = Math.max(1, Math.ceil(bytes.length / CHUNK_BYTES));
  return Array.from({ length: of }, (_, at) => ({
    bytes: bytes.slice(at * CHUNK_BYTES, (at + 1) * CHUNK_BYTES),
    of,
  }));
}

function joined(parts: Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]!;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
