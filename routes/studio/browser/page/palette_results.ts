/**
 * Runs in the browser. The results of the palette: rows with icons under headings.
 *
 * @module
 */
import { get, make } from "./elements.ts";

/** A row of the palette. */
export interface PaletteEntry {
  label: string;
  href: string;
  /** The heading of the entry. */
  group: string;
  /** The name of an icon of the palette, or one of the page to copy. */
  icon: string | Element;
  hint?: string;
  /** Further words that it is found by. */
  also?: string | undefined;
  /** Whether it is shown only if it matches a query. */
  needsQuery?: boolean;
  /** The query that choosing the entry completes. */
  fill?: string;
  /** An action that replaces the navigation. */
  run?: () => void;
}

/** Shows entries under headings, in the order of each heading's first entry, and a message below. */
export function showEntries(results: HTMLElement, entries: PaletteEntry[], message: string): void {
  let count = 0;
  const groups = [...Map.groupBy(entries, ({ group }) => group)].map(([heading, rows]) =>
    make(
      "div",
      { role: "group", "aria-label": heading, class: "palette-group" },
      make("p", { class: "palette-heading", "aria-hidden": "true" }, heading),
      ...rows.map((entry) => row(entry, count++)),
    )
  );
  const said = make("p", { class: "palette-message" }, message);
  results.replaceChildren(...groups, ...(message === "" ? [] : [said]));
  results.scrollTop = 0;
}

function row({ label, href, icon, hint = "", run }: PaletteEntry, index: number): HTMLElement {
  const act = (event: Event) => {
    event.preventDefault();
    run?.();
  };
  return make(
    "a",
    {
      class: "palette-entry",
      role: "option",
      id: `palette-${index}`,
      href,
      tabindex: "-1",
      "aria-selected": String(index === 0),
      ...(run !== undefined && { onclick: act }),
    },
    drawingOf(icon),
    make("span", { class: "palette-label", dir: "auto" }, label),
    make("span", { class: "palette-hint" }, hint),
  );
}

/** A copy of an icon; the page carries those that have names in a template. */
function drawingOf(icon: string | Element): Node {
  if (typeof icon !== "string") return icon.cloneNode(true);
  const { content } = get<HTMLTemplateElement>(document, "template[data-palette-icons]");
  return (content.querySelector(`[data-icon="${icon}"]`) ?? get(content, "[data-icon]"))
    .firstElementChild!.cloneNode(true);
}
