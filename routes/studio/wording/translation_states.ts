/**
 * The states of translations in words.
 *
 * @module
 */
import type { TranslationState } from "../../../kv/index/query/language_query.ts";

/** The labels of the states, as filters and choices. */
export const TRANSLATION_STATE_LABELS: Readonly<Record<TranslationState, string>> = {
  missing: "Not translated",
  incomplete: "Incomplete",
  outdated: "Outdated",
  complete: "Up to date",
};
