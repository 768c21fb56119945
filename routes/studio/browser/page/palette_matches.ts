/**
 * Runs in the browser. The entries of the palette that match a query, in their order.
 *
 * @module
 */
import { PALETTE_PLACES_MAX } from "../../../input/limits.ts";
import type { PaletteEntry } from "./palette_results.ts";

/** The headings of entries that need no request, in their order: actions come before screens that are not pinned. */
const ORDER = ["Pinned", "This document", "Actions", "You", "Go to", "Settings"];
/** The headings shown without a query, and the number of entries under each. */
const FIRST: Readonly<Record<string, number>> = {
  "Pinned": PALETTE_PLACES_MAX,
  "This document": PALETTE_PLACES_MAX,
  "Actions": PALETTE_PLACES_MAX,
  "Go to": PALETTE_PLACES_MAX,
};

/** The entries without a query: pinned collections, actions, recent documents and screens. */
export function firstEntries(
  known: readonly PaletteEntry[],
  recent: readonly PaletteEntry[],
): PaletteEntry[] {
  const under = (heading: string) =>
    known.filter(({ group, needsQuery }) => group === heading && !needsQuery)
      .slice(0, FIRST[heading]);
  return [
    ...under("Pinned"),
    ...under("This document"),
    ...under("Actions"),
    ...recent,
    ...under("Go to"),
  ];
}

/** The best entries for a query, actions before screens and settings; none if filters limit it to documents. */
export function matchingPlaces(known: readonly PaletteEntry[], text: string): PaletteEntry[] {
  if (hasFilter(text)) return [];
  return matching(known, text)
    .slice(0, PALETTE_PLACES_MAX)
    .toSorted((a, b) => ORDER.indexOf(a.group) - ORDER.indexOf(b.group));
}

/** The results of the last query that can be results of this one. */
export function remaining(found: readonly PaletteEntry[], text: string): PaletteEntry[] {
  return hasFilter(text) ? [] : matching(found, text);
}

/** Whether a query has a filter: `in:posts`, `@ada`. */
function hasFilter(text: string): boolean {
  return /(^|\s)(in:|@)/i.test(text);
}

/** Entries whose labels or search words contain all words; those that start with them come first. */
function matching(entries: readonly PaletteEntry[], text: string): PaletteEntry[] {
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/);
  const begins = ({ label }: PaletteEntry) => Number(label.toLowerCase().startsWith(wanted));
  return entries
    .filter(({ label, also = "" }) => {
      const names = `${label} ${also}`.toLowerCase();
      return words.every((word) => names.includes(word));
    })
    .toSorted((a, b) => begins(b) - begins(a));
}
