/**
 * `/admin`: the admin application. Every page is rendered here; what changes something is sent by the
 * browser's code to `/api/admin`.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { asRefusal, refusalResponse, statusOf } from "../refusal_response.ts";
import { logFault } from "../request_log.ts";
import type { Deps } from "../deps.ts";
import { session } from "../middleware/session.ts";
import { Refusal } from "../../kv/refusals.ts";
import { Assets } from "./assets.ts";
import { collectionPages } from "./pages/collections.tsx";
import { documentPages } from "./pages/document.tsx";
import { documentListPages } from "./pages/document_list.tsx";
import { fieldPages } from "./pages/fields.tsx";
import { jobPages } from "./pages/jobs.tsx";
import { peoplePages } from "./pages/people.tsx";
import { accountPages } from "./pages/account.tsx";
import { settingPages } from "./pages/settings.tsx";
import { tokenPages } from "./pages/tokens.tsx";
import { activityPages } from "./pages/activity.tsx";
import { backUpPages } from "./pages/back_ups.tsx";
import { mediaPages } from "./pages/media.tsx";
import { packagePages } from "./pages/packages.tsx";
import { previewPages } from "./pages/preview.ts";
import { schedulePages } from "./pages/schedule.tsx";
import { timeTravelPages } from "./pages/time_travel.tsx";
import { versionPages } from "./pages/versions.tsx";
import { refusalPage } from "./pages/refusal.tsx";
import { homePages } from "./pages/home.tsx";
import { mailCheckPages, setupPages } from "./pages/setup.tsx";
import { signInPages } from "./pages/sign_in.tsx";
import { findFrame, findVisit, type StudioEnv } from "./studio_env.ts";
import { zipped } from "./zipped.ts";

/** Every page of the admin application. */
export function studioRoutes(deps: Deps): Hono<StudioEnv> {
  const assets = new Assets();
  const app = new Hono<StudioEnv>();
  app.route("/assets", assets.routes());
  app.use(zipped(), findFrame(deps, assets));
  app.route("/", setupPages(deps));
  app.route("/", signInPages(deps));
  app.use(session(deps), findVisit(deps));
  app.route("/", mailCheckPages());
  app.route("/", homePages(deps));
  app.route("/", documentListPages(deps));
  app.route("/", documentPages(deps));
  app.route("/", previewPages(deps));
  app.route("/", fieldPages());
  app.route("/", collectionPages(deps));
  app.route("/", settingPages(deps));
  app.route("/", peoplePages(deps));
  app.route("/", accountPages(deps));
  app.route("/", tokenPages(deps));
  app.route("/", jobPages(deps));
  app.route("/", mediaPages(deps));
  app.route("/", packagePages(deps));
  app.route("/", schedulePages(deps));
  app.route("/", versionPages(deps));
  app.route("/", activityPages(deps));
  app.route("/", backUpPages(deps));
  app.route("/", timeTravelPages(deps));
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

function signInAddress(address: string): string {
  const { pathname, search } = new URL(address);
  if (pathname === "/admin") return "/admin/sign-in";
  return `/admin/sign-in?next=${encodeURIComponent(pathname + search)}`;
}
