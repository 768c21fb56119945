/**
 * Runs in the browser. The form of a document as live editing sees it, and the position of the focus in it.
 *
 * @module
 */
import { dataOf, parentOf } from "../../page/elements.ts";
import { CONTROL_FACETS } from "../control_facets.ts";
import { controlType, ownFields, ownRows, readField, type Value } from "../control_values.ts";
import { writeField } from "../control_writing.ts";
import type { LiveFields } from "./live_fields.ts";

/** The fields of a form. */
export class FormFields implements LiveFields {
  readonly #form: HTMLElement;

  constructor(form: HTMLElement) {
    this.#form = form;
  }

  names(): string[] {
    return ownFields(this.#form).map((field) => dataOf(field, "name"));
  }

  element(name: string): HTMLElement | undefined {
    return ownFields(this.#form).find((field) => field.dataset.name === name);
  }

  #present(name: string): HTMLElement {
    const field = this.element(name);
    if (field === undefined) throw new Error(`The form has no field ${name}`);
    return field;
  }

  read(name: string): Value {
    return readField(this.#present(name));
  }

  /** The value that the controls would return for a value, tried on a detached copy. */
  shape(name: string, value: Value): Value {
    const field = this.#present(name);
    if (CONTROL_FACETS[controlType(field)].isVerbatim) return value ?? null;
    const copy = field.cloneNode(true) as HTMLElement;
    writeField(copy, value);
    return readField(copy);
  }

  write(name: string, value: Value): void {
    writeField(this.#present(name), value);
  }
}

/** The name of the field of the form that an element is in. */
export function nameAt(form: HTMLElement, element: Element): string | null {
  return ownFields(form).find((field) => field.contains(element))?.dataset.name ?? null;
}

/** The path of an element in the form, such as `gallery.2.caption`. */
export function pathAt(form: HTMLElement, element: Element): string | null {
  const steps: string[] = [];
  for (
    let one = element.closest<HTMLElement>("[data-name], li[data-row]");
    one !== null && form.contains(one);
    one = parentOf(one).closest<HTMLElement>("[data-name], li[data-row]")
  ) {
    if (one.dataset.name !== undefined) steps.unshift(one.dataset.name);
    else {steps.unshift(
        one.dataset.blockId || String([...parentOf(one).children].indexOf(one)),
      );}
  }
  return steps.length === 0 ? null : steps.join(".");
}

/** The field at a path, or its closest existing ancestor. */
export function fieldAt(form: HTMLElement, path: string): HTMLElement | null {
  let owner: HTMLElement = form;
  let field: HTMLElement | null = null;
  for (const step of path.split(".")) {
    const rows: HTMLElement[] = field === null ? [] : ownRows(field);
    const next: HTMLElement | undefined = ownFields(owner).find((one) =>
      one.dataset.name === step
    ) ??
      rows.find((row) => row.dataset.blockId === step) ?? rows[Number(step)];
    if (next === undefined) break;
    if (next.dataset.name !== undefined) field = next;
    owner = next;
  }
  return field;
}
