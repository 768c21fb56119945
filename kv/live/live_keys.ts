/**
 * The keys of live editing: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** How far the operations on a document have come; checked and set by everything that adds or flushes. */
export const editHeadKey = (documentId: string): Key => ["edit_head", documentId];
export const editHeadPrefix: Key = ["edit_head"];
/** A piece of an operation on a document; piece 0 is the only one of most. */
export const editOpKey = (
  documentId: string,
  seq: number,
  piece: number,
): Key => ["edit_op", documentId, seq, piece];
/** Before every piece of operation `seq`. */
export const editOpStart = (documentId: string, seq: number): Key => ["edit_op", documentId, seq];
/** All operations that are kept, on every document. */
export const editOpPrefix: Key = ["edit_op"];
/** A piece of what could not be put into a document and waits for its editors. */
export const editHeldKey = (
  documentId: string,
  piece: number,
): Key => ["edit_held", documentId, piece];
/** A user who has a document open. */
export const editPresenceKey = (
  documentId: string,
  connectionId: string,
): Key => ["edit_presence", documentId, connectionId];
/** Everybody who has a document open. */
export const editPresencePrefix = (documentId: string): Key => ["edit_presence", documentId];
/** Touched whenever a user opens or leaves a document, or moves in it. */
export const editPresenceStampKey = (
  documentId: string,
): Key => ["edit_presence_stamp", documentId];
/** The stamps of all documents. */
export const editPresenceStampPrefix: Key = ["edit_presence_stamp"];
