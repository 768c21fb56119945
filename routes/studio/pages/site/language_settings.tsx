/**
 * The languages of the content: their order, fallbacks and pages, and the instructions for translators.
 *
 * @module
 */
import { TRANSLATION_STYLE_CHARS_MAX } from "../../../../kv/limits/content.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { GlossaryTerm } from "../../../../kv/model/entities/setting.ts";
import { directionOf, type Language } from "../../../../kv/model/languages/language.ts";
import { Field } from "../../components/forms/field.tsx";
import { Row } from "../../controls/nested_control.tsx";
import { RowsField } from "../../definitions/rows_field.tsx";
import { Group } from "./settings_group.tsx";
import { SiteTexts } from "./site_texts.tsx";
import { Lines, Switch, TextOption } from "../../definitions/option_controls.tsx";

interface LanguageSettingsProps {
  values: Record<string, Json>;
  languages: readonly Language[];
  glossary: readonly GlossaryTerm[];
  readOnly: boolean;
}

/** The sections about languages. */
export function LanguageSettings(
  { values, languages, glossary, readOnly }: LanguageSettingsProps,
) {
  const original = String(values["site.language"]);
  return (
    <>
      <Group
        id="languages"
        heading="Languages of content"
        text={`Documents can be translated once there are two languages. The first is ${original}, the language of the site; documents are written in it unless they say otherwise.`}
        island="rows"
      >
        <RowsField name="languages" label="Languages" add="Add language" readOnly={readOnly}>
          {(languages.length > 0 ? languages : [{ code: original }]).map((language, index) => (
            <LanguageRow language={language} id={`l-${index}`} readOnly={readOnly} />
          ))}
          <LanguageRow language={{ code: "" }} id="l-new" readOnly={readOnly} />
        </RowsField>
      </Group>
      {languages.length > 0 && <SiteTexts {...{ values, languages, readOnly }} />}
      {languages.length > 0 && (
        <Group
          id="translation"
          heading="Translation"
          text="For translators, and for agents that translate through MCP."
          island="rows"
        >
          <Field
            label="Style"
            name="translation.style"
            value={String(values["translation.style"] ?? "")}
            maxlength={TRANSLATION_STYLE_CHARS_MAX}
            help="How translations should sound: formal or informal address, units, quotation marks."
            multiline
            nullable
            disabled={readOnly}
          />
          <RowsField
            name="translation.glossary"
            label="Glossary"
            add="Add term"
            readOnly={readOnly}
          >
            {glossary.map((term, index) => (
              <TermRow term={term} id={`t-${index}`} readOnly={readOnly} />
            ))}
            <TermRow term={{ term: "", note: "" }} id="t-new" readOnly={readOnly} />
          </RowsField>
        </Group>
      )}
    </>
  );
}

function LanguageRow(
  { language, id, readOnly }: { language: Language; id: string; readOnly: boolean },
) {
  const { code, name = "", fallback = [], path, gaps, untranslated } = language;
  const isRightToLeft = code !== "" && directionOf(code) === "rtl";
  return (
    <Row title={isRightToLeft ? "Language, right to left" : "Language"} readOnly={readOnly}>
      <div class="pair">
        <TextOption
          name="code"
          label="Code"
          value={code}
          id={`${id}-code`}
          placeholder="fr, pt-BR"
          mono
        />
        <TextOption
          name="name"
          label="Name"
          value={name}
          id={`${id}-name`}
          placeholder="Automatic"
        />
      </div>
      <div class="pair">
        <Lines
          name="fallback"
          label="Falls back to, one code per line"
          value={fallback}
          id={`${id}-fallback`}
        />
        <TextOption
          name="path"
          label="Prefix on the site"
          value={path ?? ""}
          id={`${id}-path`}
          placeholder="Automatic"
          mono
        />
      </div>
      <Switch
        name="public"
        label="Visible to readers"
        checked={language.public !== false}
        id={`${id}-public`}
      />
      <Switch
        name="gaps"
        label="May be published without required fields if others fill them"
        checked={gaps === true}
        id={`${id}-gaps`}
      />
      <div class="control" data-name="untranslated" data-type="text">
        <label for={`${id}-untranslated`}>Documents without a translation</label>
        <select id={`${id}-untranslated`}>
          <option value="hide" selected={untranslated !== "show"}>Have no page</option>
          <option value="show" selected={untranslated === "show"}>
            Are shown in another language
          </option>
        </select>
      </div>
    </Row>
  );
}

function TermRow({ term, id, readOnly }: { term: GlossaryTerm; id: string; readOnly: boolean }) {
  return (
    <Row title="Term" readOnly={readOnly}>
      <div class="pair">
        <TextOption name="term" label="Term" value={term.term} id={`${id}-term`} />
        <TextOption name="note" label="Note" value={term.note} id={`${id}-note`} />
      </div>
      <Lines
        name="languages"
        label="Only for, one code per line (empty = all)"
        value={term.languages ?? []}
        id={`${id}-languages`}
      />
    </Row>
  );
}
