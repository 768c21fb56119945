/**
 * Runs in the browser. Starts the editor of rich text, which is large, on the pages that have one. The
 * editor opens forms that hold editors again, so it is named by the entry point and not imported here.
 *
 * @module
 */
import { all } from "./elements.ts";

/** Told to an island by whoever has a newer value: its `detail` is the Portable Text. */
export const REPLACE_EVENT = "portable-text:replace";

/** Loads the editor; answers the function that starts it on an island. */
export type RichTextLoader = () => Promise<(island: HTMLElement) => void>;

let load: RichTextLoader | null = null;

/** Says where the editor comes from, once per page. */
export function provideRichText(loader: RichTextLoader): void {
  load = loader;
}

/** Starts the editor of an island. Until it is there, and where it cannot come, its text area serves. */
export async function startRichText(island: HTMLElement): Promise<void> {
  const start = await load?.();
  start?.(island);
}

/** Starts every editor in what has just come onto the page. */
export function startRichTexts(within: HTMLElement): void {
  for (const island of all(within, '[data-island="portable-text"]')) void startRichText(island);
}
