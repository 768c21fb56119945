/**
 * Runs in the browser. Light or dark.
 *
 * @module
 */
/// <reference lib="dom" />
import { keepChoice } from "./cookie.ts";

/** Lets the user menu choose the colors. */
export function startThemeChoice(): void {
  document.querySelector("[data-theme-choice]")?.addEventListener("change", (event) => {
    const { value } = event.target as HTMLInputElement;
    document.documentElement.dataset.theme = value;
    keepChoice("studio-theme", value);
  });
}
