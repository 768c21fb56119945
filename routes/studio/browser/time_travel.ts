/**
 * Runs in the browser. Time travel: an instant from a clock, and a typed confirmation.
 *
 * @module
 */
import { call } from "./call.ts";
import { fillDates } from "./document/dates.ts";
import { get } from "./elements.ts";
import { toast } from "./toast.ts";

/** Makes the page's two forms work. */
export function startTimeTravel(root: HTMLElement): void {
  fillDates(root);
  const form = get<HTMLFormElement>(root, "[data-instant-form]");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const at = Math.floor(new Date(get<HTMLInputElement>(form, "input").value).getTime() / 1000);
    if (at > Number(root.dataset.now)) toast("That is in the future.", { bad: true });
    else location.assign(`/admin/time-travel?at=${at}`);
  });
  const restore = root.querySelector<HTMLFormElement>("[data-restore-form]");
  if (restore === null) return;
  const button = get<HTMLButtonElement>(restore, "button");
  get<HTMLInputElement>(restore, "#typed").addEventListener("input", (event) => {
    const { value } = event.target as HTMLInputElement;
    button.disabled = value.trim() !== restore.dataset.title;
  });
  restore.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    const timestamp = Number(restore.dataset.at);
    const reply = await call("POST", "/api/admin/restore", { body: { timestamp } });
    if (reply.ok) return location.assign(`/admin/jobs/${reply.body.jobId}`);
    toast(reply.message, { bad: true });
    button.disabled = false;
  });
}
