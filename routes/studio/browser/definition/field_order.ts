/**
 * Runs in the browser. The order of a collection's fields, changed by buttons and saved at once.
 *
 * @module
 */
import { call } from "../call.ts";
import { all, get } from "../elements.ts";
import { toast } from "../toast.ts";

/** Makes the rows of the field list movable. */
export function startFieldOrder(list: HTMLElement): void {
  list.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLElement>("[data-move]");
    const row = button?.closest<HTMLElement>("[data-field-row]");
    if (!button || !row) return;
    const other = button.dataset.move === "up"
      ? row.previousElementSibling
      : row.nextElementSibling;
    if (other === null) return;
    if (button.dataset.move === "up") other.before(row);
    else other.after(row);
    button.focus();
    void saveOrder(list);
  });
}

async function saveOrder(list: HTMLElement): Promise<void> {
  list.setAttribute("aria-busy", "true");
  for (const [position, row] of all(list, "[data-field-row]").entries()) {
    if (row.dataset.position === String(position)) continue;
    const reply = await call("PATCH", row.dataset.fieldRow!, { body: { position } });
    if (!reply.ok) toast(reply.message, { bad: true });
    else row.dataset.position = String(position);
  }
  list.removeAttribute("aria-busy");
  get(document, "#toasts").replaceChildren();
  toast("The order is saved");
}
