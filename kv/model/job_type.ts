/**
 * What jobs there are: the specification's, and those of this service. What each does is in `jobs/kinds.ts`.
 *
 * @module
 */

/** Every type of job. */
export const JOB_TYPES = [
  // The specification's.
  "PUBLISH",
  "UNPUBLISH",
  "SCHEDULE",
  "IMPORT",
  "EXPORT",
  "PRUNE",
  "SWEEP_MEDIA",
  "MIGRATE",
  "RESTORE",
  "INSTALL",
  "SEED",
  "REBUILD_SEARCH",
  // Of this service.
  "REGENERATE",
  "RENDER_SITE",
  "RENDER_REFERRERS",
  "COMPACT_INDEX",
  "COMPACT_SEARCH",
  "COMPACT_TIMELINE",
  "SEND_MAIL",
  "RESERVE_UNIQUE",
  "TIDY_JOBS",
  "FLUSH_EDITS",
  "CALL_PLUGIN",
] as const;

/** The type of a job. */
export type JobType = typeof JOB_TYPES[number];

/** Every state of a job: `waiting` is due later, `failed` has given up and may be retried. */
export const JOB_STATES = ["queued", "running", "waiting", "done", "failed"] as const;

/** The state of a job. */
export type JobState = typeof JOB_STATES[number];

/** Whether `text` names a type of job. */
export function isJobType(text: string): text is JobType {
  return (JOB_TYPES as readonly string[]).includes(text);
}

/** Whether `text` names a state of a job. */
export function isJobState(text: string): text is JobState {
  return (JOB_STATES as readonly string[]).includes(text);
}
