/**
 * Runs in the browser. The command palette (`⌘K`): actions and screens immediately, documents and files as the
 * server finds them. Without a query it offers the actions of the page and recent documents. It is loaded when
 * it is opened for the first time, or when the page has nothing else to do.
 *
 * @module
 */
import { call } from "./call.ts";
import { renderWhenReleased } from "./pointer_release.ts";
import { all, embedded, get } from "./elements.ts";
import { firstEntries, matchingPlaces, remaining } from "./palette_matches.ts";
import { type PaletteEntry, showEntries } from "./palette_results.ts";

/** Pause after the last key before the server is asked, milliseconds. */
const PAUSE_MS = 60;
/** Actions of the page by its own buttons, with icons for those without one. */
const PAGE_ACTIONS: readonly (readonly [selector: string, icon: string, also?: string])[] = [
  ["[data-publish]", "rocket"],
  ["[data-opens=ask-review]", "document"],
  ["[data-preview-toggle]", "document"],
  ["#document-menu > .menu-entry:not(.danger)", "document"],
  ["#document-menu > .menu-entry.danger", "document", "delete remove"],
];
/** Actions of the user menu with additional search words. */
const OWN_ACTIONS: readonly (readonly [selector: string, label: string, also: string])[] = [
  ["[data-theme-choice] [value=dark]", "Dark mode", "mode theme appearance"],
  ["[data-theme-choice] [value=light]", "Light mode", "mode theme appearance"],
  ["[data-theme-choice] [value=auto]", "Use system appearance", "mode theme appearance auto"],
  ["[data-keys-open]", "Keyboard shortcuts", "help keys"],
  ["[data-action$='/session']", "Sign out", "log out logout leave"],
];

/** Starts the palette. */
export function startPalette(dialog: HTMLElement): void {
  const { places } = embedded<{ places: PaletteEntry[] }>(dialog);
  const input = get<HTMLInputElement>(dialog, "input");
  const results = get(dialog, "#palette-results");
  places.push(...ownActions(dialog));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();
  /** The latest results of the server. Entries that still match stay while a new query is running. */
  const last: { recent: PaletteEntry[]; found: PaletteEntry[] } = { recent: [], found: [] };

  const complete = (query: string) => {
    input.value = query;
    search();
  };
  const search = () => {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const { signal } = asking;
    const query = input.value;
    const text = query.trim();
    const kind = text === "" ? "recent" : "found";
    const known = [...pageActions(dialog), ...places];
    const show = (isSearching: boolean) => {
      const entries = text === ""
        ? firstEntries(known, last.recent)
        : [...matchingPlaces(known, text), ...last.found];
      const message = isSearching ? "Searching …" : entries.length === 0 ? "No results." : "";
      renderWhenReleased(results, () => {
        showEntries(results, entries, entries.length === 0 || kind === "found" ? message : "");
        input.setAttribute("aria-activedescendant", entries.length === 0 ? "" : "palette-0");
      });
    };
    last.found = remaining(last.found, text);
    show(true);
    timer = setTimeout(async () => {
      const answer = await searchServer(query, signal);
      if (signal.aborted) return;
      const isSame = JSON.stringify(answer) === JSON.stringify(last[kind]);
      last[kind] = answer.map(({ fill, ...entry }) =>
        fill === undefined ? entry : { ...entry, run: () => complete(fill) }
      );
      // Unchanged results keep the selected entry.
      if (!isSame || kind === "found") show(false);
    }, text === "" ? 0 : PAUSE_MS);
  };

  input.addEventListener("input", search);
  input.addEventListener("focus", search);
  // The focus stays in the search field.
  results.addEventListener("mousedown", (event) => event.preventDefault());
  // A link to a part of the current page does not reload it.
  results.addEventListener("click", ({ target }) => {
    const entry = (target as Element).closest<HTMLAnchorElement>("a.palette-entry");
    if (entry?.hash && entry.pathname === location.pathname) (dialog as HTMLDialogElement).close();
  });
  dialog.addEventListener("keydown", (event) => {
    // A search field would take the first Escape for itself.
    if (event.key === "Escape") (dialog as HTMLDialogElement).close();
    else move(event, results, input);
  });
  if (document.activeElement === input) search();
}

async function searchServer(text: string, signal: AbortSignal): Promise<PaletteEntry[]> {
  const path = `/admin/find?q=${encodeURIComponent(text)}`;
  const reply = await call<{ entries: PaletteEntry[] }>("GET", path, { signal }).catch(() => null);
  return reply?.ok ? reply.body.entries : [];
}

/** The actions of the page, performed by its own buttons. */
function pageActions(dialog: HTMLElement): PaletteEntry[] {
  const found = PAGE_ACTIONS.flatMap(([selector, icon, also]) =>
    all<HTMLButtonElement>(document, selector)
      .filter((button) => !button.disabled && !button.hidden)
      .map((button) => ({ button, icon, also }))
  );
  return found.map(({ button, icon, also }) => ({
    label: button.textContent.trim(),
    also,
    needsQuery: button.matches(".danger"),
    href: "#",
    group: "This document",
    icon: button.querySelector(".icon") ?? icon,
    run: () => {
      (dialog as HTMLDialogElement).close();
      button.click();
    },
  }));
}

/** The actions of the user menu. */
function ownActions(dialog: HTMLElement): PaletteEntry[] {
  return OWN_ACTIONS.flatMap(([selector, label, also]) =>
    all<HTMLElement>(document, `#user-menu ${selector}`).map((control): PaletteEntry => ({
      label,
      also,
      href: "#",
      group: "You",
      icon: control.querySelector(".icon") ?? "theme",
      run: () => {
        (dialog as HTMLDialogElement).close();
        control.click();
      },
    }))
  );
}

function move(event: KeyboardEvent, results: HTMLElement, input: HTMLInputElement): void {
  const entries = all<HTMLAnchorElement>(results, ".palette-entry");
  const at = entries.findIndex((entry) => entry.getAttribute("aria-selected") === "true");
  if (event.key === "Enter") {
    event.preventDefault();
    entries[at]?.click();
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined || entries.length === 0) return;
  event.preventDefault();
  const next = (at + step + entries.length) % entries.length;
  entries.forEach((entry, index) => entry.setAttribute("aria-selected", String(index === next)));
  const entry = entries[next];
  entry?.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", entry?.id ?? "");
}
