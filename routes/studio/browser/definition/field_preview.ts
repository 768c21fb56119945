/**
 * Runs in the browser. The control of a field beside the form that defines it: drawn by the server, as the form
 * of a document is, after each change.
 *
 * @module
 */
import { ControlFault, readFields } from "../document/control_values.ts";
import { fillDates } from "../document/dates.ts";
import { startPickers } from "../document/pickers.ts";
import { startRows } from "../document/rows.ts";
import { drawnOf } from "../page/fresh_page.ts";
import { startEditors } from "../forms/rich_text.ts";

/** How long nobody must have typed before the control is drawn again, milliseconds. */
const PAUSE_MS = 150;

/** Answers the function that is told of every change; it does nothing where there is no preview. */
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
    // What was typed last counts, however long the answers take.
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

/** What the form defines, as JSON; null while a control holds something that is no value. */
function definitionOf(form: HTMLFormElement): string | null {
  try {
    return JSON.stringify(readFields(form));
  } catch (error) {
    if (error instanceof ControlFault) return null;
    throw error;
  }
}
