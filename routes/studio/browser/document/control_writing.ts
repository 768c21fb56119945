/**
 * Runs in the browser. Shows a value in the controls of a form: the inverse of `control_values.ts`. Controls
 * that already show the value are not touched, so that selections survive.
 *
 * @module
 */
import { REPLACE_EVENT } from "../forms/rich_text.ts";
import { all, dataOf, get, make } from "../page/elements.ts";
import {
  ControlFault,
  type ControlType,
  controlType,
  ownFields,
  ownRows,
  readField,
  readRow,
  type Value,
} from "./control_values.ts";
import { localText } from "./dates.ts";
import { same } from "./live/same_value.ts";
import { editOf, textEdit, through } from "./live/sequence_edit.ts";
import { setReference } from "./pickers.ts";
import { insertRow } from "../forms/row_order.ts";
import { blockTemplate, newBlockRow, newRow, showPreview } from "./rows.ts";

/** Shows values in the fields of an object. */
export function writeFields(owner: Element, values: Value): void {
  const known = (values ?? {}) as Record<string, Value>;
  for (const field of ownFields(owner)) writeField(field, known[dataOf(field, "name")] ?? null);
}

/** Shows a value in a field. */
export function writeField(field: HTMLElement, value: Value): void {
  if (same(shown(field), value)) return;
  WRITERS[controlType(field)](field, value);
}

const WRITERS: Readonly<Record<ControlType, (field: HTMLElement, value: Value) => void>> = {
  text: writeText,
  number: writeText,
  url: writeText,
  email: writeText,
  choice: writeChoice,
  lines: (field, value) => writeText(field, Array.isArray(value) ? value.join("\n") : null),
  boolean: (field, value) => get<HTMLInputElement>(field, "input").checked = value === true,
  datetime: (field, value) => {
    get<HTMLInputElement>(field, "input").value = typeof value === "number" ? localText(value) : "";
  },
  select: writeChoice,
  multi_select: (field, value) => {
    const chosen = Array.isArray(value) ? value : [];
    for (const input of all<HTMLInputElement>(field, "input")) {
      input.checked = chosen.includes(input.value);
    }
  },
  json: (field, value) => {
    const area = get<HTMLTextAreaElement>(field, "textarea");
    area.value = value === null ? "" : JSON.stringify(value, null, 2);
    area.dispatchEvent(new Event(REPLACE_EVENT));
  },
  rich_text: writeRichText,
  media: writeReference,
  reference: writeReference,
  references: (field, value) =>
    writeRows(field, Array.isArray(value) ? value.map((id) => ({ id })) : []),
  group: writeFields,
  repeater: writeRows,
  block: writeBlocks,
};

/** Undefined while the control holds no value. */
function shown(field: HTMLElement): Value {
  try {
    return readField(field);
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    return undefined;
  }
}

function writeText(field: HTMLElement, value: Value): void {
  const control = get<HTMLInputElement>(field, "input, textarea");
  const text = value === null ? "" : String(value);
  const before = control.value;
  // Only text has a caret that can be put back; the control says so by null.
  const [start, end] = [control.selectionStart, control.selectionEnd];
  control.value = text;
  if (start === null || end === null || document.activeElement !== control) return;
  const edit = textEdit(before, text);
  control.setSelectionRange(through(edit, start), through(edit, end));
}

/** A value that is no longer a choice is still shown. */
function writeChoice(field: HTMLElement, value: Value): void {
  const select = get<HTMLSelectElement>(field, "select");
  const text = value === null ? "" : String(value);
  if (![...select.options].some((option) => option.value === text)) {
    select.append(make("option", { value: text }, `${text} (no longer a choice)`));
  }
  select.value = text;
}

function writeRichText(field: HTMLElement, value: Value): void {
  const island = get(field, '[data-island="portable-text"]');
  const isStarted = island.dataset.started !== undefined && island.isConnected;
  if (isStarted && island.querySelector(".pt-editor") !== null) {
    island.dispatchEvent(new CustomEvent(REPLACE_EVENT, { detail: value }));
  } else {
    get<HTMLTextAreaElement>(island, "textarea").value = value === null
      ? ""
      : JSON.stringify(value);
  }
}

function writeReference(field: HTMLElement, value: Value): void {
  setReference(get(field, "[data-reference]"), typeof value === "string" ? value : null);
}

/** Rows without a name: those that are alike at both ends stay. */
function writeRows(field: HTMLElement, value: Value): void {
  const values = Array.isArray(value) ? value : [];
  const rows = ownRows(field);
  const list = get(field, "[data-row-list]");
  const { from, to, end } = editOf<Value>(rows.map(shownRow), values, same);
  const rewritten = Math.min(to, end) - from;
  for (const [at, row] of rows.slice(from, from + rewritten).entries()) {
    writeFields(row, values[from + at]);
  }
  for (const row of rows.slice(from + rewritten, to)) row.remove();
  for (const added of values.slice(from + rewritten, end)) {
    const row = newRow(field);
    list.insertBefore(row, rows[to] ?? null);
    writeFields(row, added);
    showPreview(row);
  }
  for (const row of rows) if (row.isConnected) showPreview(row);
}

function shownRow(row: HTMLElement): Value {
  try {
    return readRow(row);
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    return undefined;
  }
}

/** Rows with an id are known by it, wherever they are. */
function writeBlocks(field: HTMLElement, value: Value): void {
  const blocks = (Array.isArray(value) ? value : []) as Record<string, Value>[];
  const list = get(field, "[data-row-list]");
  const known = new Map(ownRows(field).map((row) => [keyOfRow(row), row]));
  const wanted = blocks.map((block) => known.get(keyOfBlock(block)) ?? null);
  for (const row of known.values()) if (!wanted.includes(row)) row.remove();
  let next = list.firstElementChild;
  for (const [at, block] of blocks.entries()) {
    const row = wanted[at] ?? newBlockRow(block);
    if (row === next) next = next.nextElementSibling;
    else insertRow(list, row, next);
    if (row.dataset.raw === undefined) writeFields(row, block.data);
    showPreview(row);
  }
}

function keyOfRow({ dataset }: HTMLElement): string {
  return dataset.raw ?? `${dataset.block} ${dataset.blockId}`;
}

/** A kind that the page does not know is only carried along, so all of it is its name. */
function keyOfBlock(block: Record<string, Value>): string {
  return blockTemplate(block.type) === null
    ? JSON.stringify(block)
    : `${block.type} ${block.id ?? ""}`;
}
