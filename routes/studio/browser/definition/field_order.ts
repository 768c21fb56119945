/**
 * Runs in the browser. The order of a collection's fields, saved as soon as one has moved.
 *
 * @module
 */
import { call } from "../call.ts";
import { all, get } from "../elements.ts";
import { startRowOrder } from "../row_order.ts";
import { toast } from "../toast.ts";

/** Makes the rows of the field list movable. */
export function startFieldOrder(list: HTMLElement): void {
  let saving = Promise.resolve();
  // One after the other: the order that was made last is the one that stays.
  startRowOrder(list, () => saving = saving.then(() => saveOrder(list)));
}

async function saveOrder(list: HTMLElement): Promise<void> {
  list.setAttribute("aria-busy", "true");
  const failure = await movedFields(list);
  list.removeAttribute("aria-busy");
  get(document, "#toasts").replaceChildren();
  if (failure === null) toast("The order is saved");
  else toast(failure, { bad: true });
}

/** Tells the service where each field stands; answers what was refused. */
async function movedFields(list: HTMLElement): Promise<string | null> {
  for (const [position, row] of all(list, "[data-field-row]").entries()) {
    if (row.dataset.position === String(position)) continue;
    const reply = await call("PATCH", row.dataset.fieldRow!, { body: { position } });
    if (!reply.ok) return reply.message;
    row.dataset.position = String(position);
  }
  return null;
}
