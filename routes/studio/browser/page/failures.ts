/**
 * Runs in the browser. Shows errors at their fields and above the form.
 *
 * @module
 */
import type { Detail, Reply } from "./call.ts";
import { all, make } from "./elements.ts";
import { revealAndFocus } from "./reveal.ts";

/** Finds the control of a failed field; null when the form has none. */
export type FindControl = (field: string) => HTMLElement | null;

/** Takes away what an earlier failure has left. */
export function clearFailures(form: HTMLElement): void {
  for (const message of all(form, ".error[data-made]")) message.remove();
  for (const control of all(form, "[aria-invalid]")) unmark(control);
  const box = form.querySelector<HTMLElement>("[data-failure]");
  if (box !== null) box.hidden = true;
}

/** Shows the errors of a response and focuses the first one. */
export function showFailures(form: HTMLElement, reply: Reply, find: FindControl): void {
  clearFailures(form);
  const unplaced: Detail[] = [];
  let first: HTMLElement | null = null;
  for (const detail of reply.details) {
    const control = find(detail.field);
    if (control === null) unplaced.push(detail);
    else {
      markFailed(control, detail.message);
      first ??= control;
    }
  }
  const box = form.querySelector<HTMLElement>("[data-failure]");
  if (box !== null) {
    const list = make("ul", {});
    for (const { field, message } of unplaced) list.append(make("li", {}, `${field}: ${message}`));
    box.replaceChildren(make("p", {}, reply.message), ...(unplaced.length > 0 ? [list] : []));
    box.hidden = false;
  }
  const target = first ?? box;
  if (target !== null) revealAndFocus(target);
}

/** Shows an error at a control until its value changes. */
export function markFailed(control: HTMLElement, text: string): void {
  const id = `${control.id || "control"}-error`;
  control.setAttribute("aria-invalid", "true");
  setDescription(control, (ids) => [...ids, id]);
  const message = make("p", { class: "error", id, "data-made": true }, text);
  (control.closest("[data-error-after]") ?? control).after(message);
  for (const type of ["input", "change"]) {
    control.addEventListener(type, () => {
      if (!message.isConnected) return;
      message.remove();
      unmark(control);
    }, { once: true });
  }
}

function unmark(control: HTMLElement): void {
  control.removeAttribute("aria-invalid");
  setDescription(control, (ids) => ids.filter((id) => !id.endsWith("-error")));
}

function setDescription(control: HTMLElement, change: (ids: string[]) => string[]): void {
  const present = control.getAttribute("aria-describedby")?.split(" ") ?? [];
  const next = change(present);
  if (next.length === 0) control.removeAttribute("aria-describedby");
  else control.setAttribute("aria-describedby", next.join(" "));
}
