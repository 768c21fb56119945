/**
 * A connection to an editing session.
 *
 * @module
 */
import type {
  EditMessage,
  LiveError,
  ServerMessage,
  TextSelection,
} from "../model/input/live_message.ts";
import { Refusal, type RefusalCode } from "../refusals.ts";
import type { EditOperation } from "./edit_log.ts";

/** Why the server ends a connection. */
export type EndReason = "gone" | "lost" | "stopping" | "signed out";

/** A connected editor. */
export interface Editor {
  /** Identifies the connection. */
  id: string;
  userId: string;
  displayName: string;
  /** The name of the client program, which identifies repeated edits; or null. */
  client: string | null;
  path: string | null;
  /** The selection within the field at the path; absent outside of rich text. */
  selection?: TextSelection;
  /** The language of the translation that is edited; absent for the original. */
  translation?: string;
  /** The language of what is edited; absent if the collection is not localized. */
  language?: string;
  /** Whether the user may not publish, and so may not change a document that will become public. */
  draftsOnly: boolean;
  send(message: ServerMessage): void;
  end(reason: EndReason): void;
}

/** An edit on its way into the log. */
export interface Submission {
  /** A ULID. */
  id: string;
  editor: Editor;
  message: EditMessage;
}

/** The message that announces an edit: without its changes to editors of other languages, who only count it. */
export function operationFor(
  { translation }: Editor,
  { seq, by, set, unset, language }: EditOperation,
): ServerMessage {
  const isShown = language === translation;
  return { type: "op", seq, by, set: isShown ? set : {}, unset: isShown ? unset : [] };
}

/** The message that refuses an edit, or reports a held value. */
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

/** The message that an edit was set aside, and where. */
export function setAsideMessage(versionNumber: number): LiveError {
  const { code, message } = new Refusal("PAYLOAD_TOO_LARGE");
  const where = `what was typed is version ${versionNumber} of the history`;
  return { type: "error", clientSeq: null, code, message: `${message}: ${where}` };
}

/** Refuses an edit. */
export function refuse(editor: Editor, clientSeq: number | null, code: RefusalCode): void {
  editor.send(errorMessage(new Refusal(code), clientSeq));
}
