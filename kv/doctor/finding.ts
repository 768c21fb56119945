/**
 * A finding of the doctor: an inconsistency between two parts of the store.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { SearchIndex } from "../search/search_index.ts";

/** The checks. */
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
  /** The subject, such as `document 01K…`. */
  subject: string;
  problem: string;
  /** Repairs it; false if it has changed in between. Absent if it cannot be rebuilt. */
  repair?: () => Promise<boolean>;
}

/** The dependencies of the doctor. */
export interface DoctorOptions {
  content: Content;
  search: Pick<SearchIndex, "open">;
  /** Rebuilds the search indexes, or that of languages alone. */
  rebuildSearch: (only?: { languages: true }) => Promise<void>;
}
