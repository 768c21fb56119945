/**
 * The catalog of the themes that the service includes. Their files are in `jobs/render/theme/`, in a folder with the
 * theme's id. The id is stored in settings and history, so it never changes or names another theme.
 *
 * @module
 */

/** The built-in themes, in the order in which they are shown. */
const CATALOG = {
  default: {
    name: "Default theme",
    description: "Serif headlines, large images and a grid of cards.",
  },
  ledger: {
    name: "Ledger",
    description: "One typeface, a column for navigation, and dated rows between thin lines.",
  },
} as const;

/** The id of a built-in theme. */
export type BuiltInThemeId = keyof typeof CATALOG;

/** A built-in theme as it is shown. */
export interface BuiltInTheme {
  id: BuiltInThemeId;
  name: string;
  description: string;
}

/** All built-in themes. */
export const BUILT_IN_THEMES: readonly BuiltInTheme[] = (Object.keys(CATALOG) as BuiltInThemeId[])
  .map(getBuiltInTheme);

/** The theme of a site that has not chosen one, and the fallback of every other theme. */
export const DEFAULT_THEME_ID = "default" satisfies BuiltInThemeId;

/** Whether an id names a built-in theme. */
export function isBuiltInTheme(id: unknown): id is BuiltInThemeId {
  return typeof id === "string" && Object.hasOwn(CATALOG, id);
}

/** A built-in theme by its id. */
export function getBuiltInTheme(id: BuiltInThemeId): BuiltInTheme {
  return { id, ...CATALOG[id] };
}

/** The id of the theme that a value of the setting `theme.active` names: null is the default theme. */
export function activeThemeId(setting: unknown): string {
  return typeof setting === "string" ? setting : DEFAULT_THEME_ID;
}
