/**
 * The edit log: the edits of a document in one order for all processes. A process that appends one checks and
 * sets the head, so each number is used once. An appended edit is durable, and stays until it is flushed.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob } from "../jobs/jobs.ts";
import { editHeadKey, editHeldKey, editOpKey, editOpPrefix, editOpStart } from "./live_keys.ts";
import { CHUNK_BYTES } from "../limits/store.ts";
import type { Json } from "../model/entities/entity.ts";
import type { Detail, RefusalCode } from "../refusals.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { KEPT_EDITS_MAX, TRIMMED_PIECES_MAX } from "../tuning.ts";

/** When a job flushes the edits if no connected process does, milliseconds after the first one. */
const FLUSH_JOB_MS = 5_000;
/** How long flushed edits are kept after the last edit of a document, milliseconds. */
const KEPT_MS = 86_400_000;

/** The head of an edit log. */
export interface EditHead {
  /** Number of the last edit. */
  seq: number;
  /** Number of the last flushed edit. */
  flushed: number;
  /** The document version of the last flush. */
  n: number;
  /** The oldest edit that is kept. */
  oldest: number;
  /** Pieces of the held values. */
  held: number;
  /** The version with the edit that was set aside last. */
  aside?: number;
}

/** The head before the first edit. */
export const NO_EDITS: EditHead = { seq: 0, flushed: 0, n: 0, oldest: 1, held: 0 };

/** An edit as stored. */
export interface EditOperation {
  /** A ULID: it shows whether an append of unknown outcome took place. */
  id: string;
  seq: number;
  /** User. */
  by: string;
  /** Milliseconds. */
  at: number;
  /** The client and its number for the edit: a client that reconnects sends unacknowledged edits again. */
  client: string | null;
  clientSeq: number;
  set: { [path: string]: Json };
  unset: string[];
  /** Storage keys of the fields that the paths begin with: they stay valid when a field is renamed. */
  keys: { [name: string]: string };
  /** The translation that it changes; absent for the original. */
  language?: string;
}

/** A value that did not fit the document when it was flushed. */
export interface HeldValue {
  /** Its first step is a root. */
  steps: string[];
  value: Json;
  by: string;
  code: RefusalCode;
  details: Detail[];
}

interface Piece {
  bytes: Uint8Array;
  /** The total number of pieces. */
  of: number;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The number of edits that are not flushed yet. */
export function pendingOf(head: EditHead): number {
  return head.seq - head.flushed;
}

/** Reads the head. */
export async function readEditHead(store: Store, documentId: string): Promise<Entry<EditHead>> {
  return await store.get<EditHead>(editHeadKey(documentId));
}

/** Appends edits in a commit, after the head that was read; returns the next head. */
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

/** Edits `from` to `to`, both included, as far as they are kept. */
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
    parts.push(value.bytes);
    if (parts.length === value.of) found.push(JSON.parse(decoder.decode(joined(parts))));
  }
  return found;
}

/** Deletes flushed edits beyond those that are kept, in a commit. */
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
    : rows.at(-1)?.key[2] as number;
  return { ...head, oldest };
}

/** The held values of a document. */
export async function readHeld(
  store: Store,
  documentId: string,
  head: EditHead,
): Promise<HeldValue[]> {
  if (head.held === 0) return [];
  const keys = Array.from({ length: head.held }, (_, at) => editHeldKey(documentId, at));
  const entries = await store.getMany(keys) as Entry<Piece>[];
  const pieces = entries.flatMap(({ value }) => value === null ? [] : [value.bytes]);
  return pieces.length < head.held ? [] : JSON.parse(decoder.decode(joined(pieces)));
}

/** Replaces the held values. */
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
 * Deletes flushed edits of documents that are no longer edited, from a position on; returns where to continue,
 * null at the end.
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
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
