/**
 * One page of the site as another theme would render it. Nothing is stored but the theme's own files,
 * which lie under paths of their own.
 *
 * @module
 */
import { Operation } from "../../kv/store/operation.ts";
import type { Page } from "../../kv/model/entities/page.ts";
import { putPage } from "../../kv/pages/pages.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import { PackageFault } from "../../kv/model/entities/package_manifest.ts";
import type { BuiltInThemeId } from "../../kv/packages/built_in_themes.ts";
import type { Publishing } from "../publishing/publishing.ts";
import { renderPath } from "../publishing/render_path.ts";
import { type Theme, ThemeFault } from "../render/theme/theme.ts";
import type { Rendering } from "../render/views/view.ts";
import type { ActiveTheme } from "./active_theme.ts";

/** Files of a theme put into one commit. */
const ASSETS_PER_COMMIT = 8;

/** Renders the page at a path with a theme; the page for what is missing where there is none. */
export async function previewPage(
  publishing: Publishing,
  theme: Theme,
  path: string,
): Promise<Page> {
  const rendering: Rendering = { ...await publishing.rendering(), theme };
  await putAssets(publishing, theme);
  try {
    return await renderPath(publishing, rendering, path);
  } catch (error) {
    if (!(error instanceof ThemeFault)) throw error;
    throw new Refusal("CONFLICT", { about: error.message.slice(0, 500) }, { cause: error });
  }
}

/** A built-in or installed theme, ready to render; refuses one whose package is missing or damaged. */
export async function readyTheme(
  themes: ActiveTheme,
  theme: BuiltInThemeId | PackageState,
): Promise<Theme> {
  try {
    return await themes.of(theme);
  } catch (error) {
    if (!(error instanceof PackageFault)) throw error;
    throw new Refusal("CONFLICT", { about: error.message }, { cause: error });
  }
}

/** Stores the files of a theme that need not be active. They are public, and their paths change with them. */
export async function putAssets({ content: { context } }: Publishing, theme: Theme): Promise<void> {
  const pages = theme.assetPages();
  for (let start = 0; start < pages.length; start += ASSETS_PER_COMMIT) {
    const operation = new Operation();
    for (const page of pages.slice(start, start + ASSETS_PER_COMMIT)) {
      await putPage(context, operation, page);
    }
    if (operation.mutations > 0) await context.store.commit(operation);
  }
}
