/**
 * The palette: one field that finds pages, actions, documents and media.
 *
 * @module
 */
import { navigationOf } from "../navigation.ts";
import { settingName } from "../setting_names.ts";
import type { Visit } from "../studio_env.ts";
import { EmbeddedJson } from "./embedded_json.tsx";
import { Icon } from "./icon.tsx";

/** What the palette knows without asking the server. */
interface KnownEntry {
  label: string;
  href: string;
  hint: string;
}

/** The dialog, and what it knows at once. */
export function Palette({ visit }: { visit: Visit }) {
  const pages: KnownEntry[] = navigationOf(visit).flatMap(({ heading, links }) =>
    links.map(({ label, href }) => ({ label, href, hint: heading || "Page" }))
  );
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
        <kbd>Esc</kbd>
      </div>
      <div id="palette-results" role="listbox" aria-label="Results" tabindex={0}></div>
      <EmbeddedJson
        of={{
          places: [...pages, ...actionsOf(visit), ...settingsOf(visit)],
        }}
      />
    </dialog>
  );
}

function actionsOf(visit: Visit): KnownEntry[] {
  const actions: [allowed: boolean, label: string, href: string][] = [
    [visit.can("users.manage"), "Invite somebody", "/admin/users#invite"],
    [visit.can("tokens.manage"), "New API token", "/admin/tokens/new"],
    [visit.can("collections.write"), "New collection", "/admin/collections#new-collection"],
    [true, "Your account", "/admin/account"],
  ];
  const written = visit.documents.within("create", visit.schema.collections)
    .filter(({ singleton }) => !singleton);
  return [
    ...written.map(({ name, slug }) => ({
      label: `New in ${name}`,
      href: `/admin/content/${slug}/new`,
      hint: "Action",
    })),
    ...actions.filter(([allowed]) => allowed)
      .map(([, label, href]) => ({ label, href, hint: "Action" })),
  ];
}

/** Settings that people look for by their names. */
const SETTINGS = [
  "site.title",
  "site.description",
  "site.url",
  "site.language",
  "site.timezone",
];

function settingsOf(visit: Visit): KnownEntry[] {
  if (!visit.can("settings.read")) return [];
  return SETTINGS.map((name) => ({
    label: settingName(name),
    href: `/admin/settings#f-${name}`,
    hint: "Setting",
  }));
}
