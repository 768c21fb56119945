/**
 * Runs in the browser. The order and placement of a collection's fields, saved after each move.
 *
 * @module
 */
import { type FormPosition, withFormPosition } from "../../../../kv/model/fields/form_position.ts";
import type { JsonObject } from "../../../../kv/model/values/json_object.ts";
import { sameJson } from "../../../../kv/model/values/same_json.ts";
import { call } from "../page/call.ts";
import { dataOf, get } from "../page/elements.ts";
import { startRowOrder } from "../forms/row_order.ts";
import { toast } from "../page/toast.ts";

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
  if (failure === null) toast("Order saved");
  else toast(failure, { bad: true });
}

/** Saves the position of each field; returns the error message, if any. */
async function movedFields(list: HTMLElement): Promise<string | null> {
  let place: FormPosition = {};
  let position = 0;
  for (const row of [...list.children] as HTMLElement[]) {
    if (row.dataset.place !== undefined) {
      place = JSON.parse(row.dataset.place);
      row.querySelector("span")?.remove();
      continue;
    }
    const body = changeOf(row, position, place);
    position += 1;
    if (body === null) continue;
    const reply = await call("PATCH", dataOf(row, "fieldRow"), { body });
    if (!reply.ok) return reply.message;
    row.dataset.position = String(body.position);
    if (body.options !== undefined) row.dataset.options = JSON.stringify(body.options);
  }
  return null;
}

/** The changed options of a field at a position; null if nothing changes. */
function changeOf(row: HTMLElement, position: number, place: FormPosition) {
  const options: JsonObject = JSON.parse(dataOf(row, "options"));
  const placed = withFormPosition(options, place);
  const isPlaced = sameJson(options, placed);
  if (isPlaced && row.dataset.position === String(position)) return null;
  return isPlaced ? { position } : { position, options: placed };
}
