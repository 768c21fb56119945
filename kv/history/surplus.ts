/**
 * Which versions of an entity are surplus: of the edit sessions within the cap all but the first and the newest
 * version go once they are a day old, before the cap everything does but what is named or was published.
 *
 * @module
 */
import type { VersionRow } from "../versioning/entities.ts";
import { isSameEditSession } from "../versioning/edit_sessions.ts";
import type { VersionNotes } from "../versioning/version_notes.ts";

/** Sittings that are kept are at most this many times the cap, with those of named and once published versions. */
const BEYOND = 10;
/** Versions inside an edit session are all kept for so long, seconds. */
export const THINNED_AFTER_SECONDS = 86_400;

/** The properties that classify a version. */
export interface SurplusRules {
  /** The cap: edit sessions. */
  keep: number;
  /** Epoch seconds. */
  now: number;
  notes: VersionNotes;
}

/** A version and its neighbours among those that are there. */
export interface Neighbours {
  /** Older; null for the oldest. */
  before: VersionRow | null;
  row: VersionRow;
  /** Newer; null for the newest. */
  after: VersionRow | null;
  published: boolean;
}

/** Judges an entity's versions, from the newest to the oldest. */
export class SurplusClassifier {
  readonly #rules: SurplusRules;
  /** Sittings of which something is kept. */
  #sittings = 0;
  /** Whether the edit session of the version before this one is among them. */
  #isCounted = false;

  constructor(rules: SurplusRules) {
    this.#rules = rules;
  }

  /** Judges the next one: whether it is surplus, and whether it lies inside an edit session. */
  classify({ before, row, after, published }: Neighbours): { surplus: boolean; inside: boolean } {
    const { keep, now, notes } = this.#rules;
    const isNewest = after === null || !isSameEditSession(row, after, notes.gaps);
    const isFirst = before === null || !isSameEditSession(before, row, notes.gaps);
    const isLasting = published || notes.names.has(row.n);
    if (isNewest) this.#isCounted = false;
    if (!this.#isCounted && (this.#sittings < keep || isLasting)) {
      this.#isCounted = this.#sittings < keep * BEYOND;
      if (this.#isCounted) this.#sittings += 1;
    }
    const isYoung = row.at > now - THINNED_AFTER_SECONDS;
    const isShown = this.#sittings <= keep && (isFirst || isNewest || isYoung);
    const isKept = this.#isCounted && (isLasting || isShown);
    return { surplus: !isKept, inside: !isNewest && !isFirst };
  }
}
