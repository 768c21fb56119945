/**
 * The data of every version: a state as JSON, and its author.
 *
 * @module
 */
import type { AuditNote } from "../audit_note.ts";

/** JSON as it arrives and leaves. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** The state of an entity: a JSON object, or `null` for a deleted entity. */
export type State = Record<string, Json>;

/** The author of a write. */
export interface Actor {
  /** The user, or null for API tokens and unattended work. */
  userId: string | null;
  /** Added in front of the change summary: the token's name, the job's type. */
  via?: string;
  /** The languages of a document in which it may do something, null for all; absent: all of every document. */
  languagesOn?: (
    action: "create" | "edit" | "publish" | "delete",
    document: { collectionId: string; createdBy?: string },
  ) => readonly string[] | null;
  /** The note for the audit log; the first commit of the actor records it. */
  audit?: AuditNote | undefined;
}

/** Unattended work: a schedule that came due, a migration, a sweep. */
export const UNATTENDED: Actor = { userId: null };
