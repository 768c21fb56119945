/**
 * `/api/admin/themes`: inspect, install, preview, activate and remove themes.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { previewPage } from "../../../jobs/packages/theme_preview.ts";
import { themeView } from "../../../kv/model/entities/package.ts";
import { PackageFault } from "../../../kv/model/entities/package_manifest.ts";
import {
  activateTheme,
  ACTIVE_THEME,
  DEFAULT_THEME_ID,
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
import { ownOrigin } from "../../middleware/own_origin.ts";
import { previewHeaders } from "../../answers/preview_headers.ts";
import { actorOf, may, pageOf } from "../admin_env.ts";
import { inspectPackage, startInstall } from "./package_upload.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** Themes: list, install, read, preview, activate, remove. */
export function themeRoutes(deps: Deps): Hono<AdminEnv> {
  const { content: { context }, settings } = deps;
  const packages = { context, settings };
  return new Hono<AdminEnv>()
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
      const theme = await getPackage(context, "theme", c.req.param("id"));
      return c.json(themeView(theme, theme.id === await settings.get(ACTIVE_THEME)));
    })
    .get("/:id/preview", may("packages.manage"), (c) => preview(deps, c))
    .post("/:id/activate", may("packages.manage"), async (c) => {
      const id = c.req.param("id");
      if (id === DEFAULT_THEME_ID) {
        return c.json({ jobId: await activateTheme(packages, actorOf(c), null) });
      }
      const theme = await getPackage(context, "theme", id);
      const jobId = await activateTheme(packages, actorOf(c), theme);
      return c.json({ ...themeView(theme, true), jobId });
    })
    .delete("/:id", may("packages.manage"), async (c) => {
      const theme = await getPackage(context, "theme", c.req.param("id"));
      await removePackage(packages, actorOf(c), "theme", theme.id);
      return c.body(null, 204);
    });
}

/** A page without scripts and without access to the session of its viewer. */
async function preview(deps: Deps, c: HttpContext<AdminEnv>): Promise<Response> {
  const theme = await getPackage(deps.content.context, "theme", pathParameter(c, "id"));
  const path = oneParameter(c.req.query(), "path") ?? "/";
  if (path.length > PAGE_PATH_CHARS_MAX) throw new Refusal("NOT_FOUND");
  const page = await previewPage(deps.publishing, await readyTheme(deps, theme), path);
  const headers = previewHeaders(ownOrigin(c, deps.trustProxy), page);
  return new Response(page.body as Uint8Array<ArrayBuffer>, { headers });
}

async function readyTheme(
  { activeTheme }: Deps,
  theme: Parameters<Deps["activeTheme"]["of"]>[0],
): ReturnType<Deps["activeTheme"]["of"]> {
  try {
    return await activeTheme.of(theme);
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error;
    throw new Refusal("CONFLICT", { about: error.message }, { cause: error });
  }
}
