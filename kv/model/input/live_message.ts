/**
 * The messages of a live connection, in both directions.
 *
 * @module
 */
import { z } from "zod";
import { EDIT_PATHS_MAX, FIELD_PATH_CHARS_MAX } from "../../limits/content.ts";
import type { Detail, RefusalCode } from "../../refusals.ts";
import { TextPosition } from "../comment_anchor.ts";
import type { Json } from "../entities/entity.ts";

const Path = z.string().min(1).max(FIELD_PATH_CHARS_MAX);
const json: z.ZodType<Json> = z.any();

const EditMessage = z.object({
  type: z.literal("op"),
  clientSeq: z.int().min(0),
  set: z.record(Path, json).default({}),
  unset: z.array(Path).max(EDIT_PATHS_MAX).default([]),
  /** Refuse it with CONFLICT when others have changed the same since this operation. */
  base: z.int().min(0).optional(),
}).refine(({ set, unset }) => Object.keys(set).length + unset.length <= EDIT_PATHS_MAX)
  .refine(({ set, unset }) => Object.keys(set).length + unset.length > 0);

/** A change of a document that a client asks for: what is unset goes first. */
export type EditMessage = z.infer<typeof EditMessage>;

/** A selection in a rich text: where it began, and its cursor. Both are the same while nothing is selected. */
const TextSelection = z.strictObject({ anchor: TextPosition, head: TextPosition });
export type TextSelection = z.infer<typeof TextSelection>;

const PresenceMessage = z.object({
  type: z.literal("presence"),
  path: Path.nullable(),
  selection: TextSelection.nullable().default(null),
});

/** The position of an editor. */
export type PresenceMessage = z.infer<typeof PresenceMessage>;

/** A message of a client. */
export const ClientMessage = z.discriminatedUnion("type", [
  EditMessage,
  PresenceMessage,
  // What was typed becomes a version now.
  z.object({ type: z.literal("flush") }),
]);

/** A user who has the document open. */
export interface Present {
  /** Identifies the connection: one person may have several. */
  id: string;
  userId: string;
  displayName: string;
  /** The field that the viewer is in, if known and of the same language. */
  path: string | null;
  /** The cursor and selection, if the field is a rich text. */
  selection?: TextSelection;
  /** The language that the viewer edits; absent if the collection is not localized. */
  language?: string;
  /** Set on the receiving connection. */
  you?: true;
}

/** A message of the server. */
export type ServerMessage =
  | { type: "state"; seq: number; document: Record<string, Json>; presence: Present[] }
  | { type: "ack"; clientSeq: number; seq: number }
  | { type: "op"; seq: number; by: string; set: Record<string, Json>; unset: string[] }
  | { type: "flushed"; seq: number; versionNumber: number }
  | { type: "presence"; presence: Present[] }
  // The comments on the document have changed.
  | { type: "comments" }
  | LiveError;

/** A refused operation, or (`clientSeq` null) something else that its editors should know. */
export interface LiveError {
  type: "error";
  clientSeq: number | null;
  code: RefusalCode;
  message: string;
  details?: Detail[];
}
