/**
 * Runs in the browser. The form of the site's design: media are chosen, entries of the menu added and moved.
 *
 * @module
 */
import { startDesignPreview } from "./design_preview.ts";
import { startPickers } from "./document/pickers.ts";
import { startRows } from "./document/rows.ts";
import { guard } from "./forms/leave_guard.ts";

/** Starts the pickers, rows and preview of the design form. */
export function startDesign(form: HTMLElement): void {
  const draw = startDesignPreview(form);
  const changed = () => {
    guard(form as HTMLFormElement);
    draw();
  };
  startPickers(form, changed);
  startRows(form, { changed });
}
