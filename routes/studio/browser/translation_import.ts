/**
 * Runs in the browser. Uploads translations and opens the page of the job that imports them.
 *
 * @module
 */
import type { call, JobStarted } from "./page/call.ts";
import type { dataOf, get } from "./page/elements.ts";

/** What the page has loaded already. */
export interface ImportTools {
  call: typeof call;
  dataOf: typeof dataOf;
  get: typeof get;
}

/** Makes the form send its file. */
export function startTranslationImport(
  { call, dataOf, get }: ImportTools,
  form: HTMLElement,
): void {
  const input = get<HTMLInputElement>(form, "input[type=file]");
  const force = get<HTMLInputElement>(form, "input[name=force]");
  const button = get<HTMLButtonElement>(form, "button[type=submit]");
  const failure = get(form, "[data-failure]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const file = input.files?.[0];
    if (file === undefined) return;
    failure.hidden = true;
    button.disabled = true;
    const isArchive = /\.zip$/i.test(file.name);
    const headers = { "content-type": isArchive ? "application/zip" : "application/xliff+xml" };
    const path = `/api/admin/translations/import?force=${force.checked}`;
    const reply = await call<JobStarted>("POST", path, { headers, body: file });
    if (reply.ok) {
      return location.assign(dataOf(form, "after").replace("{jobId}", reply.body.jobId));
    }
    button.disabled = false;
    failure.textContent = reply.message;
    failure.hidden = false;
  });
}
