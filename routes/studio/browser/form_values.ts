/**
 * Runs in the browser. The JSON that a form's controls stand for; each control says by `data-kind` what
 * it becomes.
 *
 * @module
 */
import { all } from "./elements.ts";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** The values of a form by the names of its controls. */
export function formValues(form: HTMLFormElement): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const controls = all<Control>(form, "input[name], textarea[name], select[name]");
  for (const control of controls) {
    if (control.disabled || control.closest("template, [data-not-sent]") !== null) continue;
    add(values, control);
  }
  return values;
}

function add(values: Record<string, unknown>, control: Control): void {
  const { name, value } = control;
  const checked = control instanceof HTMLInputElement && control.checked;
  switch (control.dataset.kind) {
    case "flag":
      values[name] = checked;
      return;
    case "list":
      values[name] ??= [];
      if (checked) (values[name] as string[]).push(value);
      return;
    case "lines":
      values[name] = value.split("\n").map((line) => line.trim()).filter((line) => line !== "");
      return;
    case "number":
      values[name] = value.trim() === "" ? null : Number(value);
      return;
    case "time":
      values[name] = value === "" ? null : Math.floor(new Date(value).getTime() / 1000);
      return;
    case "nullable":
      values[name] = value === "" ? null : value;
      return;
    default:
      if (control instanceof HTMLInputElement && control.type === "radio" && !checked) return;
      if (control.type === "password" && value === "" && !control.required) return;
      values[name] = value;
  }
}
