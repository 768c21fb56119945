/**
 * A color: the browser's picker, its text, and its contrast on the site.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../../kv/model/fields/field_definition.ts";
import { colorOn } from "../../wording/color_words.ts";
import { Button } from "../button.tsx";

/** The initial value of the picker if no color is set, because it cannot be empty. */
const NO_COLOR = "#808080";

interface ColorFieldProps {
  field: Pick<NestedField, "name" | "label" | "help">;
  id: string;
  value: Json | undefined;
  readOnly: boolean;
}

/** A color that may be none; the text is the value. */
export function ColorField(
  { field: { name, label, help }, id, value, readOnly }: ColorFieldProps,
) {
  const color = typeof value === "string" ? value : "";
  return (
    <div class="control" data-name={name} data-type="text" data-island="color">
      <label for={id}>{label}</label>
      <div class="color-field" data-error-after data-empty={color === "" ? "" : undefined}>
        <input
          id={id}
          type="text"
          class="mono"
          value={color}
          placeholder="Theme default"
          aria-describedby={`${id}-help`}
          autocomplete="off"
          spellcheck={false}
          disabled={readOnly}
        />
        <input
          type="color"
          aria-label="Choose a color"
          value={color === "" ? NO_COLOR : color}
          disabled={readOnly}
        />
        {!readOnly && (
          <Button variant="quiet" size="small" data-color-none hidden={color === ""}>
            Clear
          </Button>
        )}
      </div>
      {/** Always present and as high as an error message, so that the layout does not shift. */}
      <p class="color-samples" data-color-samples aria-live="polite">
        {(["light", "dark"] as const).map((paper) => (
          <span data-paper={paper} hidden={color === ""}>
            <b aria-hidden="true">Aa</b>
            <span>{color === "" ? "" : colorOn(paper, color).words}</span>
          </span>
        ))}
        <span class="muted" data-no-color hidden={color !== ""}>Uses the theme's color.</span>
      </p>
      <p class="help" id={`${id}-help`}>{help}</p>
    </div>
  );
}
