/**
 * `/api/v1`: the headless API.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { scopesOfToken } from "../../kv/people/tokens.ts";
import type { Deps } from "../deps/deps.ts";
import { closeMethods } from "../middleware/methods.ts";
import { ownOrigin } from "../middleware/own_origin.ts";
import { sessionSecret } from "../middleware/session_cookie.ts";
import { bearerRoutes } from "./bearer/bearer_routes.ts";
import { bulkRoutes } from "./writing/bulk.ts";
import { changeRoutes } from "./changes/changes.ts";
import { documentWriteRoutes } from "./writing/document_writes.ts";
import { translationRoutes } from "./writing/translation_writes.ts";
import { documentRoutes } from "./documents.ts";
import { explorerRoutes } from "./explorer.ts";
import { mediaRoutes } from "./media.ts";
import { metaRoutes } from "./meta.ts";
import { searchRoutes } from "./reading/search.ts";
import { strictParameters } from "./strict_parameters.ts";

/** Every route of the headless API; the named ones before those of collections. */
export function v1Routes(deps: Deps): Hono {
  const bearer = bearerRoutes(deps);
  const { context } = deps.content;
  const meta = metaRoutes({
    authenticated: (work) => bearer(() => [], (call) => work(call)),
    origin: (http) => deps.baseUrl || ownOrigin(http, deps.trustProxy),
  });
  const explorer = explorerRoutes({
    publicToken: deps.explorerPublicToken,
    tokenScopes: (text) => scopesOfToken(context, text),
    isSignedIn: (http) => sessionSecret(http, deps.trustProxy) !== undefined,
    log: context.log,
  });
  const documents = new Hono()
    .route("/", documentRoutes(deps, bearer))
    .route("/", documentWriteRoutes(deps, bearer))
    .route("/", translationRoutes(deps, bearer));
  const preflighted = ["OPTIONS"];
  return new Hono()
    .options("/*", (c) => preflight(c))
    .use("/*", strictParameters(deps))
    .route("/", closeMethods(searchRoutes(deps), preflighted))
    .route("/", closeMethods(meta, preflighted))
    .route("/", closeMethods(explorer, preflighted))
    .route("/", closeMethods(changeRoutes(deps, bearer), preflighted))
    .route("/", closeMethods(mediaRoutes(deps, bearer), preflighted))
    // Closed separately: to the document routes its path is that of a document with the ID `_bulk`.
    .route("/", closeMethods(bulkRoutes(deps, bearer), preflighted))
    .route("/", closeMethods(documents, preflighted));
}

/** A preflight cannot carry the token, so it is always allowed; the request itself is decided later. */
function preflight(c: HttpContext): Response {
  const origin = c.req.header("origin");
  const method = c.req.header("access-control-request-method");
  const asked = c.req.header("access-control-request-headers");
  return new Response(null, {
    status: 204,
    headers: {
      vary: "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      "access-control-max-age": "86400",
      ...(origin !== undefined && { "access-control-allow-origin": origin }),
      "access-control-allow-methods": method ?? "GET, HEAD, POST, PUT, PATCH, DELETE",
      ...(asked !== undefined && { "access-control-allow-headers": asked }),
    },
  });
}
