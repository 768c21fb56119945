/**
 * The themes of the site as cards: each with a picture of the site's own home page. The chosen card is shown in the
 * preview beside them; one click activates it.
 *
 * @module
 */
import type { PackageState } from "../../../../kv/model/entities/package.ts";
import { BUILT_IN_THEMES } from "../../../../kv/packages/built_in_themes.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { Activate } from "./theme.tsx";

/** Path below which the pages of the site are in a design that need not be saved. */
export const DESIGN_BASE = "/admin/design/site";

/** A theme that can be chosen. */
export interface OfferedTheme {
  id: string;
  name: string;
  description: string;
  isBuiltIn: boolean;
}

/** The themes that the service includes, then those that are installed. */
export function offeredThemes(installed: PackageState[]): OfferedTheme[] {
  return [
    ...BUILT_IN_THEMES.map((theme) => ({ ...theme, isBuiltIn: true })),
    ...installed.map(({ id, name, version }) => ({
      id,
      name,
      description: `Version ${version}`,
      isBuiltIn: false,
    })),
  ];
}

/** The query with which pages of the site are shown in a theme; empty for the active one. */
export function themeQuery(id: string, active: string): string {
  return id === active ? "" : `?${new URLSearchParams({ theme: id })}`;
}

interface ThemeChoiceProps {
  themes: OfferedTheme[];
  active: string;
  shown: string;
  visit: Visit;
}

/** Cards of themes; users who may not manage themes see the active one. */
export function ThemeChoice({ themes, active, shown, visit }: ThemeChoiceProps) {
  const mayManage = visit.can("packages.manage");
  return (
    <section class="card" id="theme">
      <h2>Theme</h2>
      <fieldset class="theme-cards">
        <legend class="sr">Theme in the preview</legend>
        {themes.filter(({ id }) => mayManage || id === active).map((theme) => (
          <ThemeCard
            theme={theme}
            query={themeQuery(theme.id, active)}
            isShown={theme.id === shown}
            mayManage={mayManage}
          />
        ))}
      </fieldset>
      {mayManage && (
        <p class="small">
          <a href="/admin/themes">Manage themes</a>
        </p>
      )}
    </section>
  );
}

interface ThemeCardProps {
  theme: OfferedTheme;
  query: string;
  isShown: boolean;
  mayManage: boolean;
}

function ThemeCard({ theme, query, isShown, mayManage }: ThemeCardProps) {
  const { id, name, description, isBuiltIn } = theme;
  return (
    <div class="theme-card">
      <label>
        <input
          type="radio"
          name="preview-theme"
          value={query}
          checked={isShown}
          data-preview-theme
        />
        <ThemePicture name={name} query={query} />
        <span>{name}</span>
      </label>
      <p class="muted small">{description}</p>
      <p class="row">
        {query === "" ? <span class="badge good">Active</span> : <Activate id={id} name={name} />}
        {mayManage && !isBuiltIn && (
          <a class="small" href={`/admin/themes/${id}`}>
            Details<span class="sr">{` of ${name}`}</span>
          </a>
        )}
      </p>
    </div>
  );
}

/** The home page of the site in a theme, as small as a picture. Nothing in it can be reached. */
function ThemePicture({ name, query }: { name: string; query: string }) {
  return (
    <span class="theme-picture" aria-hidden="true">
      <iframe
        src={`${DESIGN_BASE}/${query}`}
        title={`Home page in the theme ${name}`}
        loading="lazy"
        inert
      >
      </iframe>
    </span>
  );
}
