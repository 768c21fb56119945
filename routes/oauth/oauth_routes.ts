/**
 * `/oauth`: the service as an OAuth 2.1 authorization server for itself.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import type { Deps } from "../deps/deps.ts";
import { closeMethods } from "../middleware/methods.ts";
import { sameOrigin } from "../middleware/same_origin.ts";
import { authorizeRoutes } from "./authorize.ts";
import { OAuthClients } from "./clients.ts";
import { deviceRoutes } from "./device.ts";
import { tokenEndpoints } from "./token.ts";

/** Every route of the authorization server. */
export function oauthRoutes(deps: Deps): Hono {
  const clients = new OAuthClients(deps);
  const app = new Hono();
  app.use("/authorize", sameOrigin(deps));
  app.use("/device/confirm", sameOrigin(deps));
  app.route("/authorize", authorizeRoutes(deps, clients));
  app.route("/device", deviceRoutes(deps, clients));
  app.route("/", tokenEndpoints(deps, clients));
  app.options("/token", (c) =>
    c.body(null, 204, {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, authorization",
    }));
  return closeMethods(app);
}
