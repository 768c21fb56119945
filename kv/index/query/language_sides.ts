/**
 * Conditions on the languages that documents have: whether they are written in one or translated into it, in which
 * status, and in which one they are shown.
 *
 * @module
 */
import { type Collection, isLocalized } from "../../model/entities/collection.ts";
import { type Status, STATUSES } from "../../model/entities/document.ts";
import type { LanguageView } from "../../model/languages/in_language.ts";
import { languageKey } from "../segments/language_columns.ts";
import { allOf, type Condition, hasValue } from "./condition.ts";
import { isWrittenIn } from "./language_query.ts";

const UNPUBLISHED = STATUSES.filter((status) => status !== "published");

/** Documents that have a language, in any status. */
export function existsIn(code: string, site: string): Condition {
  return { kind: "or", of: [isWrittenIn(code, site), not(hasValue(statusKey(code), null))] };
}

/** Documents that have a language in one of some statuses. */
function hasStatusIn(code: string, site: string, statuses: readonly Status[]): Condition {
  const written = isWrittenIn(code, site);
  return {
    kind: "or",
    of: [
      allOf(written, hasValue("status", ...statuses)),
      allOf(not(written), hasValue(statusKey(code), ...statuses)),
    ],
  };
}

/** Documents that have a language, but not in public. */
export function isUnpublishedIn(code: string, site: string): Condition {
  return hasStatusIn(code, site, UNPUBLISHED);
}

/** Documents that a view with substitutes shows in one of its languages. */
export function isShownIn(
  code: string,
  { code: first, chain, seesDrafts }: Pick<LanguageView, "code" | "chain" | "seesDrafts">,
  site: string,
): Condition {
  const codes = [first, ...chain];
  const isSeen = (one: string) =>
    seesDrafts ? existsIn(one, site) : hasStatusIn(one, site, ["published"]);
  const earlier = codes.slice(0, codes.indexOf(code));
  return allOf(...earlier.map((one) => not(isSeen(one))), isSeen(code));
}

/** Documents that may lack a value of their own in a language, which can come from another one then. */
export function hasGapsIn(collection: Collection, code: string, site: string): Condition {
  const fields = collection.fields.filter((field) => isLocalized(collection, field));
  const roots = fields.map(({ key }) => key);
  const lacks = (code: string, roots: readonly string[]): Condition => ({
    kind: "or",
    of: roots.map((root) => not(hasValue({ fieldKey: languageKey(code, "$has") }, root))),
  });
  const written = isWrittenIn(code, site);
  return {
    kind: "or",
    of: [
      allOf(written, lacks("", roots)),
      allOf(not(written), lacks(code, [...roots, "blocks"])),
    ],
  };
}

function statusKey(code: string): { fieldKey: string } {
  return { fieldKey: languageKey(code, "$status") };
}

function not(of: Condition): Condition {
  return { kind: "not", of };
}
