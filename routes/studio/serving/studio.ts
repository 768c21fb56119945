/**
 * `/admin`: the admin application. Every page is rendered here; what changes something is sent by the
 * browser's code to `/api/admin`.
 *
 * @module
 */
import { type Handler, Hono, type MiddlewareHandler } from "@hono/hono";
import { Refusal } from "../../../kv/refusals.ts";
import { administratorOnly, may } from "../../admin/admin_env.ts";
import { maySomewhere } from "../../admin/content/document_access.ts";
import type { Deps } from "../../deps/deps.ts";
import { sameOrigin } from "../../middleware/same_origin.ts";
import { prefetch } from "../../middleware/prefetch.ts";
import { session } from "../../middleware/session.ts";
import { asRefusal, refusalResponse, statusOf } from "../../answers/refusal_response.ts";
import { logFault } from "../../middleware/request_log.ts";
import { Assets } from "./assets.ts";
import { type Access, type ScreenId, screenList } from "../screens.ts";
import { findFrame, findVisit, type StudioContext, type StudioEnv } from "./studio_env.ts";
import { zipped } from "./zipped.ts";

/** Every page of the admin application. */
export function studioRoutes(deps: Deps): Hono<StudioEnv> {
  const assets = new Assets();
  const app = new Hono<StudioEnv>();
  app.route("/assets", assets.routes());
  app.use(zipped(), prefetch(deps), findFrame(deps, assets));
  const handlers = lazyHandlers(deps);
  const mount = (isPublic: boolean) => {
    for (const [id, { path, access, method = "GET" }] of screenList()) {
      if ((access === "everybody") !== isPublic) continue;
      const guards = method === "POST" ? [sameOrigin(deps), guardOf(access)] : [guardOf(access)];
      app.on(method, [path], ...guards, async (c, next) => (await handlers())[id](c, next));
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
    if (refusal.code === "SECOND_FACTOR_REQUIRED") return c.redirect("/admin/account");
    logFault(deps.content.context.log, c, refusal);
    if (c.get("frame") === undefined) return refusalResponse(refusal);
    return drawRefusal(c, refusal);
  });
  return app;
}

/**
 * The pages are loaded with the first request for one: a process that answers programs alone starts sooner
 * and takes a tenth less memory without them.
 */
function lazyHandlers(deps: Deps): () => Promise<Record<ScreenId, Handler<StudioEnv>>> {
  let loading: Promise<Record<ScreenId, Handler<StudioEnv>>> | null = null;
  const load = async () => {
    const { handlersOf } = await import("./handlers.ts");
    return handlersOf(deps) as Record<ScreenId, Handler<StudioEnv>>;
  };
  return () => loading ??= load();
}

async function drawRefusal(c: StudioContext, refusal: Refusal): Promise<Response> {
  const { refusalPage } = await import("./handlers.ts");
  return await refusalPage(c, refusal, statusOf(refusal));
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
