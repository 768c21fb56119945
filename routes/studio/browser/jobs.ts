/**
 * Runs in the browser. Looks after jobs that are under way: their pages are drawn again when something
 * has happened.
 *
 * @module
 */
import { call } from "./call.ts";
import { get } from "./elements.ts";

const LOOK_MS = 1_000;
const LIST_LOOK_MS = 5_000;

/** A job's page: reloaded at every step, until it is finished. */
export function startJob(element: HTMLElement): void {
  const { job, state, step } = element.dataset;
  if (state === "done" || state === "failed") return;
  const look = async () => {
    const reply = await call("GET", `/api/admin/jobs/${job}`);
    if (reply.ok && (reply.body.state !== state || (reply.body.step ?? "") !== step)) {
      return location.reload();
    }
    if (reply.ok) showProgress(element, reply.body.progress);
    setTimeout(() => void look(), LOOK_MS);
  };
  setTimeout(() => void look(), LOOK_MS);
}

function showProgress(element: HTMLElement, progress: { done: number; total: number }): void {
  const bar = element.querySelector("progress");
  const text = element.querySelector("[data-progress]");
  if (bar === null || text === null) return;
  bar.max = progress.total;
  bar.value = progress.done;
  text.textContent = `${progress.done} of ${progress.total}`;
}

/** The list of jobs: drawn again while some are under way and nobody works on the page. */
export function startJobList(element: HTMLElement): void {
  element.querySelector<HTMLSelectElement>("[data-submits]")?.addEventListener(
    "change",
    (event) => {
      (event.target as HTMLSelectElement).form!.submit();
    },
  );
  if (element.dataset.waits !== "true") return;
  setTimeout(() => {
    if (document.visibilityState === "visible" && document.activeElement === document.body) {
      location.reload();
    } else startJobList(element);
  }, LIST_LOOK_MS);
}

/** The overview's warning about jobs that have given up. */
export async function showFailedJobs(alert: HTMLElement): Promise<void> {
  const reply = await call("GET", "/api/admin/jobs?state=failed&perPage=1");
  const total: number = reply.body?.meta?.total ?? 0;
  if (total === 0) return;
  const { type, error } = reply.body.data[0];
  const what = total === 1 ? "A job has failed." : `${total} jobs have failed.`;
  get(alert, "[data-words]").textContent = `${what} ${type}: ${error ?? "no reason given"}`;
  alert.hidden = false;
}
