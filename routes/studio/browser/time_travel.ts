/**
 * Runs in the browser. Time travel: the slider shows its moment and loads it when released, and a restore asks
 * for the title of the site.
 *
 * @module
 */
import { call, type JobStarted } from "./page/call.ts";
import { dataOf, get } from "./page/elements.ts";
import { toast } from "./page/toast.ts";

/** Keys move the slider step by step; the moment is loaded after this pause, milliseconds. */
const STILL_MS = 700;

/** Makes the page's slider and confirmation work. */
export function startTimeTravel(root: HTMLElement): void {
  startSlider(get<HTMLFormElement>(root, "[data-slider]"), dataOf(root, "zone"));
  const restore = root.querySelector<HTMLFormElement>("[data-restore-form]");
  if (restore !== null) startRestore(restore);
}

function startSlider(form: HTMLFormElement, timeZone: string): void {
  const slider = get<HTMLInputElement>(form, "input[type=range]");
  const words = get(form, "[data-slider-words]");
  const format = new Intl.DateTimeFormat("en-GB", {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  let still: ReturnType<typeof setTimeout> | undefined;
  slider.addEventListener("input", () => {
    const text = format.format(Number(slider.value) * 1000);
    words.textContent = text;
    slider.setAttribute("aria-valuetext", text);
    clearTimeout(still);
  });
  slider.addEventListener("change", () => {
    clearTimeout(still);
    still = setTimeout(() => form.requestSubmit(), STILL_MS);
  });
}

function startRestore(form: HTMLFormElement): void {
  const button = get<HTMLButtonElement>(form, "button");
  get<HTMLInputElement>(form, "#typed").addEventListener("input", (event) => {
    const { value } = event.target as HTMLInputElement;
    button.disabled = value.trim() !== form.dataset.title;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.disabled) return;
    button.disabled = true;
    const timestamp = Number(form.dataset.at);
    const reply = await call<JobStarted>("POST", "/api/admin/restore", {
      body: { timestamp, keepRevoked: get<HTMLInputElement>(form, "#keep-revoked").checked },
    });
    if (reply.ok) return location.assign(`/admin/jobs/${reply.body.jobId}`);
    toast(reply.message, { bad: true });
    button.disabled = false;
  });
}
