/**
 * The control of a field that is being defined, as the form of a document shows it.
 *
 * @module
 */
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { readFieldInput } from "../../../kv/model/fields/field_input.ts";
import { Control } from "../controls/control.tsx";
import { FIELD_FACETS } from "../controls/field_facets.tsx";
import type { ControlContext } from "../controls/control_props.ts";

/** The field as the form shows it. */
type Draft = Readonly<Partial<Record<keyof NestedField, unknown>>>;

interface PreviewProps {
  /** A definition as its form reads it; it need not be complete. */
  definition: Draft;
  controlContext: ControlContext;
}

/** The preview next to the form; its contents follow the definition. */
export function FieldPreviewPane(props: PreviewProps) {
  return (
    <aside class="card field-preview" aria-labelledby="field-preview-title">
      <h2 id="field-preview-title">In the form</h2>
      <p class="muted small">Preview. Nothing you enter here is saved.</p>
      <div class="field-preview-control" data-field-preview>
        <FieldPreview {...props} />
      </div>
    </aside>
  );
}

/** The control with its default, or what keeps it from being shown. */
export function FieldPreview({ definition, controlContext }: PreviewProps) {
  const { field, messages } = shownField(definition);
  if (field === null) return messages.map((message) => <p class="help">{message}</p>);
  return (
    <Control
      field={field}
      value={field.options.default ?? null}
      id="field-preview"
      controlContext={controlContext}
    />
  );
}

/** Messages for definitions that are too incomplete for a preview. */
const MISSING: Readonly<Record<string, string>> = {
  "options.choices": "Add choices to see the preview.",
  "options.fields": "Add fields to see the preview.",
};

/** The field to preview; missing names do not affect it. */
function shownField(
  { type, label, required, help, options }: Draft,
): { field: NestedField | null; messages: string[] } {
  const facets = FIELD_FACETS[type as NestedField["type"]];
  const { input, details } = readFieldInput({
    name: "preview",
    label: label || (facets?.label ?? "Field"),
    type,
    required,
    help,
    options,
  });
  const messages = details.map(({ field, message }) =>
    MISSING[field] ?? `${field.replace(/^options\./, "")}: ${message}`
  );
  return { field: input, messages };
}
