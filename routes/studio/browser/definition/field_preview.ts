/**
 * Runs in the browser. The preview of a field beside its definition, rendered by the server after each change.
 *
 * @module
 */
import { ControlFault, readFields } from "../document/control_values.ts";
import { fillDates } from "../document/dates.ts";
import { startPickers } from "../document/pickers.ts";
import { startRows } from "../document/rows.ts";
import { drawnOf } from "../page/fresh_page.ts";
import { startEditors } from "../forms/rich_text.ts";

/** Pause in typing before the preview is rendered again, milliseconds. */
const PAUSE_MS = 150;

/** Returns a function to call after every change; it does nothing without a preview. */
export function startFieldPreview(form: HTMLFormElement): () => void {
  const pane = document.querySelector<HTMLElement>("[data-field-preview]");
  if (pane === null) return () => {};
  startPickers(pane, () => {});
  startRows(pane, { changed: () => {} });
  fillDates(pane);
  let shown = definitionOf(form);
  let latest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const draw = async () => {
    const definition = definitionOf(form);
    if (definition === null || definition === shown) return;
    const turn = ++latest;
    const drawn = await drawnOf("/admin/field-preview", JSON.parse(definition));
    // Only the response to the latest request is shown.
    if (turn !== latest || drawn === null) return;
    shown = definition;
    pane.replaceChildren(...drawn.body.childNodes);
    fillDates(pane);
    startEditors(pane);
  };
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => void draw(), PAUSE_MS);
  };
}

/** The definition as JSON; null while a control has an invalid value. */
function definitionOf(form: HTMLFormElement): string | null {
  try {
    return JSON.stringify(readFields(form));
  } catch (error) {
    if (error instanceof ControlFault) return null;
    throw error;
  }
}
