/**
 * Runs in the browser. Loads the palette when it is opened, or before that once the page is idle, so that it
 * also opens without a connection.
 *
 * @module
 */
import { get } from "./elements.ts";

/** Browsers without idle callbacks load what can wait after this time, milliseconds. */
const LOAD_AFTER_MS = 2_000;

/** Runs once the page is idle. */
export function whenIdle(run: () => void): void {
  if ("requestIdleCallback" in globalThis) requestIdleCallback(run);
  else setTimeout(run, LOAD_AFTER_MS);
}

/** Starts the palette at its first use. */
export function startPaletteWhenUsed(dialog: HTMLElement): void {
  let isStarted = false;
  const start = async () => {
    if (isStarted) return;
    isStarted = true;
    const { startPalette } = await import("./palette.ts");
    startPalette(dialog);
  };
  get(dialog, "input").addEventListener("focus", () => void start(), { once: true });
  whenIdle(() => void start());
}
