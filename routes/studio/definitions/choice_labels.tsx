/**
 * The labels of a field's choices in the site's other languages: a row for each choice, which the browser's code keeps
 * in step with the list of choices.
 *
 * @module
 */
import type { Schema } from "../../../kv/model/entities/collection.ts";
import type { FieldOptions } from "../../../kv/model/fields/field_definition.ts";
import { directionOf } from "../../../kv/model/languages/language.ts";
import { NAME_CHARS_MAX } from "../../../kv/limits/content.ts";
import { KeptValues, otherLanguages } from "../components/forms/language_texts.tsx";
import { typesWithOption } from "../controls/field_facets.tsx";
import { languageLabel } from "../wording/language_names.ts";

interface ChoiceLabelsProps {
  options: FieldOptions;
  schema: Pick<Schema, "languages">;
}

/** The labels of all choices; nothing on a site in one language. */
export function ChoiceLabels({ options, schema }: ChoiceLabelsProps) {
  const codes = otherLanguages(schema);
  if (codes.length === 0) return null;
  const { choices = [], choiceLabels = {} } = options;
  const row = (choice: string) => (
    <fieldset class="choice-labels" data-name={choice} data-type="group" data-sparse>
      <legend dir="auto">{choice}</legend>
      {codes.map((code) => (
        <label class="field" data-name={code} data-type="text">
          <span>{languageLabel(code, schema)}</span>
          <input
            type="text"
            lang={code}
            dir={directionOf(code)}
            placeholder={choice}
            value={choiceLabels[choice]?.[code] ?? ""}
            maxlength={NAME_CHARS_MAX}
            autocomplete="off"
          />
        </label>
      ))}
      <KeptValues values={choiceLabels[choice] ?? {}} shown={codes} />
    </fieldset>
  );
  return (
    <div
      data-name="choiceLabels"
      data-type="group"
      data-for={typesWithOption("choices")}
      data-sparse
    >
      <details class="language-texts">
        <summary>Choices in other languages</summary>
        <p class="muted small" data-no-choices hidden={choices.length > 0}>
          Add choices first.
        </p>
        <div data-choice-rows>{choices.map(row)}</div>
        <template data-choice-row>{row("")}</template>
      </details>
    </div>
  );
}
