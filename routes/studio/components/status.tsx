/**
 * The status of a document or a job, as a colored word.
 *
 * @module
 */
import type { Status } from "../../../kv/model/entities/document.ts";
import type { JobState } from "../../../kv/jobs/job.ts";

/** The label of a status. */
export const STATUS_LABELS: Readonly<Record<Status, string>> = {
  draft: "Draft",
  published: "Published",
  scheduled: "Scheduled",
  archived: "Archived",
  trashed: "Trash",
};

/** The status of a document. */
export function StatusBadge({ status }: { status: Status }) {
  return <span class={`badge ${status}`} data-status={status}>{STATUS_LABELS[status]}</span>;
}

/** The state of a job. */
export function JobBadge({ state }: { state: JobState }) {
  return <span class={`badge job-${state}`}>{state.charAt(0).toUpperCase() + state.slice(1)}</span>;
}
