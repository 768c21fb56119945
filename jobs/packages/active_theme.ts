/**
 * The theme that the site is rendered with: the one that a setting names, made ready once for each of its
 * versions.
 *
 * @module
 */
import { isUlid } from "../../kv/model/values/ulid.ts";
import {
  type BuiltInThemeId,
  DEFAULT_THEME_ID,
  isBuiltInTheme,
} from "../../kv/packages/built_in_themes.ts";
import type { PackageState } from "../../kv/model/entities/package.ts";
import { PackageFault } from "../../kv/model/entities/package_manifest.ts";
import { ACTIVE_THEME, findPackage, type PackageStore } from "../../kv/packages/packages.ts";
import { builtInTheme } from "../render/theme/built_in_themes.ts";
import { Theme } from "../render/theme/theme.ts";
import { themeOf } from "./check_package.ts";
import type { PackageArchives } from "./package_store.ts";

/** Finds and keeps the active theme. */
export class ActiveTheme {
  readonly #packages: PackageStore;
  readonly #archives: PackageArchives;
  #ready: { digest: string; theme: Theme } | null = null;

  constructor(packages: PackageStore, archives: PackageArchives) {
    this.#packages = packages;
    this.#archives = archives;
  }

  /** The theme as it is now; the default one if none is set, the service does not have it, or its bytes are gone. */
  async current(): Promise<Theme> {
    const { context, settings } = this.#packages;
    const id = await settings.get(ACTIVE_THEME);
    if (isBuiltInTheme(id)) return builtInTheme(id);
    const state = isUlid(id) ? await findPackage(context, "theme", id) : null;
    if (state === null) return builtInTheme(DEFAULT_THEME_ID);
    if (this.#ready?.digest === state.archive.sha256) return this.#ready.theme;
    let theme = builtInTheme(DEFAULT_THEME_ID);
    try {
      theme = await this.of(state);
    } catch (error) {
      if (!(error instanceof PackageFault)) throw error;
      context.log.error("theme not usable", { themeId: state.id, error: error.message });
    }
    this.#ready = { digest: state.archive.sha256, theme };
    return theme;
  }

  /** Any built-in or installed theme, ready to render. */
  async of(theme: BuiltInThemeId | PackageState): Promise<Theme> {
    if (typeof theme === "string") return builtInTheme(theme);
    const files = await this.#archives.files(theme.archive, "theme");
    return new Theme(themeOf(files).theme);
  }
}
