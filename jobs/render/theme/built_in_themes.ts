/**
 * The files of the built-in themes. A theme other than the default one is a folder laid out like a package, so that
 * theme makers can copy it and sign the copy.
 *
 * @module
 */
import {
  BUILT_IN_THEMES,
  type BuiltInThemeId,
  DEFAULT_THEME_ID,
} from "../../../kv/packages/built_in_themes.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { DEFAULT_THEME } from "./default/theme.ts";
import { Theme, type ThemeFiles } from "./theme.ts";
import { themeFiles } from "./theme_package.ts";

/** The folders of a theme that it is rendered with. */
const PARTS = ["templates", "assets"];

const ready = new Map<BuiltInThemeId, Theme>();

/** A built-in theme, read when it is first used. */
export function builtInTheme(id: BuiltInThemeId): Theme {
  const known = ready.get(id);
  if (known !== undefined) return known;
  const theme = new Theme(builtInThemeFiles(id));
  ready.set(id, theme);
  return theme;
}

/** The files of a built-in theme. */
export function builtInThemeFiles(id: BuiltInThemeId): ThemeFiles {
  if (id === DEFAULT_THEME_ID) return DEFAULT_THEME;
  const folder = new URL(`${id}/`, import.meta.url);
  const files = new Map(PARTS.flatMap((part) => filesBelow(folder, `${part}/`)));
  const { theme, faults } = themeFiles(files);
  if (faults.length > 0) throw new Error(`The built-in theme ${id} has faults: ${faults.join()}`);
  return theme;
}

function filesBelow(folder: URL, prefix: string): [path: string, body: Uint8Array][] {
  return [...Deno.readDirSync(new URL(prefix, folder))].flatMap(({ name, isDirectory }) => {
    const path = prefix + name;
    if (isDirectory) return filesBelow(folder, `${path}/`);
    return [[path, Deno.readFileSync(new URL(path, folder))]];
  });
}

/** Changes with every file of every built-in theme: an upgrade that changes one has the site rendered again. */
export function builtInThemesDigest(): string {
  return sha256(BUILT_IN_THEMES.map(({ id }) => builtInTheme(id).digest).join());
}
