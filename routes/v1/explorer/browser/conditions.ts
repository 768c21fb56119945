/**
 * Runs in the browser. Filters by fields as conditions that are added one by one: a field, an operator of those
 * that fit it, a value.
 *
 * @module
 */
/// <reference lib="dom" />
import { button, element } from "../../../browser/elements.ts";
import type { Parameter } from "./operations.ts";
import { type ParameterControl, parameterControl } from "./request_form.ts";

/** Conditions, as many as were added. */
export interface Conditions {
  node: HTMLElement;
  /** The controls of the conditions that there are now. */
  controls: () => ParameterControl[];
}

/** The field and the operator of a filter: `field.rating[gte]`, or `field.rating` for being equal. */
export function filterParts({ name }: Parameter): { field: string; operator: string } {
  const text = name.slice("field.".length);
  const bracket = text.indexOf("[");
  return bracket < 0
    ? { field: text, operator: "eq" }
    : { field: text.slice(0, bracket), operator: text.slice(bracket + 1, -1) };
}

/** The filters of a list as conditions. */
export function conditionBuilder(filters: Parameter[], changed: () => void): Conditions {
  const rows = new Map<HTMLElement, ParameterControl>();
  const list = element("div", { class: "conditions" });
  const add = () => {
    const row = conditionRow(filters, {
      chosen: (node, control) => {
        rows.set(node, control);
        changed();
      },
      removed: (node) => {
        rows.delete(node);
        node.remove();
        adder.focus();
        changed();
      },
    });
    list.append(row);
    row.querySelector("select")?.focus();
  };
  const adder = button("Add filter", add);
  const legend = element("legend", {}, "Filters (all must match)");
  const node = element("fieldset", {}, legend, list, adder);
  return { node, controls: () => [...rows.values()] };
}

/** One condition; `chosen` gets the control of its value. */
export function conditionRow(
  filters: Parameter[],
  { chosen, removed }: {
    chosen: (row: HTMLElement, control: ParameterControl) => void;
    removed: (row: HTMLElement) => void;
  },
): HTMLElement {
  const names = [...new Set(filters.map((filter) => filterParts(filter).field))];
  const option = (text: string) => element("option", { value: text }, text);
  const field = element("select", { "aria-label": "Field" }, ...names.map(option));
  const operator = element("select", { "aria-label": "Operator" });
  const value = element("div", { class: "value-of" });
  const remove = button("Remove", () => removed(row), { "aria-label": "Remove filter" });
  const row = element("div", { class: "condition" }, field, operator, value, remove);
  const fitting = () => filters.filter((filter) => filterParts(filter).field === field.value);
  const choose = () => {
    const filter = fitting().find((one) => filterParts(one).operator === operator.value)!;
    const control = parameterControl(filter, () => chosen(row, control));
    value.replaceChildren(control.node);
    chosen(row, control);
  };
  const offer = () => {
    operator.replaceChildren(...fitting().map((filter) => option(filterParts(filter).operator)));
    choose();
  };
  field.addEventListener("change", offer);
  operator.addEventListener("change", choose);
  offer();
  return row;
}
