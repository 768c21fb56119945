/**
 * The filter of a list by the state of a translation.
 *
 * @module
 */
import { TRANSLATION_STATES } from "../../../../../kv/index/query/language_query.ts";
import { codesOf, type Collection } from "../../../../../kv/model/entities/collection.ts";
import { ChoiceList } from "../../../components/forms/choice_list.tsx";
import type { ListState } from "../../../list_state.ts";
import type { Visit } from "../../../serving/studio_env.ts";
import { languageLabel } from "../../../wording/language_names.ts";
import { TRANSLATION_STATE_LABELS } from "../../../wording/translation_states.ts";

/** The active filter in words: "French: Not translated". */
export function translationText(
  language: string,
  { params }: ListState,
  { schema }: Visit,
): string {
  const states = params.get("translation")?.split(",") ?? [];
  const labels = TRANSLATION_STATES.filter((state) => states.includes(state))
    .map((state) => TRANSLATION_STATE_LABELS[state]);
  return [languageLabel(language, schema), ...labels].join(": ");
}

/** Filters by the state of the translation into a language. */
export function TranslationFilter(
  { state, collection, visit }: {
    state: ListState;
    collection: Collection | null;
    visit: Visit;
  },
) {
  const codes = collection === null ? [] : codesOf(collection);
  if (codes.length === 0) return null;
  return (
    <>
      <div class="field">
        <label for="filter-language">Language</label>
        <ChoiceList
          id="filter-language"
          name="language"
          choices={[
            ["", "Any"],
            ...codes.map((code) =>
              [
                code,
                languageLabel(code, visit.schema),
              ] as const
            ),
          ]}
          value={state.params.get("language") ?? ""}
        />
      </div>
      <div class="field">
        <label for="filter-translation">Translation</label>
        <ChoiceList
          id="filter-translation"
          name="translation"
          choices={[
            ["", "Any"],
            ...TRANSLATION_STATES.map((one) => [one, TRANSLATION_STATE_LABELS[one]] as const),
          ]}
          value={state.params.get("translation") ?? ""}
        />
        <p class="help">Requires a language.</p>
      </div>
    </>
  );
}
