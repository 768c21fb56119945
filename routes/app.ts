/**
 * The whole HTTP surface; reads as its table of contents.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { Refusal } from "../kv/refusals.ts";
import { adminRoutes } from "./admin/routes.ts";
import { recoverRoutes, RECOVERY_PATH } from "./auth/recover.ts";
import { ssoRoutes } from "./auth/sso.ts";
import type { Deps } from "./deps/deps.ts";
import { faviconRoutes } from "./answers/favicon.ts";
import { metadataRoutes } from "./oauth/metadata.ts";
import { oauthRoutes } from "./oauth/oauth_routes.ts";
import { mcpRoutes } from "./mcp/mcp.ts";
import { healthRoute } from "./probes/health.ts";
import { unlessCollection } from "./middleware/unless_collection.ts";
import { closeMethods } from "./middleware/methods.ts";
import { frame } from "./middleware/frame.ts";
import { scimRoutes } from "./scim/scim_routes.ts";
import { publicOrigin } from "./middleware/public_origin.ts";
import { asRefusal, refusalResponse } from "./answers/refusal_response.ts";
import { logFault } from "./middleware/request_log.ts";
import { type Metrics, metricsRoute } from "./probes/metrics.ts";
import { type ProcessFacts, readyRoute } from "./probes/ready.ts";
import { versionRoute } from "./probes/version.ts";
import { siteMediaRoutes } from "./site/media.ts";
import { previewScriptRoutes } from "./site/preview_script.ts";
import { previewRoutes } from "./site/previews.ts";
import { securityTxtRoutes } from "./site/security_txt.ts";
import { LanguagePages } from "../jobs/publishing/language_pages.ts";
import { renderPublicPath } from "../jobs/publishing/render_path.ts";
import { siteRoutes } from "./site/site.ts";
import { studioRoutes } from "./studio/serving/studio.ts";
import { v1Routes } from "./v1/routes.ts";

/** Options from the process. */
export interface AppOptions {
  process?: ProcessFacts;
  metrics?: Metrics | null;
}

/** The application: `app.fetch` answers every request. */
export function createApp(deps: Deps, { process, metrics = null }: AppOptions = {}): Hono {
  const app = new Hono();
  app.use(frame(deps.content.context, metrics));
  app.use(publicOrigin(deps, deps.content.context.log));
  app.route("/healthz", healthRoute(deps));
  app.route("/readyz", readyRoute(deps, process));
  app.route("/version", versionRoute(deps));
  app.route("/metrics", metricsRoute(metrics, deps.metricsToken));
  app.route("/api/v1", v1Routes(deps));
  app.route("/api/admin", adminRoutes(deps));
  app.all("/api/*", () => {
    throw new Refusal("NOT_FOUND");
  });
  app.route("/.well-known/security.txt", closeMethods(securityTxtRoutes(deps)));
  app.route("/.well-known", closeMethods(metadataRoutes(deps)));
  app.route("/oauth", unlessCollection(deps.content.schema, "oauth", oauthRoutes(deps)));
  app.route("/scim", unlessCollection(deps.content.schema, "scim", scimRoutes(deps)));
  app.route("/mcp", closeMethods(mcpRoutes(deps)));
  app.route("/", faviconRoutes(deps.publishing));
  app.route("/admin/auth", closeMethods(ssoRoutes(deps)));
  app.route(RECOVERY_PATH, recoverRoutes(deps));
  app.route("/admin", studioRoutes(deps));
  app.route("/media", closeMethods(siteMediaRoutes(deps)));
  app.route("/preview", previewScriptRoutes());
  app.route("/preview", previewRoutes(deps));
  const render = async (path: string) =>
    await renderPublicPath(deps.publishing, await deps.publishing.rendering(), path);
  app.route(
    "/",
    closeMethods(
      siteRoutes({
        content: deps.content,
        lists: deps.listPages,
        render,
        redirects: deps.redirects,
        languages: new LanguagePages({
          content: deps.content,
          reader: deps.reader,
          rendering: deps.publishing.rendering,
        }),
      }),
    ),
  );
  app.notFound((c) => refuse(deps, c, new Refusal("NOT_FOUND")));
  app.onError((error, c) => refuse(deps, c, asRefusal(error, c.req.url)));
  return app;
}

function refuse(deps: Deps, c: HttpContext, refusal: Refusal): Response {
  logFault(deps.content.context.log, c, refusal);
  const headers: Record<string, string> = { "x-content-type-options": "nosniff" };
  if (c.req.path.startsWith("/api/v1")) headers.vary = "Origin";
  return refusalResponse(refusal, headers);
}
