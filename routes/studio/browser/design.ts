/**
 * Runs in the browser. The form of the site's design: media are chosen, entries of the menu added and moved.
 *
 * @module
 */
import { startPickers } from "./document/pickers.ts";
import { startRows } from "./document/rows.ts";
import { guard } from "./leave_guard.ts";

/** Makes its pickers and rows work. */
export function startDesign(form: HTMLElement): void {
  const changed = () => guard(form as HTMLFormElement);
  startPickers(form, changed);
  startRows(form, { changed });
}
