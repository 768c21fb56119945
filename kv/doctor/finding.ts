/**
 * What the doctor finds: something in the store that does not agree with something else in it.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { SearchIndex } from "../search/search_index.ts";

/** What is examined. */
const CHECKS = [
  "states",
  "histories",
  "slugs",
  "unique values",
  "references",
  "schedules",
  "lists",
  "search",
  "objects",
  "configuration",
] as const;

/** One of {@linkcode CHECKS}. */
export type Check = typeof CHECKS[number];

/** A disagreement. */
export interface Finding {
  check: Check;
  /** What it is about, such as `document 01K…`. */
  subject: string;
  problem: string;
  /** Repairs it; false if it has changed in between. Absent if it cannot be rebuilt. */
  repair?: () => Promise<boolean>;
}

/** What the doctor is given. */
export interface DoctorOptions {
  content: Content;
  search: Pick<SearchIndex, "open">;
  /** Rebuilds the search index. */
  rebuildSearch: () => Promise<void>;
}
