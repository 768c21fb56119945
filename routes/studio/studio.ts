/**
 * `/admin`: the admin application. Every page is rendered here; what changes something is sent by the
 * browser's code to `/api/admin`.
 *
 * @module
 */
import { type Handler, Hono, type MiddlewareHandler } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";
import { administratorOnly, may } from "../admin/admin_env.ts";
import { maySomewhere } from "../admin/document_access.ts";
import type { Deps } from "../deps.ts";
import { sameOrigin } from "../middleware/same_origin.ts";
import { prefetch } from "../middleware/prefetch.ts";
import { session } from "../middleware/session.ts";
import { asRefusal, refusalResponse, statusOf } from "../refusal_response.ts";
import { logFault } from "../request_log.ts";
import { Assets } from "./assets.ts";
import { accountScreens } from "./pages/account.tsx";
import { activityScreens } from "./pages/activity.tsx";
import { backUpScreens } from "./pages/back_ups.tsx";
import { componentScreens } from "./pages/components.tsx";
import { collectionScreens } from "./pages/collections.tsx";
import { documentChangesScreens } from "./pages/document_changes.tsx";
import { documentListScreens } from "./pages/document_list.tsx";
import { documentScreens } from "./pages/document.tsx";
import { fieldScreens } from "./pages/fields.tsx";
import { homeScreens } from "./pages/home.tsx";
import { jobScreens } from "./pages/jobs.tsx";
import { mediaScreens } from "./pages/media.tsx";
import { packageScreens } from "./pages/packages.tsx";
import { peopleScreens } from "./pages/people.tsx";
import { previewScreens } from "./pages/preview.ts";
import { publisherScreens } from "./pages/publishers.tsx";
import { refusalPage } from "./pages/refusal.tsx";
import { releaseScreens } from "./pages/releases.tsx";
import { scheduleScreens } from "./pages/schedule.tsx";
import { settingScreens } from "./pages/settings.tsx";
import { mailCheckScreens, setupScreens } from "./pages/setup.tsx";
import { signInScreens } from "./pages/sign_in.tsx";
import { themeScreens } from "./pages/theme.tsx";
import { timeTravelScreens } from "./pages/time_travel.tsx";
import { tokenScreens } from "./pages/tokens.tsx";
import { webhookScreens } from "./pages/webhooks.tsx";
import { boardScreens } from "./pages/board.tsx";
import { findScreens } from "./pages/find.ts";
import { listLayoutScreens } from "./pages/list_layout.ts";
import { collectionApiScreens } from "./pages/collection_api.tsx";
import { versionScreens } from "./pages/versions.tsx";
import { type Access, type Handlers, type ScreenId, screenList } from "./screens.ts";
import { findFrame, findVisit, type StudioEnv } from "./studio_env.ts";
import { zipped } from "./zipped.ts";

/** What answers for each screen. */
function handlersOf(deps: Deps): Handlers<ScreenId> {
  return {
    ...setupScreens(deps),
    ...signInScreens(deps),
    ...mailCheckScreens(),
    ...homeScreens(deps),
    ...accountScreens(deps),
    ...componentScreens(deps),
    ...documentListScreens(deps),
    ...findScreens(deps),
    ...listLayoutScreens(deps),
    ...boardScreens(deps),
    ...documentScreens(deps),
    ...documentChangesScreens(deps),
    ...previewScreens(deps),
    ...scheduleScreens(deps),
    ...releaseScreens(deps),
    ...mediaScreens(deps),
    ...collectionScreens(deps),
    ...fieldScreens(),
    ...settingScreens(deps),
    ...peopleScreens(deps),
    ...packageScreens(deps),
    ...themeScreens(deps),
    ...publisherScreens(deps),
    ...tokenScreens(deps),
    ...webhookScreens(deps),
    ...collectionApiScreens(deps),
    ...jobScreens(deps),
    ...activityScreens(deps),
    ...versionScreens(deps),
    ...backUpScreens(deps),
    ...timeTravelScreens(deps),
  };
}

/** Every page of the admin application. */
export function studioRoutes(deps: Deps): Hono<StudioEnv> {
  const assets = new Assets();
  const app = new Hono<StudioEnv>();
  app.route("/assets", assets.routes());
  app.use(zipped(), prefetch(deps), findFrame(deps, assets));
  const handlers = handlersOf(deps) as Record<ScreenId, Handler<StudioEnv>>;
  const mount = (isPublic: boolean) => {
    for (const [id, { path, access, method = "GET" }] of screenList()) {
      if ((access === "everybody") !== isPublic) continue;
      const guards = method === "POST" ? [sameOrigin(deps), guardOf(access)] : [guardOf(access)];
      app.on(method, [path], ...guards, handlers[id]);
    }
  };
  mount(true);
  app.use(session(deps), findVisit(deps));
  mount(false);
  app.all("*", (c) => {
    const { path } = c.req;
    if (path.endsWith("/")) return c.redirect(path.replace(/\/+$/, ""));
    throw new Refusal("NOT_FOUND");
  });
  app.onError((error, c) => {
    const refusal = asRefusal(error, c.req.url);
    if (refusal.code === "UNAUTHENTICATED") return c.redirect(signInAddress(c.req.url));
    logFault(deps.content.context.log, c, refusal);
    if (c.get("frame") === undefined) return refusalResponse(refusal);
    return refusalPage(c, refusal, statusOf(refusal));
  });
  return app;
}

function guardOf(access: Access): MiddlewareHandler {
  if (typeof access === "object") return maySomewhere(access.documents);
  if (access === "administrator") return administratorOnly;
  if (access !== "everybody" && access !== "signed in") return may(access);
  return async function open(_, next) {
    await next();
  };
}

function signInAddress(address: string): string {
  const { pathname, search } = new URL(address);
  if (pathname === "/admin") return "/admin/sign-in";
  return `/admin/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
