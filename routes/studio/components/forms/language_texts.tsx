/**
 * A text in each of the site's languages other than its first, sent as one object by the code of the language.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { Schema } from "../../../../kv/model/entities/collection.ts";
import { directionOf } from "../../../../kv/model/languages/language.ts";
import { languageLabel } from "../../wording/language_names.ts";

interface LanguageTextsProps {
  /** The key of the object. */
  name: string;
  legend: string;
  help?: string;
  texts: { readonly [code: string]: string } | undefined;
  /** The text of the first language, shown where a language has none. */
  original: string;
  schema: Pick<Schema, "languages">;
  id: string;
  maxlength: number;
  multiline?: boolean;
  disabled?: boolean;
}

/** The languages whose texts stand beside those of the first. */
export function otherLanguages({ languages }: Pick<Schema, "languages">): string[] {
  return languages?.all.slice(1).map(({ code }) => code) ?? [];
}

/** Collapsed texts of all other languages; nothing on a site in one language. */
export function LanguageTexts(props: LanguageTextsProps) {
  const { name, legend, help, texts = {}, schema } = props;
  const codes = otherLanguages(schema);
  if (codes.length === 0) return null;
  const filled = codes.filter((code) => texts[code]);
  return (
    <details class="language-texts">
      <summary>
        {legend}
        <span class="muted small">{` ${filled.length} of ${codes.length}`}</span>
      </summary>
      {help && <p class="help">{help}</p>}
      <div data-name={name} data-type="group" data-sparse data-keeps-empty>
        {codes.map((code) => (
          <TextInLanguage
            {...props}
            name={code}
            label={languageLabel(code, schema)}
            code={code}
            value={texts[code] ?? ""}
            id={`${props.id}-${code}`}
          />
        ))}
        <KeptValues values={texts} shown={codes} />
      </div>
    </details>
  );
}

interface TextInLanguageProps
  extends
    Pick<LanguageTextsProps, "name" | "original" | "id" | "maxlength" | "multiline" | "disabled"> {
  label: string;
  code: string;
  value: string;
}

/** A text in one language. */
export function TextInLanguage(
  { name, label, code, value, original, id, maxlength, multiline, disabled }: TextInLanguageProps,
) {
  const shared = {
    id,
    lang: code,
    dir: directionOf(code),
    placeholder: original,
    maxlength,
    disabled,
  };
  return (
    <div class="field" data-name={name} data-type="text">
      <label for={id}>{label}</label>
      {multiline
        ? <textarea {...shared} rows={2}>{`\n${value}`}</textarea>
        : <input {...shared} type="text" value={value} autocomplete="off" />}
    </div>
  );
}

/** Values of an object that have no control, so that they are sent back: those of languages that are not shown. */
export function KeptValues(
  { values, shown }: { values: { readonly [key: string]: Json }; shown: readonly string[] },
) {
  return (
    <>
      {Object.entries(values).filter(([key]) => !shown.includes(key)).map(([key, value]) => (
        <div data-name={key} data-type="json">
          <textarea hidden>{JSON.stringify(value)}</textarea>
        </div>
      ))}
    </>
  );
}
