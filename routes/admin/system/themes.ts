/**
 * `/api/admin/themes`: inspect, install, preview, activate and remove themes.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { previewPage, readyTheme } from "../../../jobs/packages/theme_preview.ts";
import type { Context } from "../../../kv/context.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type PackageState, themeView } from "../../../kv/model/entities/package.ts";
import {
  activeThemeId,
  BUILT_IN_THEMES,
  type BuiltInThemeId,
  getBuiltInTheme,
  isBuiltInTheme,
} from "../../../kv/packages/built_in_themes.ts";
import {
  activateTheme,
  ACTIVE_THEME,
  getPackage,
  listPackages,
  removePackage,
} from "../../../kv/packages/packages.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { oneParameter } from "../../query/parameters.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDryRun } from "../../query/dry_run.ts";
import { PAGE_PATH_CHARS_MAX } from "../../input/limits.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { previewHeaders } from "../../answers/preview_headers.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";
import { inspectPackage, startInstall } from "./package_upload.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Themes: list, install, read, preview, activate, remove. */
export function themeRoutes(deps: Deps): Hono<AdminEnv> {
  const { content: { context }, settings } = deps;
  const packages = { context, settings };
  const builtIn = new Hono<AdminEnv>().get("/built-in", may("packages.manage"), async (c) => {
    const active = activeThemeId(await settings.get(ACTIVE_THEME));
    return c.json(pageOf(c, BUILT_IN_THEMES.map(({ id }) => builtInView(id, active))));
  });
  return new Hono<AdminEnv>()
    // Closed here, so that its other methods are not taken for those of a theme.
    .route("/", closeMethods(builtIn))
    .get("/", may("packages.manage"), async (c) => {
      const active = await settings.get(ACTIVE_THEME);
      const themes = await listPackages(context, "theme");
      const views = themes.map((theme) => themeView(theme, theme.id === active));
      return c.json(pageOf(c, views));
    })
    .post("/", may("packages.manage"), async (c) => {
      if (isDryRun(c.req.queries())) return c.json(await inspectPackage(deps, c, "theme"));
      return c.json({ jobId: await startInstall(deps, c, "theme") }, 202);
    })
    .get("/:id", may("packages.manage"), async (c) => {
      const theme = await findTheme(context, c.req.param("id"));
      const active = activeThemeId(await settings.get(ACTIVE_THEME));
      if (typeof theme === "string") return c.json(builtInView(theme, active));
      return c.json(themeView(theme, theme.id === active));
    })
    .get("/:id/preview", may("packages.manage"), (c) => preview(deps, c))
    .post("/:id/activate", may("packages.manage"), async (c) => {
      const theme = await findTheme(context, c.req.param("id"));
      const jobId = await activateTheme(packages, actorOf(c), theme);
      return c.json(typeof theme === "string" ? { jobId } : { ...themeView(theme, true), jobId });
    })
    .delete("/:id", may("packages.manage"), async (c) => {
      const theme = await getPackage(context, "theme", c.req.param("id"));
      await removePackage(packages, actorOf(c), "theme", theme.id);
      return c.body(null, 204);
    });
}

/** A built-in or installed theme; refuses with NOT_FOUND. */
async function findTheme(
  context: Context,
  id: string,
): Promise<BuiltInThemeId | PackageState> {
  return isBuiltInTheme(id) ? id : await getPackage(context, "theme", id);
}

function builtInView(id: BuiltInThemeId, active: string): Record<string, Json> {
  return { ...getBuiltInTheme(id), active: id === active };
}

/** A page without scripts and without access to the session of its viewer. */
async function preview(deps: Deps, c: HttpContext<AdminEnv>): Promise<Response> {
  const theme = await findTheme(deps.content.context, pathParameter(c, "id"));
  const path = oneParameter(c.req.query(), "path") ?? "/";
  if (path.length > PAGE_PATH_CHARS_MAX) throw new Refusal("NOT_FOUND");
  const page = await previewPage(deps.publishing, await readyTheme(deps.activeTheme, theme), path);
  const headers = previewHeaders(ownOrigin(c, deps.trustProxy), page);
  return new Response(page.body as Uint8Array<ArrayBuffer>, { headers });
}
