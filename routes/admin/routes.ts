/**
 * `/api/admin`: the admin API, by cookie session.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Deps } from "../deps.ts";
import { closeMethods } from "../methods.ts";
import type { AdminEnv } from "./admin_env.ts";
import { blockRoutes } from "./blocks.ts";
import { collectionRoutes } from "./collections.ts";
import { adminDocumentRoutes } from "./documents.ts";
import { settingRoutes } from "./settings.ts";
import { tokenRoutes } from "./tokens.ts";
import { versionRoutes } from "./versions.ts";

/** Every route of the admin API. */
export function adminRoutes(deps: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .route("/blocks", closeMethods(blockRoutes(deps)))
    .route("/collections", closeMethods(collectionRoutes(deps)))
    .route("/documents", closeMethods(adminDocumentRoutes(deps)))
    .route("/settings", closeMethods(settingRoutes(deps)))
    .route("/tokens", closeMethods(tokenRoutes(deps)))
    .route("/versions", closeMethods(versionRoutes(deps)));
}
