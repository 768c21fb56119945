/**
 * A list of objects in a form that is sent to the admin API; empty controls are left out of an object.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import { Button } from "../components/button.tsx";

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
