/**
 * Runs in the browser. Follows running jobs: their pages show each step as it happens and are reloaded at the
 * end.
 *
 * @module
 */
import { call } from "./page/call.ts";
import { all, dataOf } from "./page/elements.ts";
import type { JobWire } from "../../../kv/jobs/job.ts";

const POLL_MS = 700;
const LIST_POLL_MS = 5_000;

/** A job's page, until it is finished. */
export function startJob(element: HTMLElement): void {
  const { job, state } = element.dataset;
  if (state === "done" || state === "failed") return;
  let { step = "" } = element.dataset;
  const look = async () => {
    const reply = await call<JobWire>("GET", `/api/admin/jobs/${job}`);
    if (reply.ok) {
      const seen = reply.body;
      if (seen.state !== state) return location.reload();
      // If the steps are not known in advance, the server renders a new one.
      if ((seen.step ?? "") !== step && !showSteps(element, seen)) return location.reload();
      step = seen.step ?? "";
      showProgress(element, seen.progress);
    }
    setTimeout(() => void look(), POLL_MS);
  };
  setTimeout(() => void look(), POLL_MS);
}

function showSteps(element: HTMLElement, { step, result }: JobWire): boolean {
  const shown = all(element, "[data-step-name]");
  if (!shown.some((line) => line.dataset.stepName === step)) return false;
  for (const line of shown) {
    const name = dataOf(line, "stepName");
    line.classList.toggle("done", name in result);
    line.classList.toggle("now", name === step);
    if (name === step) line.setAttribute("aria-current", "step");
    else line.removeAttribute("aria-current");
  }
  return true;
}

function showProgress(element: HTMLElement, progress: { done: number; total: number }): void {
  const bar = element.querySelector("progress");
  const text = element.querySelector("[data-progress]");
  if (bar === null || text === null || progress.total === 0) return;
  bar.max = progress.total;
  bar.value = progress.done;
  text.textContent = `${progress.done} of ${progress.total}`;
}

/** The list of jobs, refreshed while jobs are running and the user is not interacting with it. */
export function startJobList(element: HTMLElement): void {
  element.querySelector<HTMLSelectElement>("[data-submits]")?.addEventListener(
    "change",
    (event) => {
      (event.target as HTMLSelectElement).form?.submit();
    },
  );
  if (element.dataset.waits !== "true") return;
  setTimeout(() => {
    if (document.visibilityState === "visible" && document.activeElement === document.body) {
      location.reload();
    } else startJobList(element);
  }, LIST_POLL_MS);
}
