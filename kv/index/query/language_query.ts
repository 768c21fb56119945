/**
 * A list query as a language sees it: the same conditions, sorts and facets on the columns of what is shown.
 *
 * @module
 */
import type { Collection } from "../../model/entities/collection.ts";
import { STATUSES } from "../../model/entities/document.ts";
import type { LanguageView } from "../../model/languages/in_language.ts";
import { keyAsWritten } from "../segments/derived_column.ts";
import {
  isInLanguage,
  isLanguageKey,
  keyInLanguage,
  languageKey,
  ORIGINAL_KEY,
  originalKey,
  ownLanguage,
  type ViewedLanguage,
} from "../segments/language_columns.ts";
import { type ColumnKey, columnOfKey, type FilterKey } from "../segments/list_columns.ts";
import { allOf, type Condition, hasValue } from "./condition.ts";
import type { ListQuery } from "./list_query.ts";

/** How the documents of a collection are seen. */
export type ViewOf = (collection: Collection) => LanguageView | null;

/** A query of one collection in a language; `targets` says how documents are seen that references lead to. */
export function inLanguageQuery<
  T extends Pick<ListQuery, "collections" | "statuses" | "where" | "sort" | "facets">,
>(
  query: T,
  view: LanguageView,
  site: string,
  targets: ViewOf,
): T {
  const [collection] = query.collections as [Collection];
  if (!collection.localized) {
    return { ...query, ...whereOf(query.where, collection, null, targets, site) };
  }
  const key = (by: ColumnKey) => keyInLanguage(collection, view, site, by);
  const { where } = query;
  const shown = hasValue(key("status"), ...query.statuses);
  const filter = where && inLanguageCondition(where, collection, view, site, targets);
  return {
    ...query,
    statuses: STATUSES,
    where: filter === undefined ? shown : allOf(shown, filter),
    sort: query.sort.map((one) => ({ ...one, by: key(one.by) })),
    ...(query.facets && { facets: query.facets.map((one) => ({ ...one, by: key(one.by) })) }),
  };
}

function whereOf(
  where: Condition | undefined,
  collection: Collection,
  view: LanguageView | null,
  targets: ViewOf,
  site: string,
): { where?: Condition } {
  if (where === undefined) return {};
  return { where: inLanguageCondition(where, collection, view, site, targets) };
}

function inLanguageCondition(
  condition: Condition,
  collection: Collection,
  view: LanguageView | null,
  site: string,
  targets: ViewOf,
): Condition {
  const within = (one: Condition) => inLanguageCondition(one, collection, view, site, targets);
  switch (condition.kind) {
    case "and":
    case "or":
      return { ...condition, of: condition.of.map(within) };
    case "not":
      return { ...condition, of: within(condition.of) };
    case "documents":
      return condition;
    case "items":
      return view === null ? condition : { ...condition, view };
    case "match": {
      const { target } = condition;
      const seen = targets(target.collection);
      const inner = inLanguageCondition(target.where, target.collection, seen, site, targets);
      const by = mapped(condition.by, collection, view, site);
      if (seen === null || !target.collection.localized) {
        return { ...condition, by, target: { ...target, where: inner } };
      }
      const status = keyInLanguage(target.collection, seen, site, "status");
      const where = allOf(hasValue(status, ...target.statuses), inner);
      return { ...condition, by, target: { ...target, statuses: STATUSES, where } };
    }
    default:
      return { ...condition, by: mapped(condition.by, collection, view, site) };
  }
}

function mapped(
  by: FilterKey,
  collection: Collection,
  view: LanguageView | null,
  site: string,
): FilterKey {
  if (view === null || by === "id") return by;
  if (typeof by !== "string" && isLanguageKey(by.fieldKey)) return by;
  return keyInLanguage(collection, view, site, by);
}

/**
 * The same condition for documents that are translated into none of a view's languages. `targets` gets what is
 * known of its references under their new conditions.
 */
export function conditionAsWritten<T>(
  condition: Condition,
  view: ViewedLanguage,
  targets: Map<Condition, T>,
): Condition {
  switch (condition.kind) {
    case "and":
    case "or":
      return {
        ...condition,
        of: condition.of.map((one) => conditionAsWritten(one, view, targets)),
      };
    case "not":
      return { ...condition, of: conditionAsWritten(condition.of, view, targets) };
    case "documents":
    case "items":
      return condition;
    default: {
      if (condition.by === "id") return condition;
      const own = ownLanguage(columnOfKey(condition.by));
      if (own !== undefined && view.codes.includes(own)) {
        const isMet = condition.kind === "values" && condition.values.includes(null);
        return { kind: isMet ? "and" : "or", of: [] };
      }
      const next = { ...condition, by: keyAsWritten(condition.by) };
      const target = targets.get(condition);
      if (target !== undefined) targets.set(next, target);
      return next;
    }
  }
}

/** Whether a condition holds for no document that a view does not show. */
export function selectsShown(condition: Condition): boolean {
  if (condition.kind === "and") return condition.of.some(selectsShown);
  if (condition.kind !== "values" || typeof condition.by === "string") return false;
  const isStatus = isInLanguage(columnOfKey(condition.by)) &&
    originalKey(condition.by) === "status";
  return isStatus && !condition.values.includes(null);
}

/** The state of a translation, compared with its original. */
export const TRANSLATION_STATES = ["missing", "incomplete", "outdated", "complete"] as const;

/** The state of a translation. */
export type TranslationState = typeof TRANSLATION_STATES[number];

/** Documents whose original is in a language; those that name none are in the site's. */
export function isWrittenIn(code: string, site: string): Condition {
  const original = { fieldKey: ORIGINAL_KEY };
  return code === site ? hasValue(original, null, code) : hasValue(original, code);
}

/** Documents of which the translation into a language is in one of some states. */
export function translationIs(
  collection: Collection,
  code: string,
  site: string,
  states: readonly TranslationState[],
): Condition {
  const fields = collection.fields.filter(({ localized }) => localized);
  const roots = ["title", "blocks", ...fields.map(({ key }) => key)];
  const own = (target: `$${string}`) => ({ fieldKey: languageKey(code, target) });
  const exists: Condition = { kind: "not", of: hasValue(own("$status"), null) };
  const outdated = hasValue(own("$outdated"), ...roots);
  const lacking = fields.filter(({ required }) => required)
    .map(({ key }): Condition => ({ kind: "not", of: hasValue(own("$has"), key) }));
  const incomplete: Condition = { kind: "or", of: lacking };
  const isNot = (of: Condition): Condition => ({ kind: "not", of });
  const conditions: Record<TranslationState, Condition> = {
    missing: isNot(exists),
    outdated: allOf(exists, outdated),
    incomplete: allOf(exists, isNot(outdated), incomplete),
    complete: allOf(exists, isNot(outdated), isNot(incomplete)),
  };
  return allOf(isNot(isWrittenIn(code, site)), {
    kind: "or",
    of: states.map((state) => conditions[state]),
  });
}
