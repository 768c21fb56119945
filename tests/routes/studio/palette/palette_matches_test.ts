import {
  firstEntries,
  matchingPlaces,
  remaining,
} from "../../../../routes/studio/browser/page/palette_matches.ts";
import type { PaletteEntry } from "../../../../routes/studio/browser/page/palette_results.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const entry = (group: string, label: string, also?: string): PaletteEntry => ({
  group,
  label,
  also,
  href: "#",
  icon: "document",
});
const KNOWN = [
  entry("Go to", "Posts"),
  entry("Settings", "Posts per page"),
  entry("This document", "Duplicate"),
  { ...entry("This document", "Move to trash", "delete remove"), needsQuery: true },
  entry("Actions", "New in Posts"),
];
const labels = (entries: PaletteEntry[]) => entries.map(({ label }) => label);

Deno.test("matchingPlaces() has actions before screens before settings", () => {
  assertEquals(labels(matchingPlaces(KNOWN, "posts")), ["New in Posts", "Posts", "Posts per page"]);
  assertEquals(labels(matchingPlaces(KNOWN, "delete")), ["Move to trash"]);
  assertEquals(labels(matchingPlaces(KNOWN, "post new")), ["New in Posts"]);
});

Deno.test("matchingPlaces() keeps the entries that start with the query if there are many", () => {
  const many = Array.from({ length: 9 }, (_, n) => entry("Actions", `New in Reposts ${n}`));

  const shown = matchingPlaces([...many, ...KNOWN], "posts");

  assertEquals(labels(shown).slice(-2), ["Posts", "Posts per page"]);
  assertEquals(shown.length, 6);
});

Deno.test("filters leave only documents", () => {
  assertEquals(matchingPlaces(KNOWN, "in:posts"), []);
  assertEquals(matchingPlaces(KNOWN, "posts @ada"), []);
  assertEquals(remaining([entry("Documents", "in:posts")], "in:posts"), []);
  assertEquals(labels(matchingPlaces([entry("Actions", "a@b")], "a@b")), ["a@b"]);
});

Deno.test("firstEntries() has harmless actions, recent documents, then screens", () => {
  const shown = firstEntries(KNOWN, [entry("Recent documents", "Storms")]);

  assertEquals(labels(shown), ["Duplicate", "New in Posts", "Storms", "Posts"]);
});

Deno.test("pinned collections come first, with and without a query", () => {
  const known = [...KNOWN, entry("Pinned", "Imposters")];

  assertEquals(labels(firstEntries(known, [])).at(0), "Imposters");
  assertEquals(labels(matchingPlaces(known, "post")).at(0), "Imposters");
});
