/**
 * Controls that hold other controls: groups, and repeaters with one row per object.
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { REFERENCES_DEFAULT } from "../../../kv/limits/content.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { Button, IconButton } from "../components/button.tsx";
import { Icon } from "../components/icon.tsx";
import type { ControlProps } from "./control_props.ts";

/** An object. */
export function GroupControl({ field, value, id, controlContext }: ControlProps) {
  const { fields = [] } = field.options;
  return (
    <div class="nested">
      {controlContext.draw(fields, value ?? {}, id, controlContext)}
    </div>
  );
}

/** A list of objects. A list of objects with a single reference field is shown as a list of references. */
export function RepeaterControl({ field, value, id, controlContext }: ControlProps) {
  const { fields = [], minItems, maxItems } = field.options;
  const rows = Array.isArray(value) ? value : [];
  const [only, other] = fields;
  const isOfReferences = only !== undefined && other === undefined &&
    fieldType(only.type).referenceTo !== null && fieldType(only.type).kind === "string";
  const row = (values: Json, index: number | "new") => (
    <Row title={field.label} readOnly={controlContext.readOnly} isLine={isOfReferences}>
      {controlContext.draw(fields, values, `${id}-${index}`, controlContext)}
    </Row>
  );
  const adds = isOfReferences ? { "data-add-chosen": "" } : { "data-add-row": "" };
  return (
    <div class="rows-control" data-rows={field.label} data-max={maxItems}>
      <ol class="row-list" data-row-list>{rows.map((values, index) => row(values, index))}</ol>
      {!controlContext.readOnly && (
        <>
          <template data-row-template>{row({}, "new")}</template>
          <div class="row">
            <Button size="small" id={id} {...adds} icon="plus">{`Add to ${field.label}`}</Button>
            <span class="help">{boundsText(minItems, maxItems)}</span>
          </div>
        </>
      )}
    </div>
  );
}

/** A list of documents, in order: rows that each hold one reference. */
export function ReferencesControl({ field, value, ...props }: ControlProps) {
  const { collections, minItems, maxItems = REFERENCES_DEFAULT } = field.options;
  const only: NestedField = {
    name: "id",
    label: "Document",
    type: "reference",
    required: false,
    help: "",
    options: collections === undefined ? {} : { collections },
  };
  const options = { fields: [only], maxItems, ...(minItems !== undefined && { minItems }) };
  const rows = Array.isArray(value) ? value.map((id) => ({ id })) : [];
  return <RepeaterControl {...props} field={{ ...field, options }} value={rows} />;
}

/**
 * A row of a list, with what moves and removes it. The browser's code names these buttons by the place that
 * the row has.
 */
export function Row(
  { title, type, blockId, raw, readOnly, isLine = false, children }: {
    title: string;
    /** Name of the block definition, in block lists. */
    type?: string;
    blockId?: string;
    /** A row that is only carried along, as JSON. */
    raw?: string;
    readOnly: boolean;
    /** Whether it is one line, without a head that collapses it. */
    isLine?: boolean;
    children: Child;
  },
) {
  const looks = ["row-card", isLine ? "row-line" : "", readOnly ? "" : "row-movable"];
  return (
    <li
      class={looks.filter((look) => look !== "").join(" ")}
      data-row
      data-block={type}
      data-block-id={blockId}
      data-raw={raw}
    >
      {!readOnly && (
        <span class="row-grip" data-grip aria-hidden="true">
          <Icon name="grip" />
        </span>
      )}
      {isLine ? <div class="row-body">{children}</div> : (
        <details open>
          <summary>
            <span class="row-title" dir="auto">{title}</span>
            <span class="row-preview muted" data-row-preview></span>
          </summary>
          <div class="row-body">{children}</div>
        </details>
      )}
      {!readOnly && (
        <div class="row-tools">
          <IconButton icon="up" data-move="up" label={`Move ${title} up`} />
          <IconButton
            icon="down"
            data-move="down"
            label={`Move ${title} down`}
          />
          <IconButton
            icon="trash"
            data-remove-row
            label={`Remove ${title}`}
          />
        </div>
      )}
    </li>
  );
}

function boundsText(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return `${min} to ${max}`;
  if (min !== undefined) return `At least ${min}`;
  return max === undefined ? "" : `At most ${max}`;
}
