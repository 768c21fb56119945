/**
 * Runs in the browser. The notes beside the fields of a translation, and the states of the languages: drawn by the
 * server, and again after each save.
 *
 * @module
 */
import { all } from "../page/elements.ts";
import { freshPage } from "../page/fresh_page.ts";

/** Starts the notes if the form is that of a translation. */
export function startTranslationNotes(form: HTMLElement): void {
  if (form.querySelector("[data-translation-note]") === null) return;
  form.addEventListener("saved", () => void redraw(form));
}

async function redraw(form: HTMLElement): Promise<void> {
  const fresh = await freshPage();
  for (const note of all(form, "[data-translation-note]")) {
    const drawn = fresh?.getElementById(note.id);
    if (!drawn || drawn.isEqualNode(note) || note.contains(document.activeElement)) continue;
    note.replaceWith(drawn);
  }
}
