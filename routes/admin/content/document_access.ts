/**
 * Document permissions of routes: the permissions of a role count everywhere, its rights in single
 * collections depend on the document in the path.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler, Next } from "@hono/hono";
import type { DocumentReader } from "../../../kv/documents/reader.ts";
import {
  type DocumentAction,
  type DocumentRights,
  MEANT_BY,
} from "../../../kv/model/entities/document_rights.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { markPermission } from "../admin_permission.ts";
import { pathParameter } from "../../input/path_parameter.ts";

type Http = HttpContext<AdminEnv>;

/** The permissions that allow an action everywhere. */
function permissionsFor(action: DocumentAction): string[] {
  return Object.entries(MEANT_BY).filter(([, actions]) => actions?.includes(action))
    .map(([permission]) => permission);
}

/** Actions on an existing document. */
export type ActionOnDocument = Exclude<DocumentAction, "create" | "editOwn">;

/**
 * Admits a request if its user may perform the action on the document in the path, or if there is
 * no such document.
 */
export function maySomewhere(action: DocumentAction): MiddlewareHandler<AdminEnv> {
  return markPermission(async function maySomewhereMiddleware(c: Http, next: Next) {
    if (!c.get("session").documents.somewhere(action)) throw new Refusal("FORBIDDEN");
    await next();
  }, ...permissionsFor(action));
}

/**
 * Admits a request if its user may perform the action on the document in the path, or if there is
 * no such document.
 */
export function mayDocument(
  deps: { reader: DocumentReader },
  action: ActionOnDocument,
): MiddlewareHandler<AdminEnv> {
  return markPermission(async function mayDocumentMiddleware(c: Http, next: Next) {
    const { documents } = c.get("session");
    if (!documents.everywhere(action)) {
      const least = action === "edit" ? "editOwn" : action;
      if (!documents.somewhere(least)) throw new Refusal("FORBIDDEN");
      await refuseOnDocument(deps, c.get("session"), action, pathParameter(c, "id"));
    }
    await next();
  }, ...permissionsFor(action));
}

/** Refuses with FORBIDDEN unless the user may perform the action on an existing document. */
export async function refuseOnDocument(
  { reader }: { reader: DocumentReader },
  { documents }: { documents: DocumentRights },
  action: ActionOnDocument,
  id: string,
): Promise<void> {
  if (documents.everywhere(action)) return;
  const stored = isUlid(id) ? await reader.find(id) : null;
  if (stored !== null && !documents.on(action, stored.state)) throw new Refusal("FORBIDDEN");
}

/** Whether the user may change only drafts of the document, not what is public. */
export async function draftsOnly(
  { reader }: { reader: DocumentReader },
  c: HttpContext<AdminEnv>,
): Promise<boolean> {
  const { documents } = c.get("session");
  if (documents.everywhere("publish")) return false;
  if (!documents.somewhere("publish")) return true;
  const id = c.req.param("id");
  const stored = id !== undefined && isUlid(id) ? await reader.find(id) : null;
  return stored === null || !documents.on("publish", stored.state);
}

/** Refuses with FORBIDDEN the history of a document that the user may not see, or that no longer exists. */
export async function requireReadableDocument(
  { reader }: { reader: DocumentReader },
  { documents }: { documents: DocumentRights },
  id: string,
): Promise<void> {
  if (documents.everywhere("read")) return;
  const stored = isUlid(id) && documents.somewhere("read") ? await reader.find(id) : null;
  if (stored === null || !documents.on("read", stored.state)) throw new Refusal("FORBIDDEN");
}
