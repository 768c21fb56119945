/**
 * The palette: one field that finds pages, actions, documents and media.
 *
 * @module
 */
import { collectionIcon, collectionsToAddTo, navigationOf, PINNED } from "../../navigation.ts";
import { settingName } from "../../wording/setting_names.ts";
import { newDocumentLabel } from "../../wording/new_document.ts";
import type { Visit } from "../../serving/studio_env.ts";
import { EmbeddedJson } from "../embedded_json.tsx";
import { Icon } from "../icon.tsx";
import type { IconName } from "../icon_names.ts";

/** The entries of the palette that need no request. */
interface KnownEntry {
  label: string;
  href: string;
  icon: IconName;
  group: typeof PINNED | "Actions" | "Go to" | "Settings";
  hint?: string;
}

/** Icons of search results and page actions. */
const FOUND_ICONS: readonly IconName[] = ["document", "image", "rocket", "theme", "account"];

/** The dialog with its static entries. */
export function Palette({ visit, pins }: { visit: Visit; pins: ReadonlySet<string> }) {
  const pages = Map.groupBy(pagesOf(visit, pins), ({ group }) => group);
  const places = [
    ...pages.get(PINNED) ?? [],
    ...actionsOf(visit),
    ...pages.get("Go to") ?? [],
    ...settingsOf(visit),
  ];
  const icons = new Set([...FOUND_ICONS, ...places.map(({ icon }) => icon)]);
  return (
    <dialog id="palette" class="palette" data-island="palette" aria-label="Search or go to">
      <div class="palette-head">
        <Icon name="search" />
        <input
          type="search"
          role="combobox"
          aria-label="Search documents, files and screens"
          aria-controls="palette-results"
          aria-expanded="true"
          placeholder="Search or run a command …"
          autocomplete="off"
        />
        <kbd>Esc</kbd>
      </div>
      <div id="palette-results" role="listbox" aria-label="Results" tabindex={0}></div>
      <p class="palette-foot" aria-hidden="true">
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd> choose
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span class="palette-filters">
          <kbd>in:</kbd> collection
        </span>
        <span>
          <kbd>@</kbd> creator
        </span>
      </p>
      <template data-palette-icons>
        {[...icons].map((name) => (
          <span data-icon={name}>
            <Icon name={name} />
          </span>
        ))}
      </template>
      <EmbeddedJson of={{ places }} />
    </dialog>
  );
}

/** Every screen once: pinned collections under that heading only. */
function pagesOf(visit: Visit, pins: ReadonlySet<string>): KnownEntry[] {
  return navigationOf(visit, pins).flatMap(({ heading, links }) =>
    links.filter(({ pin }) => !pin?.isPinned || heading === PINNED)
      .map(({ label, href, icon }): KnownEntry => ({
        label,
        href,
        icon,
        group: heading === PINNED ? PINNED : "Go to",
        ...(heading !== "" && heading !== PINNED && { hint: heading }),
      }))
  );
}

/** New documents of this many collections are listed before other actions, the rest after them. */
const FIRST_COLLECTIONS = 4;

/** Actions available on every screen, most frequent first. */
function actionsOf(visit: Visit): KnownEntry[] {
  const begun = collectionsToAddTo(visit).map((collection): KnownEntry => ({
    label: newDocumentLabel(collection),
    href: `/admin/content/${collection.slug}/new`,
    icon: collectionIcon(collection),
    group: "Actions",
  }));
  const actions: [allowed: boolean, label: string, href: string, icon: IconName][] = [
    [visit.can("users.manage"), "Invite user", "/admin/users#invite", "mail"],
    [
      visit.can("collections.write"),
      "New collection",
      "/admin/collections#new-collection",
      "structure",
    ],
    [visit.can("tokens.manage"), "New API token", "/admin/tokens/new", "key"],
    [true, "Your account", "/admin/account", "account"],
  ];
  return [
    ...begun.slice(0, FIRST_COLLECTIONS),
    ...actions.filter(([allowed]) => allowed)
      .map(([, label, href, icon]): KnownEntry => ({ label, href, icon, group: "Actions" })),
    ...begun.slice(FIRST_COLLECTIONS),
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
/** Settings in the design form. */
const DESIGN = ["site.accent", "site.font", "site.logo", "site.menu"];

function settingsOf(visit: Visit): KnownEntry[] {
  if (!visit.can("settings.read")) return [];
  const controls = [
    ...SETTINGS.map((name) => [name, `settings#f-${name}`] as const),
    ...DESIGN.map((name) => [name, `design#design-${name}`] as const),
  ];
  return controls.map(([name, place]) => ({
    label: settingName(name),
    href: `/admin/${place}`,
    icon: "settings",
    group: "Settings",
  }));
}
