/**
 * Runs in the browser. A simple field is changed in its cell: a click or Enter opens its control there,
 * Enter and leaving it keep the value, Escape takes it back. Arrow keys move through the cells.
 *
 * @module
 */
import { ControlFault, readField, type Value } from "../document/control_values.ts";
import { writeField } from "../document/control_writing.ts";
import { same } from "../document/live/same_value.ts";
import { all, dataOf, enclosing, get, make } from "../page/elements.ts";
import { readEdited, setField } from "./field_write.ts";
import { freshPage } from "../page/fresh_page.ts";
import { toast } from "../page/toast.ts";
import { reasonOf } from "./bulk.ts";

/** Makes the cells of a list that can be changed do so. */
export function startInlineEdit(root: HTMLElement): void {
  const table = get(root, "tbody");
  table.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-cell]");
    if (button !== null) void startEdit(root, button);
  });
  table.addEventListener("keydown", (event) => moveInCells(event, table));
}

/** One control in the place of one value. */
class CellEdit {
  readonly #cell: HTMLElement;
  readonly #button: HTMLElement;
  readonly #editor: HTMLElement;
  readonly #before: Value;
  #isOver = false;
  /** Whether the list was changed by an arrow key, without opening it: more of them may follow. */
  #byArrow = false;

  constructor(button: HTMLElement, editor: HTMLElement, before: Value) {
    this.#button = button;
    this.#cell = enclosing<HTMLTableCellElement>(button, "td");
    this.#editor = editor;
    const field = get(editor, "[data-name]");
    if (typeof before === "string") offer(field, before, dataOf(button, "cell"));
    writeField(field, before);
    // The control may know less of the value than the document: seconds, for one.
    this.#before = before;
    editor.addEventListener("keydown", (event) => this.#onKey(event));
    editor.addEventListener("change", (event) => {
      if ((event.target as Element).matches("select") && !this.#byArrow) void this.#keep();
    });
    editor.addEventListener("focusout", (event) => {
      const to = event.relatedTarget as Node | null;
      if (to !== null && !editor.contains(to)) void this.#keep();
    });
    button.hidden = true;
    this.#cell.append(editor);
    const control = get<HTMLInputElement>(editor, "input, select");
    control.focus();
    if (control.matches("input[type=text], input[type=url], input[type=email]")) control.select();
  }

  #onKey(event: KeyboardEvent): void {
    event.stopPropagation();
    const control = event.target as HTMLElement;
    this.#byArrow = control.matches("select") && event.key.startsWith("Arrow");
    const isOpen = this.#editor.querySelector(":popover-open") !== null;
    if (isOpen || control.matches("option")) return;
    if (event.key === "Escape") this.#close();
    else if (event.key === "Enter" && !event.defaultPrevented) void this.#keep();
    else return;
    event.preventDefault();
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const hadFocus = this.#editor.contains(document.activeElement);
    this.#editor.remove();
    this.#button.hidden = false;
    if (hadFocus || document.activeElement === document.body) this.#button.focus();
  }

  async #keep(): Promise<void> {
    if (this.#isOver || this.#editor.ariaBusy === "true") return;
    const field = get(this.#editor, "[data-name]");
    let value: Value;
    try {
      value = readField(field);
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      return toast(error.message, { bad: true });
    }
    if (same(value, this.#before)) return this.#close();
    this.#editor.ariaBusy = "true";
    const row = enclosing<HTMLTableRowElement>(this.#cell, "tr");
    const name = dataOf(field, "name");
    const reply = await setField(dataOf(row, "id"), name, value, { value: this.#before });
    this.#editor.ariaBusy = null;
    if (!reply.ok) {
      toast(reasonOf(reply), { bad: true });
      return get(this.#editor, "input, select").focus();
    }
    if (row.dataset.status === "published") toast("Saved as an unpublished change");
    await this.#redraw(row);
  }

  /** Replaces the row with the server's current rendering; selection and shortcuts of the list stay. */
  async #redraw(row: HTMLElement): Promise<void> {
    const fresh = (await freshPage())?.querySelector(`tr[data-id="${row.dataset.id}"]`);
    // The document is no longer on this page, or the request failed.
    if (!fresh) return location.reload();
    this.#close();
    const wasFocused = document.activeElement === this.#button;
    const at = [...row.children].indexOf(this.#cell);
    for (const [index, cell] of [...row.children].entries()) {
      if (index > 0) cell.replaceChildren(...fresh.children[index]?.childNodes ?? []);
    }
    if (wasFocused) row.children[at]?.querySelector<HTMLElement>("[data-cell]")?.focus();
  }
}

async function startEdit(root: HTMLElement, button: HTMLElement): Promise<void> {
  const cell = enclosing<HTMLTableCellElement>(button, "td");
  const field = dataOf(cell, "field");
  const id = dataOf(enclosing(cell, "tr"), "id");
  if (button.ariaBusy === "true") return;
  button.ariaBusy = "true";
  const edited = await readEdited(id);
  button.ariaBusy = null;
  if ("ok" in edited) return toast(edited.message, { bad: true });
  const template = get<HTMLTemplateElement>(root, `template[data-cell-editor="${field}"]`);
  const editor = make("div", { class: "cell-editor" });
  editor.append(template.content.cloneNode(true));
  new CellEdit(button, editor, edited.values[field] ?? null);
}

/** A list that the server searches begins with the present value, under its title. */
function offer(field: HTMLElement, value: string, label: string): void {
  const select = field.querySelector<HTMLSelectElement>("select[data-source]");
  if (select !== null) select.append(make("option", { value }, label));
}

function moveInCells(event: KeyboardEvent, table: HTMLElement): void {
  const from = event.target as HTMLElement;
  const isCell = from.matches("[data-cell]");
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (!isCell && !from.matches("th a")) return;
  const row = enclosing<HTMLTableRowElement>(from, "tr");
  const stops = (of: Element) => all(of, "th a, [data-cell]");
  const at = stops(row).indexOf(from);
  const rows = all(table, "tr");
  const beside = (step: number) => {
    const other = rows[rows.indexOf(row) + step];
    return other && stops(other)[at];
  };
  const to: Record<string, () => HTMLElement | undefined> = {
    ArrowRight: () => stops(row)[at + 1],
    ArrowLeft: () => stops(row)[at - 1],
    ArrowDown: () => beside(1),
    ArrowUp: () => beside(-1),
  };
  const next = to[event.key]?.();
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
