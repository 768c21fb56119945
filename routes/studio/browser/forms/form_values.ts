/**
 * Runs in the browser. The values that a form sends to the admin API.
 *
 * @module
 */
import { inputOf, ownFields, readField } from "../document/control_values.ts";
import { all, dataOf } from "../page/elements.ts";

/**
 * The values of a form by the names of its fields, without those that are disabled and without a password
 * that is left as it is.
 *
 * @throws {ControlFault} A control holds something which is no value.
 */
export function formValues(form: HTMLFormElement): Record<string, unknown> {
  const sent = ownFields(form).filter((field) => !isDisabled(field) && !isUntouchedSecret(field));
  return Object.fromEntries(sent.map((field) => [dataOf(field, "name"), readField(field)]));
}

function isDisabled(field: HTMLElement): boolean {
  const controls = field.matches("input") ? [field] : all(field, "input, textarea, select");
  // A list without rows has no controls, and says so.
  if (controls.length === 0 && field.dataset.type === "repeater") return false;
  return controls.every((control) => control.matches(":disabled"));
}

function isUntouchedSecret(field: HTMLElement): boolean {
  if (field.dataset.type === "repeater") return false;
  const { type, value, required } = inputOf(field);
  return type === "password" && value === "" && !required;
}
