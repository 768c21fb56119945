/**
 * Runs in the browser. Reads the controls of a document's form as the JSON that they stand for. A field
 * is an element with `data-name`, an object is one with `data-row`.
 *
 * @module
 */
import type { FieldTypeName } from "../../../../kv/model/field_definition.ts";
import { all, get } from "../elements.ts";

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
    !field.hidden && field.parentElement!.closest("[data-name], [data-row]") === owner
  );
}

/** The rows of a list. */
export function ownRows(field: Element): HTMLElement[] {
  return all(field, "[data-row]").filter((row) =>
    row.parentElement!.closest("[data-name]") === field
  );
}

/** The values of an object's fields. */
export function readFields(owner: Element): Record<string, Value> {
  return Object.fromEntries(
    ownFields(owner).map((field) => [field.dataset.name!, readField(field)]),
  );
}

/** The value of a field; null when it is empty. */
export function readField(field: HTMLElement): Value {
  return READERS[controlType(field)](field);
}

/** The types of fields, and two kinds of controls that only definitions of fields have. */
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
    return value === "" ? null : Number(value);
  },
  boolean: (field) => inputOf(field).checked,
  datetime: (field) => {
    const { value } = inputOf(field);
    return value === "" ? null : Math.floor(new Date(value).getTime() / 1000);
  },
  choice: (field) => ({ true: true, false: false }[inputOf(field).value] ?? null),
  lines: (field) => {
    const lines = inputOf(field).value.split("\n").map((line) => line.trim());
    return listOrNull(lines.filter((line) => line !== ""));
  },
  multi_select: (field) => {
    const chosen = all<HTMLInputElement>(field, "input:checked").map(({ value }) => value);
    return chosen.length === 0 ? null : chosen;
  },
  json: readJson,
  rich_text: readJson,
  media: readText,
  reference: readText,
  group: (field) => emptyAsNull(readFields(field)),
  repeater: (field) => listOrNull(ownRows(field).map(readRow)),
  block: (field) => {
    const blocks = ownRows(field).map(readRow);
    // The block tree is no field: it is empty, never null.
    return field.dataset.name === "blocks" ? blocks : listOrNull(blocks);
  },
};

function inputOf(field: HTMLElement): HTMLInputElement {
  return get<HTMLInputElement>(field, "input, textarea, select");
}

function readText(field: HTMLElement): Value {
  return inputOf(field).value || null;
}

function readJson(field: HTMLElement): Value {
  const control = get<HTMLTextAreaElement>(field, "textarea");
  if (control.value.trim() === "") return null;
  try {
    return JSON.parse(control.value);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ControlFault(control, `Is not JSON: ${error.message}`);
  }
}

/** The value of a row: an object, or a block. */
export function readRow(row: HTMLElement): Value {
  const { block, blockId, raw } = row.dataset;
  if (raw !== undefined) return JSON.parse(raw);
  if (block === undefined) return readFields(row);
  return { type: block, ...(blockId && { id: blockId }), data: readFields(row) };
}

function emptyAsNull(values: Record<string, Value>): Value {
  const isEmpty = Object.values(values).every((value) => value === null || value === false);
  return isEmpty ? null : values;
}

function listOrNull(values: Value[]): Value {
  return values.length === 0 ? null : values;
}

/** The control of a dotted path such as `gallery.2.caption`, or of the value that holds it. */
export function controlAt(form: HTMLElement, path: string): HTMLElement | null {
  let owner: HTMLElement = form;
  let field: HTMLElement | undefined;
  for (const step of path.split(".")) {
    if (step === "data" && owner.dataset.block !== undefined) continue;
    const next = /^\d+$/.test(step) && field !== undefined
      ? ownRows(field)[Number(step)]
      : ownFields(owner).find((one) => one.dataset.name === step);
    if (next === undefined) break;
    owner = next;
    if (next.dataset.name !== undefined) field = next;
  }
  if (owner === form) return null;
  for (const collapsed of all<HTMLDetailsElement>(form, "details:not([open])")) {
    if (collapsed.contains(owner)) collapsed.open = true;
  }
  return owner.querySelector<HTMLElement>(
    "input:not([type=hidden]), textarea, select, button:not([data-move])",
  );
}
