/**
 * The title, description and menu of the site in its languages other than the first.
 *
 * @module
 */
import { DESCRIPTION_CHARS_MAX, NAME_CHARS_MAX } from "../../../../kv/limits/content.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { Language } from "../../../../kv/model/languages/language.ts";
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { KeptValues, TextInLanguage } from "../../components/forms/language_texts.tsx";
import { Row } from "../../controls/nested_control.tsx";
import { TextOption } from "../../definitions/option_controls.tsx";
import { RowsField } from "../../definitions/rows_field.tsx";
import { Group } from "./settings_group.tsx";
import { languageLabel } from "../../wording/language_names.ts";

interface SiteTextsProps {
  values: Record<string, Json>;
  /** The languages of the site, the first of which has its texts in settings of their own. */
  languages: readonly Language[];
  readOnly: boolean;
}

/** The card of the settings page. */
export function SiteTexts({ values, languages, readOnly }: SiteTextsProps) {
  const stored = values["site.texts"] ?? null;
  const texts = isJsonObject(stored) ? stored : {};
  const others = languages.slice(1);
  return (
    <Group
      id="site-texts"
      heading="Site in other languages"
      text="What visitors read on the pages of each language. If empty, the text of the site is used."
      island="rows"
    >
      <div data-name="site.texts" data-type="group" data-sparse>
        {others.map(({ code, name }) => (
          <TextsIn
            code={code}
            name={name ?? languageLabel(code, {})}
            stored={texts[code]}
            values={values}
            readOnly={readOnly}
          />
        ))}
        <KeptValues values={texts} shown={others.map(({ code }) => code)} />
      </div>
    </Group>
  );
}

/** The texts of one language. */
function TextsIn(
  { code, name, stored = null, values, readOnly }:
    & Pick<SiteTextsProps, "values" | "readOnly">
    & { code: string; name: string; stored: Json | undefined },
) {
  const texts = isJsonObject(stored) ? stored : {};
  const text = (key: string) => ({
    name: key,
    code,
    value: String(texts[key] ?? ""),
    original: String(values[key] ?? ""),
    id: `${key}-${code}`,
    disabled: readOnly,
  });
  const menu = texts["site.menu"];
  const entries = Array.isArray(menu) ? menu as { label: string; url: string }[] : [];
  return (
    <details class="language-texts" open={Object.keys(texts).length > 0}>
      <summary>{name}</summary>
      <div class="stack" data-name={code} data-type="group" data-sparse>
        <TextInLanguage {...text("site.title")} label="Title" maxlength={NAME_CHARS_MAX} />
        <TextInLanguage
          {...text("site.description")}
          label="Description"
          maxlength={DESCRIPTION_CHARS_MAX}
          multiline
        />
        <RowsField name="site.menu" label={`Menu in ${name}`} add="Add entry" readOnly={readOnly}>
          {entries.map((entry, index) => (
            <EntryRow entry={entry} id={`m-${code}-${index}`} readOnly={readOnly} />
          ))}
          <EntryRow entry={{ label: "", url: "" }} id={`m-${code}-new`} readOnly={readOnly} />
        </RowsField>
      </div>
    </details>
  );
}

function EntryRow(
  { entry, id, readOnly }: {
    entry: { label: string; url: string };
    id: string;
    readOnly: boolean;
  },
) {
  return (
    <Row title="Entry" readOnly={readOnly}>
      <div class="pair">
        <TextOption name="label" label="Label" value={entry.label} id={`${id}-label`} />
        <TextOption
          name="url"
          label="URL"
          value={entry.url}
          id={`${id}-url`}
          placeholder="/fr/about"
          mono
        />
      </div>
    </Row>
  );
}
