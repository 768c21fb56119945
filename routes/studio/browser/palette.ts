/**
 * Runs in the browser. `⌘K`: pages and actions at once, documents by title and text and media as the server
 * finds them; without words, what was changed last.
 *
 * @module
 */
import { PALETTE_PLACES_MAX } from "../../limits.ts";
import { call } from "./call.ts";
import { all, embedded, get, make } from "./elements.ts";

interface Entry {
  label: string;
  href: string;
  hint?: string;
  /** What is done instead of going to the address. */
  run?: () => void;
}

interface Known {
  places: Entry[];
}

/** Pause after the last key before the server is asked, milliseconds. */
const PAUSE_MS = 60;

/** Makes the palette search while one types. */
export function startPalette(dialog: HTMLElement): void {
  const known = embedded<Known>(dialog);
  const input = get<HTMLInputElement>(dialog, "input");
  const results = get(dialog, "#palette-results");
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asking = new AbortController();

  const search = () => {
    clearTimeout(timer);
    asking.abort();
    asking = new AbortController();
    const text = input.value.trim();
    const places = matchingPlaces([...pageActions(dialog), ...known.places], text);
    show(results, places, text === "" ? "" : "Searching …");
    const { signal } = asking;
    timer = setTimeout(async () => {
      const found = await searchServer(text, signal);
      if (signal.aborted) return;
      show(
        results,
        [...places, ...found],
        places.length + found.length === 0 ? "Nothing found." : "",
      );
    }, text === "" ? 0 : PAUSE_MS);
  };

  input.addEventListener("input", search);
  input.addEventListener("focus", search);
  dialog.addEventListener("keydown", (event) => {
    // A search field would take the first Escape for itself.
    if (event.key === "Escape") (dialog as HTMLDialogElement).close();
    else move(event, results, input);
  });
}

function matchingPlaces(places: Entry[], text: string): Entry[] {
  const wanted = text.toLowerCase();
  return places.filter(({ label }) => label.toLowerCase().includes(wanted)).slice(
    0,
    PALETTE_PLACES_MAX,
  );
}

async function searchServer(text: string, signal: AbortSignal): Promise<Entry[]> {
  const path = `/admin/find?q=${encodeURIComponent(text)}`;
  const reply = await call("GET", path, { signal }).catch(() => null);
  return reply?.ok ? reply.body.entries : [];
}

/** What the page itself can do; its own buttons do it. */
function pageActions(dialog: HTMLElement): Entry[] {
  const buttons = all<HTMLButtonElement>(document, "[data-publish]");
  return buttons.filter((button) => !button.disabled).map((button) => ({
    label: button.textContent!.trim(),
    href: "#",
    hint: "This document",
    run: () => {
      (dialog as HTMLDialogElement).close();
      button.click();
    },
  }));
}

function show(results: HTMLElement, entries: Entry[], message: string): void {
  const links = entries.map(({ label, href, hint = "", run }, index) =>
    make(
      "a",
      {
        class: "palette-entry",
        role: "option",
        id: `palette-${index}`,
        href,
        tabindex: "-1",
        "aria-selected": String(index === 0),
        ...(run !== undefined && {
          onclick: (event: Event) => {
            event.preventDefault();
            run();
          },
        }),
      },
      make("span", {}, label),
      make("span", {}, hint),
    )
  );
  results.replaceChildren(...links, ...(message === "" ? [] : [make("p", {}, message)]));
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
  entries[next]!.scrollIntoView({ block: "nearest" });
  input.setAttribute("aria-activedescendant", entries[next]!.id);
}
