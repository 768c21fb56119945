/**
 * Every endpoint of the admin API on one page: who may use it, what it takes, and which are lists.
 *
 * @module
 */
import type { Hono } from "@hono/hono";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { NO_ID } from "./headless.ts";

/** Built-in roles, each of which may do what the one before may. */
export const ROLES = ["viewer", "author", "editor", "administrator"] as const;

/** The least that an endpoint asks for: nothing, a session, or a role. */
export type Least = "open" | "session" | typeof ROLES[number];

/**
 * Which body an endpoint reads: `any` reads JSON when there is a body, `package` JSON or multipart, `late`
 * JSON once it has found what the path names.
 */
export type BodyKind =
  | "none"
  | "json"
  | "late"
  | "any"
  | "multipart"
  | "gzip"
  | "package"
  | "xliff";

/** An endpoint. */
export interface Endpoint {
  method: string;
  path: string;
  least: Least;
  body: BodyKind;
  isList: boolean;
}

const TABLE = `
  GET    /_meta                                      session
  GET    /schema                                     viewer
  POST   /schema/diff                                viewer         json
  POST   /schema/push                                administrator  json
  POST   /schema/pushes/:id/revert                   administrator
  GET    /schema/jobs/:id                            viewer
  GET    /setup                                      open
  POST   /setup                                      open           json
  POST   /setup/code                                 open           json
  GET    /session                                    session
  POST   /session                                    open           json
  POST   /session/prove                              session        json
  PUT    /session/preview                            editor         json
  DELETE /session/preview                            session
  DELETE /session                                    session
  POST   /password-reset                             open           json
  POST   /password-reset/confirm                     open           json
  POST   /address-confirmation                       open           json
  POST   /session/second-factor                      open           json
  POST   /session/passkey                            open           json
  POST   /session/passkey/options                    open           any
  GET    /account                                    session
  GET    /account/grants                             session        list
  DELETE /account/grants/:id                         session
  POST   /account/identities/:id/link                session
  DELETE /account/identities/:id                     session
  POST   /account/passkeys                           session        json
  POST   /account/passkeys/options                   session
  PATCH  /account/passkeys/:id                       session        json
  DELETE /account/passkeys/:id                       session
  POST   /account/recovery-codes                     session
  POST   /account/totp                               session
  PUT    /account/totp                               session        json
  DELETE /account/totp                               session        json
  POST   /auth/providers/:id/test                    administrator  late
  POST   /users/:id/disable                          administrator
  POST   /users/:id/enable                           administrator
  DELETE /users/:id/factors                          administrator
  GET    /audit                                      administrator  list
  GET    /blocks                                     viewer         list
  POST   /blocks                                     administrator  json
  GET    /blocks/:name                               viewer
  PATCH  /blocks/:name                               administrator  json
  DELETE /blocks/:name                               administrator
  GET    /collections                                viewer         list
  POST   /collections                                administrator  json
  GET    /collections/:slug                          viewer
  PATCH  /collections/:slug                          administrator  json
  DELETE /collections/:slug                          administrator
  POST   /collections/:slug/fields                   administrator  json
  GET    /collections/:slug/fields/:name             viewer
  PATCH  /collections/:slug/fields/:name             administrator  json
  DELETE /collections/:slug/fields/:name             administrator
  GET    /documents                                  viewer         list
  POST   /documents                                  author         json
  GET    /documents/:id                              viewer
  PATCH  /documents/:id                              author         json
  DELETE /documents/:id                              author
  GET    /documents/:id/working-copy                 viewer
  PATCH  /documents/:id/working-copy                 author         json
  DELETE /documents/:id/working-copy                 author
  GET    /documents/:id/translations                 viewer
  GET    /documents/:id/translations/:language       viewer
  PUT    /documents/:id/translations/:language       author         json
  PATCH  /documents/:id/translations/:language       author         json
  DELETE /documents/:id/translations/:language       author
  GET    /documents/:id/translations/:language/live  author
  GET    /documents/:id/translations/:language/working-copy viewer
  PATCH  /documents/:id/translations/:language/working-copy author         json
  DELETE /documents/:id/translations/:language/working-copy author
  POST   /documents/:id/translations/:language/publish editor
  POST   /documents/:id/translations/:language/unpublish editor
  POST   /documents/:id/translations/:language/schedule editor         json
  POST   /documents/:id/translations/:language/accept author         any
  POST   /documents/:id/translations/:language/copy  author         json
  POST   /documents/:id/translations/:language/preview author
  POST   /documents/:id/translations/:language/review author         any
  POST   /documents/:id/translations/:language/review/return editor  any
  DELETE /documents/:id/translations/:language/review author
  POST   /documents/:id/original                     editor         json
  GET    /translations                               viewer
  POST   /translations/export                        author         json
  GET    /translations/exports/:jobId                author
  POST   /translations/import                        author         xliff
  POST   /documents/:id/preview                      author
  POST   /documents/:id/publish                      editor
  POST   /documents/:id/review                       author         any
  DELETE /documents/:id/review                       author
  POST   /documents/:id/review/return                editor         any
  GET    /documents/:id/comments                     viewer
  POST   /documents/:id/comments                     author         json
  PATCH  /documents/:id/comments/:commentId          author         json
  DELETE /documents/:id/comments/:commentId          author
  GET    /notifications                              viewer
  POST   /notifications/read                         viewer         json
  GET    /previews                                   viewer         list
  DELETE /previews/:id                               author
  POST   /documents/:id/unpublish                    editor
  POST   /documents/:id/archive                      editor
  POST   /documents/:id/untrash                      author
  POST   /documents/:id/remove                       author
  POST   /documents/:id/schedule                     editor         json
  GET    /documents/:id/live                         author
  POST   /example-site/seed                          administrator
  POST   /explorer-token                             viewer
  GET    /exports                                    administrator  list
  POST   /exports                                    administrator  any
  GET    /exports/:id                                administrator
  POST   /imports                                    administrator  gzip
  GET    /jobs                                       editor         list
  GET    /jobs/:id                                   editor
  GET    /jobs/:id/lost                              editor
  POST   /jobs/:id/retry                             administrator
  POST   /jobs/:id/cancel                            administrator
  GET    /media                                      viewer         list
  POST   /media                                      author         multipart
  GET    /media/limits                               viewer
  POST   /media/import                               author         json
  GET    /media/folders                              viewer
  POST   /media/folders/move                         author         json
  POST   /media/organize                             author         json
  GET    /media/missing                              administrator  list
  POST   /media/missing                              administrator  multipart
  POST   /media/missing/archive                      administrator  gzip
  GET    /media/:id                                  viewer
  PATCH  /media/:id                                  author         json
  DELETE /media/:id                                  author
  PUT    /media/:id/file                             author         multipart
  POST   /media/:id/undelete                         author
  GET    /media/:id/uses                             viewer
  GET    /plugins                                    administrator  list
  POST   /plugins                                    administrator  package
  GET    /plugins/:id                                administrator
  DELETE /plugins/:id                                administrator
  POST   /plugins/:id/enable                         administrator
  POST   /plugins/:id/disable                        administrator
  GET    /plugins/:id/config                         administrator
  PUT    /plugins/:id/config                         administrator  late
  POST   /plugins/:id/secret                         administrator
  GET    /plugins/:id/deliveries                     administrator
  POST   /plugins/:id/deliveries/:deliveryId/resend  administrator
  POST   /restore                                    administrator  json
  GET    /roles                                      editor         list
  POST   /roles                                      administrator  json
  GET    /roles/:id                                  editor
  PATCH  /roles/:id                                  administrator  json
  DELETE /roles/:id                                  administrator
  POST   /search/rebuild                             administrator  json
  GET    /sessions                                   session        list
  DELETE /sessions                                   session
  DELETE /sessions/:id                               session
  GET    /settings                                   editor
  PATCH  /settings                                   administrator  json
  POST   /settings/test-mail                         administrator
  GET    /state-at                                   administrator
  GET    /state-at/diff                              administrator
  GET    /themes                                     administrator  list
  POST   /themes                                     administrator  package
  GET    /themes/built-in                            administrator  list
  GET    /themes/:id                                 administrator
  DELETE /themes/:id                                 administrator
  GET    /themes/:id/preview                         administrator
  POST   /themes/:id/activate                        administrator
  GET    /tokens                                     administrator  list
  POST   /tokens                                     administrator  json
  GET    /tokens/:id                                 administrator
  PATCH  /tokens/:id                                 administrator  json
  DELETE /tokens/:id                                 administrator
  POST   /tokens/:id/rotate                          administrator  any
  GET    /transfers                                  administrator  list
  POST   /transfers                                  administrator  package
  GET    /transfers/:id                              administrator
  POST   /transfers/export                           administrator  json
  GET    /transfers/exports/:jobId                   administrator
  PATCH  /transfers/:id                              administrator  json
  GET    /transfers/:id/report                       administrator
  GET    /transfers/:id/sample                       administrator
  POST   /transfers/:id/cancel                       administrator
  POST   /transfers/:id/files                        administrator  late
  POST   /transfers/:id/pause                        administrator
  POST   /transfers/:id/resume                       administrator
  POST   /transfers/:id/retry                        administrator  json
  POST   /transfers/:id/run                          administrator  any
  POST   /transfers/:id/undo                         administrator
  GET    /redirects                                  editor         list
  GET    /releases                                   viewer         list
  POST   /releases                                   author         json
  GET    /releases/:id                               viewer
  PATCH  /releases/:id                               author         json
  DELETE /releases/:id                               author
  PUT    /releases/:id/documents/:documentId         author         json
  DELETE /releases/:id/documents/:documentId         author
  GET    /releases/:id/check                         viewer
  POST   /releases/:id/preview                       author         any
  POST   /releases/:id/publish                       editor
  POST   /releases/:id/revert                        editor
  GET    /webhooks                                   administrator  list
  POST   /webhooks                                   administrator  json
  GET    /webhooks/:id                               administrator
  PATCH  /webhooks/:id                               administrator  json
  DELETE /webhooks/:id                               administrator
  POST   /webhooks/:id/rotate-secret                 administrator
  POST   /webhooks/:id/test                          administrator
  POST   /webhooks/:id/replay                        administrator  json
  GET    /webhooks/:id/deliveries                    administrator
  POST   /webhooks/:id/deliveries/:deliveryId/resend administrator
  GET    /users                                      editor         list
  POST   /users                                      administrator  json
  GET    /users/:id                                  editor
  PATCH  /users/:id                                  administrator  json
  DELETE /users/:id                                  administrator
  POST   /users/:id/invitation                       administrator
  GET    /users/:id/sessions                         administrator
  DELETE /users/:id/sessions                         administrator
  DELETE /users/:id/sessions/:sessionId              administrator
  GET    /versions/:entityType/:entityId             viewer
  GET    /versions/:versionId                        viewer
  PATCH  /versions/:versionId                        author         json
  GET    /versions/:versionId/diff                   viewer
  POST   /versions/:versionId/restore                administrator
  GET    /views                                      viewer         list
  POST   /views                                      viewer         json
  DELETE /views/:id                                  viewer
`;

/** The table's endpoints. */
export const ENDPOINTS: readonly Endpoint[] = TABLE.trim().split("\n").map((line) => {
  const [method, path, least, kind] = line.trim().split(/\s+/);
  const body = kind === undefined || kind === "list" ? "none" : kind;
  return {
    method: method!,
    path: path!,
    least: least as Least,
    body: body as BodyKind,
    isList: kind === "list",
  };
});

/** The endpoints that an application has, as `METHOD /path` below `/api/admin`. */
export function servedEndpoints(app: Hono): string[] {
  const served = app.routes
    .filter(({ method, path }) => method !== "ALL" && path.startsWith("/api/admin/"))
    .map(({ method, path }) => `${method} ${path.slice("/api/admin".length)}`);
  return [...new Set(served)].sort();
}

/** The table's endpoints that an application has. */
export function endpointsOf(app: Hono): Endpoint[] {
  const served = new Set(servedEndpoints(app));
  return ENDPOINTS.filter(({ method, path }) => served.has(`${method} ${path}`));
}

/** The path with something in place of its parameters that is not there. */
export function pathOf({ path }: Endpoint): string {
  return path.replace(":entityType", "document").replace(/:\w*[iI]d\b/g, NO_ID)
    .replace(/:\w+/g, "nothing");
}

/** A body that is well-formed and says nothing; undefined where none is read. */
export function emptyBody({ body }: Endpoint): Json | undefined {
  return body === "none" ? undefined : {};
}
