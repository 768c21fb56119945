/**
 * Runs in the browser. Light or dark, kept in a cookie so that the next page is drawn right at once.
 *
 * @module
 */
/// <reference lib="dom" />

const YEAR_SECONDS = 31_536_000;

/** Lets the user menu choose the colours. */
export function startThemeChoice(): void {
  document.querySelector("[data-theme-choice]")?.addEventListener("change", (event) => {
    const { value } = event.target as HTMLInputElement;
    document.documentElement.dataset.theme = value;
    document.cookie = `studio-theme=${value}; path=/admin; max-age=${YEAR_SECONDS}; samesite=lax`;
  });
}
