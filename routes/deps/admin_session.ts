/**
 * The session of an admin request, and the variables of its context.
 *
 * @module
 */
import type { AuditNote } from "../../kv/model/audit_note.ts";
import type { DocumentRights } from "../../kv/model/entities/document_rights.ts";
import type { Permission } from "../../kv/model/entities/permission.ts";

/** The session of an admin request, set by `routes/middleware/session.ts`. */
export interface AdminSession {
  userId: string;
  /** Hash of the session's secret: its key in the store. */
  hash: string;
  /** Whether its user signed in, or named their password, in the last quarter of an hour. */
  isProven: boolean;
  permissions: ReadonlySet<Permission>;
  /** The user's rights in documents, by collection. */
  documents: DocumentRights;
  /** Whether one of the user's roles is administrator. */
  administrator: boolean;
  /** The name of the role that the user previews: the rights above are those of the role alone. */
  previewedRole?: string;
  /** The OAuth grant of the request, instead of a session with a cookie. */
  grantId?: string;
  /** The name of the program that acts for the user. */
  via?: string;
  /** The audit log entry of the request, written if it succeeds. */
  audit?: AuditNote;
}

/** Variables of an admin request. */
export interface AdminEnv {
  Variables: {
    session: AdminSession;
    requestId: string;
    /** The name of the API token of the request, where those are accepted. */
    tokenName?: string;
    /** Makes the note of an act that the request is about to do. */
    noteAct?: (event: string, tokenId: string | null) => AuditNote;
  };
}
