/**
 * The dialog in which the values of a block inside of rich text are filled in.
 *
 * @module
 */
/// <reference lib="dom" />
import { confirmed } from "../browser/forms/actions.ts";
import { ControlFault, readFields } from "../browser/document/control_values.ts";
import { writeFields } from "../browser/document/control_writing.ts";
import { startPickers } from "../browser/document/pickers.ts";
import { cloneRow, startRows } from "../browser/document/rows.ts";
import { get, make } from "../browser/page/elements.ts";
import { clearFailures, markFailed } from "../browser/page/failures.ts";
import { startEditors } from "../browser/forms/rich_text.ts";
import type { BlockKind } from "./block_kinds.ts";
import { changedValues } from "./changed_values.ts";
import type { Json, JsonObject } from "./schema.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";

let clones = 0;

/** The purpose of the dialog. */
export interface BlockEdit {
  kind: BlockKind;
  /** The block to edit; null for a new one. */
  raw: JsonObject | null;
  save: (raw: JsonObject) => void;
  closed: () => void;
}

/** Asks for the values of a block. */
export function openBlockDialog(edit: BlockEdit): void {
  new BlockDialog(edit).open();
}

class BlockDialog {
  readonly #edit: BlockEdit;
  readonly #dialog: HTMLDialogElement;
  readonly #fields: HTMLElement;
  #before: Record<string, Json> = {};

  constructor(edit: BlockEdit) {
    this.#edit = edit;
    const { kind: { label, template }, raw } = edit;
    const suffix = `-d${clones++}`;
    this.#fields = fieldsOf(cloneRow(template, suffix));
    const id = `pt-block${suffix}`;
    const verb = raw === null ? `Insert ${label}` : `Edit ${label}`;
    const button = (text: string, attributes: Record<string, string>) =>
      make("button", { type: "button", class: "button", ...attributes }, text);
    const cancel = button("Cancel", {});
    const form = make(
      "form",
      { novalidate: true },
      make("div", { class: "dialog-head" }, make("h2", { id }, verb)),
      this.#fields,
      make(
        "div",
        { class: "dialog-foot" },
        cancel,
        button(raw === null ? "Insert" : "Save", { type: "submit", class: "button primary" }),
      ),
    );
    this.#dialog = make("dialog", { class: "dialog large pt-block-dialog", "aria-labelledby": id });
    this.#dialog.append(form);
    cancel.addEventListener("click", () => void this.#cancel());
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
    this.#dialog.addEventListener("keydown", (event) => this.#key(event));
    this.#dialog.addEventListener("cancel", (event) => {
      if (event.target !== this.#dialog) return;
      event.preventDefault();
      void this.#cancel();
    });
    this.#dialog.addEventListener("close", (event) => {
      if (event.target !== this.#dialog) return;
      this.#dialog.remove();
      edit.closed();
    });
  }

  open(): void {
    const fields = this.#fields;
    document.body.append(this.#dialog);
    if (this.#edit.raw !== null) {
      writeFields(fields, this.#edit.raw);
      this.#before = readFields(fields) as Record<string, Json>;
    }
    startRows(fields, { changed: () => clearFailures(fields) });
    startPickers(fields, () => clearFailures(fields));
    startEditors(fields);
    this.#dialog.showModal();
    const first = "input:not([type=hidden], .sr), textarea:not(.mono), select, [data-choose]";
    fields.querySelector<HTMLElement>(first)?.focus();
  }

  /** While the dialog is open, the save and publish shortcuts apply to it. */
  #key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") {
      // An editor in here would keep the key for itself.
      event.preventDefault();
      return void this.#cancel();
    }
    if (!event.metaKey && !event.ctrlKey) return;
    if (event.key !== "Enter" && event.key !== "s") return;
    event.preventDefault();
    this.#submit();
  }

  #submit(): void {
    clearFailures(this.#fields);
    const { kind, raw, save } = this.#edit;
    const values = this.#read();
    if (values === null) return;
    const media = this.#fields.querySelector<HTMLElement>('[data-name="media"] [data-choose]');
    if (kind.isBuiltIn && values.media === null && media !== null) {
      markFailed(media, "Choose an image first");
      media.focus();
      return;
    }
    const next = changedValues(raw ?? { _type: kind.name }, this.#before, values);
    this.#dialog.close();
    if (raw === null || !sameJson(raw, next)) save(next);
  }

  #read(): Record<string, Json> | null {
    try {
      return readFields(this.#fields) as Record<string, Json>;
    } catch (error) {
      if (!(error instanceof ControlFault)) throw error;
      markFailed(error.control, error.message);
      error.control.focus();
      return null;
    }
  }

  /** Closing the dialog with input asks for confirmation. */
  async #cancel(): Promise<void> {
    const values = this.#read() ?? {};
    const isChanged = Object.entries(values).some(([name, value]) =>
      !sameJson(this.#before[name] ?? null, value) && !(this.#edit.raw === null && value === false)
    );
    const question = "Your input will be lost.";
    if (isChanged && !(await confirmed(question, "Discard"))) return;
    this.#dialog.close();
  }
}

/** The fields of a row without what moves and removes it. */
function fieldsOf(row: HTMLElement): HTMLElement {
  const fields = make("div", { class: "pt-block-fields", "data-row": true });
  fields.append(...get(row, ".row-body").childNodes);
  return fields;
}
