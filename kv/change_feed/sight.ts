/**
 * What a consumer of the change feed sees of documents: originals, or documents in one language.
 *
 * @module
 */
import type { Change } from "../changes/change_log.ts";
import type { StoredDocument } from "../documents/write.ts";
import type { Status } from "../model/entities/document.ts";

/** The statuses of a change as a reader sees it; null where there was, or is, nothing to see. */
export interface SeenChange {
  before: Status | null;
  after: Status | null;
}

/** How documents and their changes are seen. */
export interface Sight {
  /** A document as it is seen; null for one that is not there. */
  document(stored: StoredDocument): StoredDocument | null;
  /** A change as it is seen; null for one that changes nothing there. */
  change(change: Change): SeenChange | null;
}

/** The sight of who names no language: changes of translations alone are none. */
export const ORIGINALS: Sight = {
  document: (stored) => stored,
  change: (change) => isOfOriginal(change) ? change : null,
};

/** Whether a change is, or may be, of what requests see that name no language. */
export function isOfOriginal({ languages }: Pick<Change, "languages">): boolean {
  return languages === undefined || languages.changed.includes("");
}

/** The sight of a language; `codes` are the language itself and those that stand in for it. */
export function languageSight(
  { codes, site, substitutes, isLocalized, document }: {
    codes: readonly string[];
    site: string;
    substitutes: boolean;
    isLocalized: (collectionId: string) => boolean;
    document: Sight["document"];
  },
): Sight {
  return {
    document,
    change: (change) => {
      const { languages, collectionId, before, after } = change;
      if (!isLocalized(collectionId)) return isOfOriginal(change) ? change : null;
      const original = languages?.original ?? site;
      const changed = (languages?.changed ?? [""]).map((code) => code === "" ? original : code);
      // Values that all languages share, and those of the original that show through.
      const isConcerned = changed.includes(original) ||
        codes.some((code) => changed.includes(code));
      if (!isConcerned) return null;
      for (const code of substitutes ? codes : codes.slice(0, 1)) {
        const statuses = code === original ? [before, after] as const : languages?.statuses[code];
        if (statuses !== undefined) return { before: statuses[0], after: statuses[1] };
      }
      return null;
    },
  };
}
