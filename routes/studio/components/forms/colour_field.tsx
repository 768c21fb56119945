/**
 * A color: the browser's picker, its text, and its contrast on the site.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { colourOn } from "../../wording/colour_words.ts";
import { Button } from "../button.tsx";

/** The initial value of the picker if no color is set, because it cannot be empty. */
const NO_COLOUR = "#808080";

interface ColourFieldProps {
  field: Pick<NestedField, "name" | "label" | "help">;
  id: string;
  value: Json | undefined;
  readOnly: boolean;
}

/** A colour that may be none; the text is the value. */
export function ColourField(
  { field: { name, label, help }, id, value, readOnly }: ColourFieldProps,
) {
  const colour = typeof value === "string" ? value : "";
  return (
    <div class="control" data-name={name} data-type="text" data-island="colour">
      <label for={id}>{label}</label>
      <div class="colour-field" data-error-after data-empty={colour === "" ? "" : undefined}>
        <input
          id={id}
          type="text"
          class="mono"
          value={colour}
          placeholder="Theme default"
          aria-describedby={`${id}-help`}
          autocomplete="off"
          spellcheck={false}
          disabled={readOnly}
        />
        <input
          type="color"
          aria-label="Choose a color"
          value={colour === "" ? NO_COLOUR : colour}
          disabled={readOnly}
        />
        {!readOnly && (
          <Button variant="quiet" size="small" data-colour-none hidden={colour === ""}>
            Clear
          </Button>
        )}
      </div>
      {/** Always present and as high as an error message, so that the layout does not shift. */}
      <p class="colour-samples" data-colour-samples aria-live="polite">
        {(["light", "dark"] as const).map((paper) => (
          <span data-paper={paper} hidden={colour === ""}>
            <b aria-hidden="true">Aa</b>
            <span>{colour === "" ? "" : colourOn(paper, colour).words}</span>
          </span>
        ))}
        <span class="muted" data-no-colour hidden={colour !== ""}>Uses the theme's color.</span>
      </p>
      <p class="help" id={`${id}-help`}>{help}</p>
    </div>
  );
}
