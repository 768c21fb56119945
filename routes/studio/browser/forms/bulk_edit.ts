/**
 * Runs in the browser. Sets a field of all selected documents to one value, with a separate write for each.
 *
 * @module
 */
import { openDialog } from "./actions.ts";
import { countText, forEachDocument } from "./bulk.ts";
import { ControlFault, readField, type Value } from "../document/control_values.ts";
import { all, dataOf, get, make } from "../page/elements.ts";
import { setField } from "./field_write.ts";
import type { Selection } from "../page/selection.ts";
import { toastLater } from "../page/toast.ts";

/** Documents that can be changed; the trash is excluded. */
const CHANGED_IN = ["draft", "scheduled", "published", "archived"];

/** Starts the dialog if the list has one. */
export function startBulkEdit(root: HTMLElement, selection: Selection): void {
  const dialog = root.querySelector<HTMLDialogElement>("#bulk-edit");
  if (dialog === null) return;
  const field = get<HTMLSelectElement>(dialog, "[data-bulk-field]");
  field.addEventListener("change", () => showControl(dialog, field.value));
  get(root, "[data-bulk-edit]").addEventListener("click", () => {
    get(dialog, "[data-bulk-edit-count]").textContent = `For ${countText(documentsOf(selection))}.`;
    get(dialog, "[data-bulk-edit-failures]").hidden = true;
    openDialog(dialog.id);
  });
  const go = get<HTMLButtonElement>(dialog, "[data-bulk-edit-go]");
  go.addEventListener("click", () => void setAll(dialog, go, selection));
}

/** Those of a selection that can be changed. */
function documentsOf({ documents }: Selection) {
  return documents.filter(({ status }) => CHANGED_IN.includes(status));
}

function showControl(dialog: HTMLElement, name: string): void {
  for (const control of all(dialog, "[data-bulk-value]")) {
    control.hidden = control.dataset.bulkValue !== name;
  }
}

async function setAll(
  dialog: HTMLDialogElement,
  go: HTMLButtonElement,
  selection: Selection,
): Promise<void> {
  const control = get(dialog, "[data-bulk-value]:not([hidden]) [data-name]");
  const value = valueOf(dialog, control);
  if (value === undefined) return;
  const documents = documentsOf(selection);
  const count = get(dialog, "[data-bulk-edit-count]");
  go.disabled = true;
  const refused = await forEachDocument(documents, {
    work: ({ id }) => setField(id, dataOf(control, "name"), value.it),
    onProgress: (done) => count.textContent = `${done} of ${documents.length} …`,
  });
  go.disabled = false;
  if (refused.length === 0) {
    toastLater(`Updated ${countText(documents)}`);
    return location.reload();
  }
  const done = documents.length - refused.length;
  count.textContent = `${done} of ${documents.length} updated.`;
  showFailures(dialog, "These could not be updated:", refused);
  // The list is reloaded once the dialog is closed.
  dialog.addEventListener("close", () => location.reload(), { once: true });
}

/** The value of the control; undefined, with an error shown, if it is not valid. */
function valueOf(dialog: HTMLElement, control: HTMLElement): { it: Value } | undefined {
  try {
    return { it: readField(control) };
  } catch (error) {
    if (!(error instanceof ControlFault)) throw error;
    showFailures(dialog, error.message, []);
    error.control.focus();
  }
}

function showFailures(dialog: HTMLElement, message: string, lines: string[]): void {
  const failures = get(dialog, "[data-bulk-edit-failures]");
  const list = make("ul", {}, ...lines.map((line) => make("li", {}, line)));
  failures.replaceChildren(make("p", {}, message), ...(lines.length === 0 ? [] : [list]));
  failures.hidden = false;
}
