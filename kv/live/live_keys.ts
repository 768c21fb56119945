/**
 * The keys of live editing: the rest of the keyspace is in `kv/keys.ts`.
 *
 * @module
 */
import type { Key } from "../keys.ts";

/** The head of an edit log; checked and set by every append and flush. */
export const editHeadKey = (documentId: string): Key => ["edit_head", documentId];
export const editHeadPrefix: Key = ["edit_head"];
/** A piece of an edit; most have only piece 0. */
export const editOpKey = (
  documentId: string,
  seq: number,
  piece: number,
): Key => ["edit_op", documentId, seq, piece];
/** Before every piece of edit `seq`. */
export const editOpStart = (documentId: string, seq: number): Key => ["edit_op", documentId, seq];
/** All edits that are kept, of every document. */
export const editOpPrefix: Key = ["edit_op"];
/** A piece of a document's held values. */
export const editHeldKey = (
  documentId: string,
  piece: number,
): Key => ["edit_held", documentId, piece];
/** A user who has a document open. */
export const editPresenceKey = (
  documentId: string,
  connectionId: string,
): Key => ["edit_presence", documentId, connectionId];
/** All users who have a document open. */
export const editPresencePrefix = (documentId: string): Key => ["edit_presence", documentId];
/** Touched whenever a user opens or leaves a document, or moves in it. */
export const editPresenceStampKey = (
  documentId: string,
): Key => ["edit_presence_stamp", documentId];
/** The stamps of all documents. */
export const editPresenceStampPrefix: Key = ["edit_presence_stamp"];
