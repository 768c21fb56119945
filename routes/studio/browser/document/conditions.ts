/**
 * Runs in the browser. Fields that are shown only while another field has a value. A field with an error is
 * always shown.
 *
 * @module
 */
import { all } from "../page/elements.ts";
import { ControlFault, ownFields, readField } from "./control_values.ts";

/** Shows and hides fields as the form changes. Returns the function that does so after a remote change. */
export function startConditions(form: HTMLElement): () => void {
  const conditional = all(form, "[data-show-when]");
  const look = () => {
    for (const element of conditional) element.hidden = !isShown(form, element);
  };
  if (conditional.length === 0) return look;
  look();
  form.addEventListener("input", look);
  form.addEventListener("change", look);
  const failures = { subtree: true, attributeFilter: ["aria-invalid"] };
  new MutationObserver(look).observe(form, failures);
  return look;
}

function isShown(form: HTMLElement, element: HTMLElement): boolean {
  const { showWhen, showWhenIs } = element.dataset;
  if (element.querySelector("[aria-invalid]") !== null) return true;
  const other = ownFields(form).find(({ dataset }) => dataset.name === showWhen);
  // A field that is gone hides nothing.
  if (other === undefined) return true;
  const value = valueOf(other);
  if (showWhenIs !== undefined) {
    return Array.isArray(value) ? value.includes(showWhenIs) : String(value) === showWhenIs;
  }
  const isEmpty = Array.isArray(value) ? value.length === 0 : value === "" || value === false;
  return value !== null && !isEmpty;
}

/** The value of a control; what cannot be read is a value all the same. */
function valueOf(field: HTMLElement): unknown {
  try {
    return readField(field);
  } catch (error) {
    if (error instanceof ControlFault) return true;
    throw error;
  }
}
