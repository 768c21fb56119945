/**
 * Runs in the browser. Reads the controls of a form as JSON. An element with `data-name` is a field and one
 * with `data-row` is an object; `data-type` is the type of the field. An empty field is null unless it has
 * `data-keeps-empty`; a group with `data-sparse`, and the objects of such a list, leave it out instead.
 *
 * @module
 */
import type { FieldTypeName } from "../../../../kv/model/fields/field_definition.ts";
import { isJsonObject } from "../../../../kv/model/values/json_object.ts";
import { isExact } from "../../../../kv/model/values/exact_numbers.ts";
import { all, dataOf, get, parentOf } from "../page/elements.ts";
import { instantOf, SKIPPED_TIME } from "./dates.ts";

/** JSON as a control gives it. */
export type Value = unknown;

/** A control that holds something which is no value. */
export class ControlFault extends Error {
  constructor(readonly control: HTMLElement, message: string) {
    super(message);
  }
}

/** The fields that belong to an object and to nothing inside it; hidden ones do not count. */
export function ownFields(owner: Element): HTMLElement[] {
  return all(owner, "[data-name]").filter((field) =>
    !field.hidden && parentOf(field).closest("[data-name], [data-row]") === owner
  );
}

/** The rows of a list. */
export function ownRows(field: Element): HTMLElement[] {
  return all(field, "[data-row]").filter((row) => parentOf(row).closest("[data-name]") === field);
}

/** The values of an object's fields. Values of an object in several parts, which share a name, are merged. */
export function readFields(owner: Element): Record<string, Value> {
  const values: Record<string, Value> = {};
  for (const field of ownFields(owner)) {
    const name = dataOf(field, "name");
    const [before, value] = [values[name], readField(field)];
    values[name] = isJsonObject(before) && controlType(field) === "group"
      ? { ...before, ...value as Record<string, Value> | null }
      : value;
  }
  return values;
}

/** The value of a field; null when it is empty, unless the field says otherwise. */
export function readField(field: HTMLElement): Value {
  const value = READERS[controlType(field)](field);
  const isEmpty = value === "" || Array.isArray(value) && value.length === 0;
  return isEmpty && field.dataset.keepsEmpty === undefined ? null : value;
}

/** The types of fields, and two kinds of controls that only other forms have. */
export type ControlType = FieldTypeName | "choice" | "lines";

/** The type of a field's control. */
export function controlType(field: HTMLElement): ControlType {
  return field.dataset.type as ControlType;
}

const READERS: Readonly<Record<ControlType, (field: HTMLElement) => Value>> = {
  text: readText,
  select: readText,
  url: readText,
  email: readText,
  number: (field) => {
    const { value, validity } = inputOf(field);
    if (validity.badInput) throw new ControlFault(inputOf(field), "Must be a number");
    if (value === "") return null;
    if (!isExact(value, Number(value))) {
      throw new ControlFault(inputOf(field), "Has too many digits for a number. Use a text field.");
    }
    return Number(value);
  },
  boolean: (field) => inputOf(field).checked,
  datetime: (field) => {
    const { value } = inputOf(field);
    const instant = value === "" ? null : instantOf(value);
    if (value !== "" && instant === null) throw new ControlFault(inputOf(field), SKIPPED_TIME);
    return instant;
  },
  choice: (field) => ({ true: true, false: false }[inputOf(field).value] ?? null),
  lines: (field) =>
    inputOf(field).value.split("\n").map((line) => line.trim()).filter((line) => line !== ""),
  // A choice that another one implies is shown but not part of the value.
  multi_select: (field) =>
    all<HTMLInputElement>(field, "input:checked:not([data-implied])").map(({ value }) => value),
  json: readJson,
  rich_text: readJson,
  media: readText,
  reference: readText,
  references: (field) =>
    ownRows(field).map((row) => readFields(row).id).filter((id) => id !== null),
  group: readGroup,
  repeater: readRows,
  block: readRows,
};

const CONTROLS = "input, textarea, select";

/** The only control of a field, which may be the field itself. */
export function inputOf(field: HTMLElement): HTMLInputElement {
  if (field.matches(CONTROLS)) return field as HTMLInputElement;
  return field.querySelector<HTMLInputElement>("input[type=radio]:checked") ?? get(field, CONTROLS);
}

function readText(field: HTMLElement): Value {
  return inputOf(field).value;
}

function readRows(field: HTMLElement): Value {
  const rows = ownRows(field).map(readRow);
  return field.dataset.sparse === undefined ? rows : rows.map(withoutNulls);
}

function readGroup(field: HTMLElement): Value {
  const { sparse, keepsEmpty } = field.dataset;
  const values = readFields(field);
  const kept = sparse === undefined ? values : withoutNulls(values);
  return keepsEmpty === undefined ? emptyAsNull(kept) : kept;
}

function withoutNulls(row: Value): Value {
  if (!isJsonObject(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}

function readJson(field: HTMLElement): Value {
  const control = get<HTMLTextAreaElement>(field, "textarea");
  if (control.value.trim() === "") return null;
  try {
    return JSON.parse(control.value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ControlFault(control, `Invalid JSON: ${error.message}`);
  }
}

/** The value of a row: an object, or a block. */
export function readRow(row: HTMLElement): Value {
  const { block, blockId, raw } = row.dataset;
  if (raw !== undefined) return JSON.parse(raw);
  if (block === undefined) return readFields(row);
  return { type: block, ...(blockId && { id: blockId }), data: readFields(row) };
}

function emptyAsNull(values: Value): Value {
  const isEmpty = Object.values(values as object).every((value) =>
    value === null || value === false
  );
  return isEmpty ? null : values;
}

/**
 * The field that a path starts with. If an object consists of several parts, the part that contains the next
 * step.
 */
function fieldAt(owner: HTMLElement, path: string): HTMLElement | undefined {
  const begins = ({ dataset: { name } }: HTMLElement) => `${path}.`.startsWith(`${name}.`);
  const [first, ...others] = ownFields(owner).filter(begins);
  const mayContinue = (part: HTMLElement) =>
    fieldAt(part, path.slice(dataOf(part, "name").length + 1)) !== undefined;
  return first === undefined || others.length === 0
    ? first
    : [first, ...others].find(mayContinue) ?? first;
}

/**
 * The control of a dotted path such as `gallery.2.caption`, or of the value that holds it. Names may have
 * dots themselves: `site.title`.
 */
export function controlAt(form: HTMLElement, path: string): HTMLElement | null {
  let owner: HTMLElement = form;
  let field: HTMLElement | undefined;
  for (let rest = path; rest !== "";) {
    const [step] = rest.split(".", 1) as [string];
    let taken = step;
    if (step !== "data" || owner.dataset.block === undefined) {
      const next = /^\d+$/.test(step) && field !== undefined
        ? ownRows(field)[Number(step)]
        : fieldAt(owner, rest);
      if (next === undefined) break;
      owner = next;
      if (next.dataset.name !== undefined) {
        field = next;
        taken = next.dataset.name;
      }
    }
    rest = rest.slice(taken.length + 1);
  }
  if (owner === form) return null;
  for (const collapsed of all<HTMLDetailsElement>(form, "details:not([open])")) {
    if (collapsed.contains(owner)) collapsed.open = true;
  }
  return owner.querySelector<HTMLElement>(
    "input:not([type=hidden]), textarea, select, button:not([data-move])",
  );
}
