/**
 * The form control of a field of any type. The browser code reads `data-name` (the key of the value),
 * `data-type` (how to read it), `data-keeps-empty` (an empty value is not null) and `data-row` (an object in a
 * list).
 *
 * @module
 */
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import type { ControlContext, ControlProps } from "./control_props.ts";
import { FIELD_FACETS } from "./field_facets.tsx";

/** A field with its label, help and control. */
export function Control(props: ControlProps) {
  const { field, id } = props;
  const { Control: Inner, named } = FIELD_FACETS[field.type];
  const read = {
    "data-name": field.name,
    "data-type": field.type,
    "data-keeps-empty": props.keepsEmpty ? "" : undefined,
  };
  const inner = Inner(props);
  const help = field.help !== "" && <p class="help" id={`${id}-help`}>{field.help}</p>;
  const marks = field.required && (
    <span class="needed" title="Required to publish">
      <span aria-hidden="true">*</span>
      <span class="sr">required to publish</span>
    </span>
  );
  if (named === "itself") {
    return <div class="control" {...read}>{inner}{help}</div>;
  }
  if (named === "legend") {
    return (
      <fieldset class={`control ${field.type}`} {...read}>
        <legend>{field.label} {marks}</legend>
        {help}
        {inner}
        {/** Appending directly to a fieldset would lay out all of it again. */}
        <span class="comment-place" />
      </fieldset>
    );
  }
  return (
    <div class="control" {...read}>
      <label for={id}>{field.label} {marks}</label>
      {inner}
      {help}
    </div>
  );
}

/** The fields of an object, each with its value. */
export function drawFields(
  fields: readonly NestedField[],
  values: Json,
  id: string,
  controlContext: ControlContext,
): Child {
  const known = isJsonObject(values) ? values : {};
  return fields.map((field) => (
    <Control
      field={field}
      value={known[field.name] ?? null}
      id={`${id}-${field.name}`}
      controlContext={controlContext}
    />
  ));
}
