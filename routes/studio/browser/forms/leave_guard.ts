/**
 * Runs in the browser. Asks before a page with unsaved changes is left.
 *
 * @module
 */
/// <reference lib="dom" />

const UNSAVED = "unsaved";

/** Starts guarding the controls in an element. */
export function guard(element: HTMLElement): void {
  element.dataset.state = UNSAVED;
}

/** It is saved. */
export function allowLeaving(element: HTMLElement): void {
  delete element.dataset.state;
}

/** Lets the browser ask while anything is unsaved. */
export function startLeaveGuard(): void {
  addEventListener("beforeunload", (event) => {
    if (document.querySelector(`[data-state=${UNSAVED}]`) !== null) event.preventDefault();
  });
}
