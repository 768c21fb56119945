/**
 * The frame around every page of somebody who is signed in: navigation, title, search.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { currentPlace, type Place, type PlaceGroup, placesOf } from "../navigation.ts";
import type { PageFacts } from "../page.tsx";
import type { Visit } from "../studio_env.ts";
import { EmbeddedJson } from "./embedded_json.tsx";
import { Icon } from "./icon.tsx";
import { KeysDialog } from "./keys_dialog.tsx";

/** A page above the present one. */
export interface Crumb {
  label: string;
  href: string;
}

/** Navigation at the side (or behind a button), the page beside it. */
export function Layout(
  { visit, facts, children }: { visit: Visit; facts: PageFacts; children: Child },
) {
  const groups = placesOf(visit);
  const current = facts.crumbs?.map(({ href }) => currentPlace(groups, href))
    .find((href) => href !== undefined && href !== "/admin/content") ??
    currentPlace(groups, visit.url.pathname);
  return (
    <>
      <a class="skip" href="#content">Skip to the page</a>
      <header class="topbar">
        <button
          type="button"
          class="icon-button only-narrow"
          popovertarget="navigation"
          aria-label="Navigation"
        >
          <Icon name="menu" />
        </button>
        <a class="brand" href="/admin">{visit.siteTitle}</a>
        <button type="button" class="search-button" data-palette-open>
          <Icon name="search" />
          <span>Search or go to …</span>
          <kbd>⌘K</kbd>
        </button>
        <UserMenu visit={visit} />
      </header>
      <nav id="navigation" class="sidebar" popover="auto" aria-label="Main">
        {groups.map((group) => <Group group={group} current={current} />)}
        {visit.siteUrl && (
          <p class="sidebar-foot">
            <a href="/" target="_blank" rel="noopener">
              <Icon name="external" /> View the site
            </a>
          </p>
        )}
      </nav>
      <main id="content" class={facts.wide ? "page wide" : "page"} tabindex={-1}>
        <Heading facts={facts} />
        {children}
      </main>
      <Palette groups={groups} visit={visit} />
      <KeysDialog groups={groups} />
    </>
  );
}

function Heading({ facts: { title, crumbs = [], actions, intro } }: { facts: PageFacts }) {
  return (
    <div class="page-head">
      <div>
        {crumbs.length > 0 && (
          <nav class="crumbs" aria-label="Breadcrumbs">
            {crumbs.map(({ label, href }) => <a href={href}>{label}</a>)}
          </nav>
        )}
        <h1>{title}</h1>
        {intro && <p class="intro">{intro}</p>}
      </div>
      {actions && <div class="page-actions">{actions}</div>}
    </div>
  );
}

function Group({ group, current }: { group: PlaceGroup; current: string | undefined }) {
  const { heading, places } = group;
  return (
    <div class="nav-group">
      {heading && <h2 id={`nav-${heading}`}>{heading}</h2>}
      <ul aria-labelledby={heading ? `nav-${heading}` : undefined}>
        {places.map((place) => (
          <li>
            <a href={place.href} aria-current={place.href === current ? "page" : undefined}>
              <Icon name={place.icon} />
              <span>{place.label}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function UserMenu({ visit: { user, theme } }: { visit: Visit }) {
  return (
    <div class="user">
      <button type="button" class="avatar" popovertarget="user-menu">
        <span aria-hidden="true">{initials(user.displayName)}</span>
        <span class="sr">{`Account of ${user.displayName}`}</span>
      </button>
      <div id="user-menu" class="menu" popover="auto">
        <p class="menu-who">
          <strong>{user.displayName}</strong>
          <span>{user.email}</span>
        </p>
        <fieldset class="segments" data-theme-choice>
          <legend class="sr">Colours</legend>
          {(["auto", "light", "dark"] as const).map((name) => (
            <label>
              <input type="radio" name="theme" value={name} checked={name === theme} />
              <span>{{ auto: "System", light: "Light", dark: "Dark" }[name]}</span>
            </label>
          ))}
        </fieldset>
        <a class="menu-entry" href="/admin/account">
          <Icon name="users" /> Your account
        </a>
        <button type="button" class="menu-entry" data-keys-open>
          <Icon name="keyboard" /> Keyboard shortcuts
        </button>
        <button
          type="button"
          class="menu-entry"
          data-action="DELETE /api/admin/session"
          data-then="/admin/sign-in"
        >
          <Icon name="leave" /> Sign out
        </button>
      </div>
    </div>
  );
}

function Palette({ groups, visit }: { groups: PlaceGroup[]; visit: Visit }) {
  const places: Place[] = groups.flatMap((group) => group.places);
  const created = visit.can("documents.write")
    ? visit.schema.collections.map(({ name, slug }) => ({
      label: `New in ${name}`,
      href: `/admin/content/${slug}/new`,
    }))
    : [];
  const known = [...places.map(({ label, href }) => ({ label, href })), ...created];
  return (
    <dialog id="palette" class="palette" data-island="palette" aria-label="Search or go to">
      <div class="palette-head">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label="Search documents, media and pages"
          aria-controls="palette-results"
          aria-expanded="true"
          placeholder="Search documents, media, pages …"
          autocomplete="off"
        />
      </div>
      <div id="palette-results" role="listbox" aria-label="Results" tabindex={0}></div>
      <EmbeddedJson
        of={{
          places: known,
          documents: visit.can("documents.read"),
          media: visit.can("media.read"),
        }}
      />
    </dialog>
  );
}

/** At most two letters of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : ""].map((word) => [...word!][0]);
  return letters.join("").toUpperCase();
}
