/**
 * The languages that something is limited to, sent as `languages`: a list of codes, or null for all.
 *
 * @module
 */
import type { Schema } from "../../../../kv/model/entities/collection.ts";
import { languageLabel } from "../../wording/language_names.ts";
import { Checkbox, Choices } from "./field.tsx";

/** The choice; nothing on a site in one language. */
export function LanguageChoice(
  { help, chosen, schema, disabled }: {
    help: string;
    chosen: readonly string[] | null | undefined;
    schema: Pick<Schema, "languages">;
    disabled?: boolean;
  },
) {
  if (schema.languages === undefined) return null;
  const codes = schema.languages.all.map(({ code }) => code);
  // A limit to a language that the site no longer has must not turn into none when the form is saved.
  const removed = (chosen ?? []).filter((code) => !codes.includes(code));
  return (
    <Choices legend="Languages" name="languages" help={help} nullable>
      {[...codes, ...removed].map((code) => (
        <Checkbox
          name="languages"
          value={code}
          label={languageLabel(code, schema)}
          {...(removed.includes(code) && { help: "No longer a language of the site" })}
          checked={chosen?.includes(code) ?? false}
          disabled={disabled ?? false}
        />
      ))}
    </Choices>
  );
}
