/**
 * Runs in the browser. Brings the editor of rich text, which is large, to the pages that have one.
 *
 * @module
 */
import { all } from "./elements.ts";

/** Told to an island by whoever has a newer value: its `detail` is the Portable Text. */
export const REPLACE_EVENT = "portable-text:replace";

/** Starts the editor of an island. Until it is there, and where it cannot come, its text area serves. */
export async function startRichText(island: HTMLElement): Promise<void> {
  const { startPortableText } = await import("../editor/portable_text_editor.ts");
  startPortableText(island);
}

/** Starts every editor in what has just come onto the page. */
export function startRichTexts(within: HTMLElement): void {
  for (const island of all(within, '[data-island="portable-text"]')) void startRichText(island);
}
