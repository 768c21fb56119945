/**
 * `/scim/v2`: a directory provisions users (SCIM 2.0, RFC 7643 and 7644).
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import { closeMethods } from "../middleware/methods.ts";
import { scimCalls } from "./scim_call.ts";
import { scimGroupRoutes } from "./scim_groups.ts";
import { scimSchemaRoutes } from "./scim_schemas.ts";
import { scimUserRoutes } from "./scim_users.ts";

/** Where the endpoints are. */
const SCIM_PATH = "/scim/v2";

/** Every route for directories. */
export function scimRoutes(deps: Deps): Hono {
  const call = scimCalls(deps, async (c) => await accountOrigin(deps, c) + SCIM_PATH);
  const unknown = call(() => Promise.reject(new Refusal("NOT_FOUND")));
  const app = new Hono()
    .route("/v2/Users", scimUserRoutes(deps, call))
    .route("/v2/Groups", scimGroupRoutes(deps, call))
    .route("/v2", scimSchemaRoutes(call));
  return closeMethods(app, [], call).all("/v2/*", unknown);
}
