/**
 * The form control of a field of any type. What the browser's code reads is in `data-name` (the key of
 * the value), `data-type` (how to read it) and `data-row` (an object inside a list).
 *
 * @module
 */
import type { Child } from "@hono/hono/jsx";
import type { Json } from "../../../kv/model/entity.ts";
import type { FieldTypeName, NestedField } from "../../../kv/model/field_definition.ts";
import type { ControlProps, Surroundings } from "./control_props.ts";
import { BlockControl } from "./block_control.tsx";
import { ChoiceControl, SelectControl } from "./choice_control.tsx";
import { GroupControl, RepeaterControl } from "./nested_control.tsx";
import { MediaControl, ReferenceControl } from "./reference_control.tsx";
import {
  BooleanControl,
  DateControl,
  InputControl,
  JsonControl,
  RichTextControl,
} from "./scalar_control.tsx";

const CONTROLS: Record<FieldTypeName, (props: ControlProps) => Child> = {
  text: InputControl,
  rich_text: RichTextControl,
  number: InputControl,
  boolean: BooleanControl,
  datetime: DateControl,
  select: SelectControl,
  multi_select: ChoiceControl,
  url: InputControl,
  email: InputControl,
  json: JsonControl,
  media: MediaControl,
  reference: ReferenceControl,
  repeater: RepeaterControl,
  group: GroupControl,
  block: BlockControl,
};

/** Types whose control is a group of controls, named by a legend instead of a label. */
const GROUPS: ReadonlySet<FieldTypeName> = new Set([
  "multi_select",
  "media",
  "reference",
  "repeater",
  "group",
  "block",
  "rich_text",
]);

/** A field with its label, help and control. */
export function Control(props: ControlProps) {
  const { field, id } = props;
  const inner = CONTROLS[field.type](props);
  const help = field.help !== "" && <p class="help" id={`${id}-help`}>{field.help}</p>;
  const marks = field.required && (
    <span class="needed" title="Required to publish">
      <span aria-hidden="true">*</span>
      <span class="sr">required to publish</span>
    </span>
  );
  if (field.type === "boolean") {
    return <div class="control" data-name={field.name} data-type={field.type}>{inner}{help}</div>;
  }
  if (GROUPS.has(field.type)) {
    return (
      <fieldset class={`control ${field.type}`} data-name={field.name} data-type={field.type}>
        <legend>{field.label} {marks}</legend>
        {help}
        {inner}
      </fieldset>
    );
  }
  return (
    <div class="control" data-name={field.name} data-type={field.type}>
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
  surroundings: Surroundings,
): Child {
  const known = typeof values === "object" && values !== null && !Array.isArray(values)
    ? values
    : {};
  return fields.map((field) => (
    <Control
      field={field}
      value={known[field.name] ?? null}
      id={`${id}-${field.name}`}
      surroundings={surroundings}
    />
  ));
}
