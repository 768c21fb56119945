/**
 * Runs in the browser. Shows the link of an invitation, so that it can be passed on without email.
 *
 * @module
 */
import { get } from "../page/elements.ts";

/** Waits for the API to answer with a link. */
export function startInvitation(element: HTMLElement): void {
  element.addEventListener("acted", (event) => {
    const { body } = (event as CustomEvent).detail;
    if (typeof body?.url !== "string") return;
    get(element, "#invitation-link").textContent = body.url;
    get(element, "[data-link]").hidden = false;
  });
}
