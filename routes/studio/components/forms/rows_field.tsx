/**
 * A list of objects in a form, and lists of lines inside them. The form has the island `rows`.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { Button } from "../button.tsx";

/** A list of objects, the last of which is the template of a new one. */
export function RowsField(
  { name, label, add, readOnly, children }: {
    name: string;
    label: string;
    add: string;
    readOnly: boolean;
    children: Child[];
  },
) {
  const rows = children.flat();
  return (
    <fieldset
      class="control repeater"
      data-name={name}
      data-type="repeater"
      data-sparse
      disabled={readOnly}
    >
      <legend>{label}</legend>
      <div class="rows-control" data-rows={label}>
        <ol class="row-list" data-row-list>{rows.slice(0, -1)}</ol>
        {!readOnly && (
          <>
            <template data-row-template>{rows.at(-1)}</template>
            <div class="row">
              <Button size="small" data-add-row icon="plus">{add}</Button>
            </div>
          </>
        )}
      </div>
    </fieldset>
  );
}

/** Texts, one per line. */
export function Lines(
  { name, label, value, id }: { name: string; label: string; value: string[]; id: string },
) {
  return (
    <div class="control" data-name={name} data-type="lines">
      <label for={id}>{label}</label>
      <textarea id={id} class="mono" rows={2}>{`\n${value.join("\n")}`}</textarea>
    </div>
  );
}
