/**
 * A connection to an editing session.
 *
 * @module
 */
import type { EditMessage, LiveError, ServerMessage } from "../model/input/live_message.ts";
import { Refusal, type RefusalCode } from "../refusals.ts";

/** Why the server ends a connection. */
export type EndReason = "gone" | "lost" | "stopping";

/** A connected editor. */
export interface Editor {
  /** Stands for the connection. */
  id: string;
  userId: string;
  displayName: string;
  /** The name of the client program, by which operations that are sent again are recognised; or null. */
  client: string | null;
  path: string | null;
  /** Whether the user may not publish, and so may not change what will be public without anybody. */
  draftsOnly: boolean;
  send(message: ServerMessage): void;
  end(reason: EndReason): void;
}

/** An operation on its way into the log. */
export interface Submission {
  /** A ULID. */
  id: string;
  editor: Editor;
  message: EditMessage;
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

/** The message that an edit could not be put into the document, and where it is. */
export function setAsideMessage(versionNumber: number): LiveError {
  const { code, message } = new Refusal("PAYLOAD_TOO_LARGE");
  const where = `what was typed is version ${versionNumber} of the history`;
  return { type: "error", clientSeq: null, code, message: `${message}: ${where}` };
}

/** Refuses a message. */
export function refuse(editor: Editor, clientSeq: number | null, code: RefusalCode): void {
  editor.send(errorMessage(new Refusal(code), clientSeq));
}
