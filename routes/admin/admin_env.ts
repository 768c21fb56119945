/**
 * The environment of admin routes: the session, the required permission, and the actor of writes.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import type { AuditNote } from "../../kv/model/audit_note.ts";
import type { Actor } from "../../kv/model/entities/entity.ts";
import type { DocumentRights } from "../../kv/model/entities/document_rights.ts";
import type { Permission } from "../../kv/model/entities/permission.ts";
import { Refusal } from "../../kv/refusals.ts";
import { type Paging, parsePaging } from "../query/paging.ts";

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
  /** The audit log entry of the request, written if it succeeds. */
  audit?: AuditNote;
}

/** Variables of an admin request. */
export interface AdminEnv {
  Variables: {
    session: AdminSession;
    requestId: string;
    /** Makes the note of an act that the request is about to do. */
    noteAct?: (event: string, tokenId: string | null) => AuditNote;
  };
}

/** Lets a request through whose user has the permission; FORBIDDEN otherwise. */
export function may(permission: Permission): MiddlewareHandler<AdminEnv> {
  return async function mayMiddleware(c, next) {
    if (!c.get("session").permissions.has(permission)) throw new Refusal("FORBIDDEN");
    await next();
  };
}

/** Lets administrators through. */
export async function administratorOnly(
  c: HttpContext<AdminEnv>,
  next: () => Promise<void>,
): Promise<void> {
  if (!c.get("session").administrator) throw new Refusal("FORBIDDEN");
  await next();
}

/** The actor of this request. */
export function actorOf(c: HttpContext<AdminEnv>): Actor {
  const { userId, audit } = c.get("session");
  return { userId, audit };
}

/** The list envelope of one page of `all`. */
export function pageOf<T>(c: HttpContext<AdminEnv>, all: readonly T[]): {
  data: T[];
  meta: Paging & { total: number };
} {
  const paging = parsePaging(new URL(c.req.url).searchParams);
  const start = (paging.page - 1) * paging.perPage;
  return {
    data: all.slice(start, start + paging.perPage),
    meta: { ...paging, total: all.length },
  };
}
