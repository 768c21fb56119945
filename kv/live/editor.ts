/**
 * A connection of somebody who edits a document, as the room sees it.
 *
 * @module
 */
import type { LiveError, OperationMessage, ServerMessage } from "../model/live_message.ts";
import { Refusal, type RefusalCode } from "../refusals.ts";

/** Why the server ends a connection. */
export type EndReason = "gone" | "lost" | "stopping";

/** Somebody who edits. */
export interface Editor {
  /** Stands for the connection. */
  id: string;
  userId: string;
  displayName: string;
  /** What his program calls itself, so that it can send again what was not acknowledged; or null. */
  client: string | null;
  path: string | null;
  /** Whether he may not publish: what is public, or will be, is not his to change. */
  draftsOnly: boolean;
  send(message: ServerMessage): void;
  end(reason: EndReason): void;
}

/** An operation on its way into the log. */
export interface Submission {
  /** A ULID. */
  id: string;
  editor: Editor;
  message: OperationMessage;
}

/** The message that refuses an operation, or tells of something that was held back. */
export function errorMessage(error: Refusal, clientSeq: number | null): LiveError {
  const { details } = error.facts;
  const reasons = details?.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return {
    type: "error",
    clientSeq,
    code: error.code,
    message: reasons ? `${error.message}: ${reasons}` : error.message,
    ...(details && { details }),
  };
}

/** Refuses a message. */
export function refuse(editor: Editor, clientSeq: number | null, code: RefusalCode): void {
  editor.send(errorMessage(new Refusal(code), clientSeq));
}
