/**
 * Runs in the browser. Rows of repeaters and block lists: added from templates, moved, removed.
 *
 * @module
 */
import { all, enclosing, get, make } from "../page/elements.ts";
import { startEditors } from "../forms/rich_text.ts";
import { toast } from "../page/toast.ts";
import type { Value } from "./control_values.ts";
import { fillDates } from "./dates.ts";
import { moveRow, startDragging } from "../forms/row_order.ts";
import { rowPosition, startRowNames } from "./row_names.ts";

/** Attributes that name ids of the same row. */
const ID_ATTRIBUTES = ["id", "for", "aria-describedby", "popovertarget"];

/** Makes the buttons of all rows work, also of rows to come. `changed` runs after each change. */
export function startRows(
  form: HTMLElement,
  { changed, added = () => {} }: { changed: () => void; added?: (row: HTMLElement) => void },
): void {
  startDragging(form, changed);
  startRowNames(form);
  form.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("button");
    if (button === null) return;
    const { move, addRow, addBlock, addDefinition, removeRow } = button.dataset;
    const list = () => get(enclosing(button, "[data-rows]"), "[data-row-list]");
    if (move !== undefined) {
      if (!moveRow(button)) return;
    } else if (removeRow !== undefined) takeAway(button, changed);
    else if ((addRow ?? addBlock ?? addDefinition) !== undefined) {
      const row = startedRow(templateFor(button));
      button.closest<HTMLElement>("[popover]")?.hidePopover();
      list().append(row);
      added(row);
      row.querySelector<HTMLElement>("input:not([type=hidden]), textarea, select")?.focus();
    } else return;
    changed();
  });
  form.addEventListener("input", (event) => {
    const row = (event.target as Element).closest<HTMLElement>("li[data-row]");
    if (row !== null) showPreview(row);
  });
  for (const row of all(form, "li[data-row]")) showPreview(row);
}

/** A repeater has its row template beside it; templates of blocks and fields are on the page once. */
function templateFor(button: HTMLElement): HTMLTemplateElement {
  const { addBlock, addDefinition } = button.dataset;
  if (addBlock !== undefined) return get(document, `template[data-block-template="${addBlock}"]`);
  if (addDefinition !== undefined) return get(document, "template[data-definition-template]");
  return get(enclosing(button, "[data-rows]"), ":scope > template");
}

/** An empty row for a repeater. */
export function newRow(field: HTMLElement): HTMLElement {
  return startedRow(get<HTMLTemplateElement>(field, ":scope > [data-rows] > template"));
}

/** The template of a block type; null if it is not defined. */
export function blockTemplate(kind: Value): HTMLTemplateElement | null {
  const name = CSS.escape(String(kind));
  return document.querySelector(`template[data-block-template="${name}"]:not([data-built-in])`);
}

/** A row for a block; a block of an undefined type is kept unchanged. */
export function newBlockRow(block: Record<string, Value>): HTMLElement {
  const template = blockTemplate(block.type);
  const row = startedRow(template ?? get(document, "template[data-unknown-block]"));
  if (template === null) {
    row.dataset.raw = JSON.stringify(block);
    get(row, ".row-title").textContent = `Unknown block ${String(block.type)}`;
  } else row.dataset.blockId = String(block.id ?? "");
  return row;
}

/** A row from a template; the ids in it are made its own by `suffix`. */
export function cloneRow(template: HTMLTemplateElement, suffix: string): HTMLElement {
  const row = template.content.firstElementChild!.cloneNode(true) as HTMLElement;
  rename(row, suffix);
  return row;
}

/** A row with initialized controls. */
function startedRow(template: HTMLTemplateElement): HTMLElement {
  const name = freshName();
  const row = cloneRow(template, `-${name}`);
  if (row.dataset.blockId === "") row.dataset.blockId = name;
  fillDates(row);
  startEditors(row);
  return row;
}

/** A name that nothing else has, on this page or any other. */
function freshName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return `n${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** Makes the ids of a clone its own, inside of further templates too. */
function rename(root: Element | DocumentFragment, suffix: string): void {
  const elements = root instanceof Element ? [root, ...all(root, "*")] : all(root, "*");
  for (const element of elements) {
    for (const name of ID_ATTRIBUTES) {
      const value = element.getAttribute(name);
      if (value !== null) element.setAttribute(name, value + suffix);
    }
    if (element instanceof HTMLTemplateElement) rename(element.content, suffix);
  }
}

/** Removed rows can be brought back as long as the message is there. */
function takeAway(button: HTMLElement, changed: () => void): void {
  const row = enclosing(button, "li[data-row]");
  const marker = make("template");
  const place = rowPosition(row);
  row.replaceWith(marker);
  marker.parentElement?.closest<HTMLElement>("[data-rows]")
    ?.querySelector<HTMLElement>(":scope > .row button")?.focus();
  const undo = () => {
    marker.replaceWith(row);
    changed();
  };
  toast(`Removed ${place}`, { action: { label: "Undo", run: undo } });
}

/** The first text in a row that collapses, to know it by then. */
export function showPreview(row: HTMLElement): void {
  const preview = row.querySelector<HTMLElement>("[data-row-preview]");
  if (preview === null) return;
  const texts = all<HTMLInputElement>(
    row,
    "input:is([type=text], [type=url], [type=email]), textarea:not(.mono)",
  );
  const text = texts.map(({ value }) => value.trim()).find((value) => value !== "") ?? "";
  preview.textContent = text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
