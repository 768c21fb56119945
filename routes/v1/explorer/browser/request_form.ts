/**
 * Runs in the browser. Controls for the parameters of a request, and the address they make.
 *
 * @module
 */
/// <reference lib="dom" />
import { element } from "../../../browser/elements.ts";
import { isFilter, type Operation, type Parameter } from "./operations.ts";

/** A parameter's controls. */
export interface ParameterControl {
  parameter: Parameter;
  node: HTMLElement;
  values: () => string[];
}

type Control = HTMLInputElement | HTMLSelectElement;

/** Controls of one parameter: one, or, if it accepts several values, one more than are filled. */
export function parameterControl(parameter: Parameter, changed: () => void): ParameterControl {
  const controls: Control[] = [];
  const holder = element("div", { class: "values" });
  const empty = element("input", { type: "checkbox", onchange: changed });
  const values = () => {
    const given = controls.map((control) => control.value).filter((value) => value !== "");
    return given.length === 0 && empty.checked ? [""] : given;
  };
  const add = () => {
    const control = valueControl(parameter, controls.length);
    control.addEventListener("input", () => {
      const isLast = controls.at(-1) === control;
      if (isLast && control.value !== "" && controls.length < parameter.valuesMax) add();
      changed();
    });
    controls.push(control);
    holder.append(control);
  };
  add();
  if (parameter.mayBeEmpty) {
    holder.append(element("label", { class: "empty-value" }, empty, " Send empty"));
  }
  const about = isFilter(parameter) ? "" : `${parameter.about} ${parameter.hint}`.trim();
  const node = element(
    "div",
    { class: "parameter" },
    element(
      "label",
      { for: controlId(parameter, 0) },
      isFilter(parameter) ? parameter.name.slice("field.".length) : parameter.name,
      ...(parameter.required ? [element("span", { class: "required" }, " required")] : []),
    ),
    holder,
    element("p", { class: "about", id: `${controlId(parameter, 0)}-about` }, about),
  );
  return { parameter, node, values };
}

/** The id of a parameter's control; names are the site's and may be anything. */
export function controlId(parameter: Parameter, index: number): string {
  return `p-${parameter.place}-${encodeURIComponent(parameter.name)}-${index}`;
}

/** One control for one value. */
export function valueControl(parameter: Parameter, index: number): Control {
  const common = {
    id: controlId(parameter, index),
    "aria-describedby": `${controlId(parameter, 0)}-about`,
    ...(index > 0
      ? { "aria-label": `${parameter.name}, value ${index + 1}` }
      : isFilter(parameter)
      ? { "aria-label": `Value for ${parameter.name.slice("field.".length)}` }
      : {}),
  };
  const choices = parameter.kind === "boolean" ? ["true", "false"] : parameter.choices;
  if (choices === null) {
    const mode = parameter.kind === "number" ? "decimal" : "text";
    return element("input", {
      ...common,
      type: "text",
      inputmode: mode,
      autocomplete: "off",
      spellcheck: "false",
      required: parameter.required && index === 0,
    });
  }
  return element(
    "select",
    common,
    element("option", { value: "" }, index > 0 ? "and …" : isFilter(parameter) ? "any" : "–"),
    ...choices.map((choice) =>
      element("option", { value: choice }, choiceLabel(parameter, choice))
    ),
  );
}

/** The label of a choice; sort fields include their direction. */
export function choiceLabel(parameter: Parameter, choice: string): string {
  if (parameter.name !== "sort") return choice === "" ? "(empty text)" : choice;
  return choice.startsWith("-") ? `${choice.slice(1)}, descending` : `${choice}, ascending`;
}

/** Path and query of the request that the controls describe. */
export function requestAddress(operation: Operation, controls: ParameterControl[]): string {
  let path = operation.path;
  const query = new URLSearchParams();
  for (const { parameter, values } of controls) {
    const given = values();
    if (parameter.place === "path") {
      path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(given[0] ?? ""));
    } else if (parameter.joined && given.length > 0) query.append(parameter.name, given.join(","));
    else for (const value of given) query.append(parameter.name, value);
  }
  // Commas and brackets may stand as they are, and read better.
  const text = query.toString().replaceAll("%2C", ",");
  return text === "" ? path : `${path}?${text}`;
}
