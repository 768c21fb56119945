/**
 * `/api/admin`: the admin API, by cookie session. Setup, signing in and password resets are open; all
 * else asks for a session. Mutations from a foreign origin are refused before anything else.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { matchedRoutes } from "@hono/hono/route";
import { Refusal } from "../../kv/refusals.ts";
import type { AdminEnv } from "../deps/admin_session.ts";
import type { Deps } from "../deps/deps.ts";
import { SEGMENT_CHARS_MAX } from "../input/limits.ts";
import { closeMethods } from "../middleware/methods.ts";
import { sameOrigin } from "../middleware/same_origin.ts";
import { prefetch } from "../middleware/prefetch.ts";
import { session } from "../middleware/session.ts";
import { adminMetaRoutes } from "./meta/admin_meta.ts";
import { accountRoutes } from "./account/account.ts";
import { auditActs, auditRoutes } from "./people/audit.ts";
import { blockRoutes } from "./structure/blocks.ts";
import { documentCommentRoutes } from "./content/comments.ts";
import { collectionRoutes } from "./structure/collections.ts";
import { adminDocumentRoutes } from "./content/documents.ts";
import { translationExchangeRoutes } from "./content/translation_exchange.ts";
import { translationCountRoutes } from "./content/translation_counts.ts";
import { exampleSiteRoutes } from "./system/example_site.ts";
import { explorerTokenRoutes } from "./people/explorer_token.ts";
import { exportRoutes } from "./system/exports.ts";
import { importRoutes } from "./system/imports.ts";
import { jobRoutes } from "./system/jobs.ts";
import { liveRoutes } from "./content/live.ts";
import { mediaRoutes } from "./content/media.ts";
import { pluginRoutes } from "./system/plugins.ts";
import { themeRoutes } from "./system/themes.ts";
import { addressConfirmationRoutes, passwordResetRoutes } from "./people/password_reset.ts";
import { providerTestRoutes } from "./people/provider_check.ts";
import { notificationRoutes } from "./content/notifications.ts";
import { previewAdminRoutes } from "./content/previews.ts";
import { redirectRoutes } from "./system/redirects.ts";
import { releaseRoutes } from "./content/releases.ts";
import { reviewRoutes } from "./content/reviews.ts";
import { roleRoutes } from "./people/roles.ts";
import { savedViewRoutes } from "./content/saved_views.ts";
import { schemaRoutes } from "./structure/schema.ts";
import { searchAdminRoutes } from "./content/search.ts";
import { sessionRoutes } from "./people/session.ts";
import { ownSessionRoutes } from "./people/sessions.ts";
import { settingRoutes } from "./system/settings.ts";
import { setupRoutes } from "./people/setup.ts";
import { siteRestoreRoutes } from "./system/site_restore.ts";
import { stateAtRoutes } from "./content/state_at.ts";
import { stepUp } from "./people/step_up.ts";
import { tokenRoutes } from "./people/tokens.ts";
import { transferRoutes } from "./transfers/transfers.ts";
import { userRoutes } from "./people/users.ts";
import { versionRoutes } from "./content/versions.ts";
import { webhookRoutes } from "./system/webhooks.ts";

/** Every route of the admin API. */
export function adminRoutes(deps: Deps): Hono<AdminEnv> {
  const app = new Hono<AdminEnv>();
  app.use(sameOrigin(deps));
  app.route("/setup", closeMethods(setupRoutes(deps)));
  app.route("/session", closeMethods(sessionRoutes(deps)));
  app.route("/password-reset", closeMethods(passwordResetRoutes(deps)));
  app.route("/address-confirmation", closeMethods(addressConfirmationRoutes(deps)));
  app.route("/_meta", closeMethods(adminMetaRoutes(deps, () => app.routes)));
  app.route("/schema", closeMethods(schemaRoutes(deps)));
  app.use(refuseUnknown);
  app.use(prefetch(deps));
  app.use(session(deps));
  app.use(refuseLongPaths);
  app.use(auditActs(deps));
  app.use(stepUp(deps));
  app.route("/account", closeMethods(accountRoutes(deps)));
  app.route("/auth", closeMethods(providerTestRoutes(deps)));
  app.route("/audit", closeMethods(auditRoutes(deps)));
  app.route("/blocks", closeMethods(blockRoutes(deps)));
  app.route("/collections", closeMethods(collectionRoutes(deps)));
  app.route("/documents", closeMethods(liveRoutes(deps)));
  app.route("/documents", closeMethods(documentCommentRoutes(deps)));
  app.route("/documents", closeMethods(reviewRoutes(deps)));
  app.route("/documents", closeMethods(adminDocumentRoutes(deps)));
  app.route("/translations", closeMethods(translationCountRoutes(deps)));
  app.route("/translations", closeMethods(translationExchangeRoutes(deps)));
  app.route("/example-site", closeMethods(exampleSiteRoutes(deps)));
  app.route("/explorer-token", closeMethods(explorerTokenRoutes(deps)));
  app.route("/exports", closeMethods(exportRoutes(deps)));
  app.route("/imports", closeMethods(importRoutes(deps)));
  app.route("/jobs", closeMethods(jobRoutes(deps)));
  app.route("/media", closeMethods(mediaRoutes(deps)));
  app.route("/notifications", closeMethods(notificationRoutes(deps)));
  app.route("/plugins", closeMethods(pluginRoutes(deps)));
  app.route("/previews", closeMethods(previewAdminRoutes(deps)));
  app.route("/redirects", closeMethods(redirectRoutes(deps)));
  app.route("/releases", closeMethods(releaseRoutes(deps)));
  app.route("/restore", closeMethods(siteRestoreRoutes(deps)));
  app.route("/roles", closeMethods(roleRoutes(deps)));
  app.route("/search", closeMethods(searchAdminRoutes(deps)));
  app.route("/sessions", closeMethods(ownSessionRoutes(deps)));
  app.route("/settings", closeMethods(settingRoutes(deps)));
  app.route("/state-at", closeMethods(stateAtRoutes(deps)));
  app.route("/themes", closeMethods(themeRoutes(deps)));
  app.route("/tokens", closeMethods(tokenRoutes(deps)));
  app.route("/transfers", closeMethods(transferRoutes(deps)));
  app.route("/webhooks", closeMethods(webhookRoutes(deps)));
  app.route("/users", closeMethods(userRoutes(deps)));
  app.route("/versions", closeMethods(versionRoutes(deps)));
  app.route("/views", closeMethods(savedViewRoutes(deps)));
  return app;
}

/** Unknown routes and methods are reported before authentication, as in the headless API. */
async function refuseUnknown(
  c: HttpContext,
  next: () => Promise<void>,
): Promise<Response | undefined | void> {
  const meant = matchedRoutes(c).filter(({ path }) => !path.endsWith("*"));
  if (meant.length === 0) throw new Refusal("NOT_FOUND");
  const closing = meant.find(({ method }) => method === "ALL");
  if (closing !== undefined && meant.every(({ method }) => method === "ALL")) {
    return await closing.handler(c, next);
  }
  await next();
}

async function refuseLongPaths(c: HttpContext, next: () => Promise<void>): Promise<void> {
  const tooLong = c.req.path.split("/").some((segment) => segment.length > SEGMENT_CHARS_MAX);
  if (tooLong) throw new Refusal("NOT_FOUND");
  await next();
}
