/**
 * Jobs and their steps, as people read them.
 *
 * @module
 */
import { isJobType, type JobType } from "../../../kv/jobs/job_contracts.ts";
import { capitalized } from "./words.ts";

/** What each type of job is called where its own name would not say it. */
const TYPES: Partial<Record<JobType, string>> = {
  SCHEDULE: "Publish at a time",
  IMPORT: "Import of a back-up",
  EXPORT: "Back-up",
  PRUNE: "Prune old versions",
  SWEEP_MEDIA: "Sweep deleted media",
  MIGRATE: "Convert a field",
  RESTORE: "Take the site back",
  INSTALL: "Install a package",
  SEED: "Example site",
  REBUILD_SEARCH: "Rebuild search",
  REGENERATE: "Regenerate listings and feeds",
  RENDER_SITE: "Render every page",
  RENDER_LISTINGS: "Render listings that moved",
  RENDER_TAGS: "Render pages of tags",
  COMPARE_SITE: "Compare the site with its documents",
  RENDER_REFERRERS: "Render pages that reference this",
  COMPACT_INDEX: "Tidy lists",
  COMPACT_SEARCH: "Tidy search",
  COMPACT_TIMELINE: "Tidy history",
  COMPACT_CHANGES: "Tidy the change log",
  RESERVE_UNIQUE: "Make a field unique",
  FAN_OUT_WEBHOOKS: "Queue messages for webhooks",
  DELIVER: "Send messages to a webhook or plugin",
  REPLAY_WEBHOOK: "Tell a webhook again",
  RELEASE: "Publish or revert a release",
  TIDY_JOBS: "Tidy jobs",
  FLUSH_EDITS: "Save live edits",
};

/** The steps of a restore of the site, in order. */
export const RESTORE_STEPS: readonly (readonly [name: string, words: string])[] = [
  ["check", "Look at what there is to do"],
  ["schema", "Collections, fields and blocks"],
  ["access", "Users and roles"],
  ["settings", "Settings, themes and plugins"],
  ["tokens", "API tokens"],
  ["media", "Media"],
  ["documents", "Documents"],
  ["removals", "Documents that have come since"],
  ["finish", "Have every page rendered"],
];

/** `REBUILD_SEARCH` as people read it. */
export function typeName(type: JobType): string {
  return TYPES[type] ?? capitalized(type.toLowerCase());
}

/** `pickTheme` as people read it. */
export function stepName(type: JobType, step: string): string {
  const known = type === "RESTORE" ? RESTORE_STEPS.find(([name]) => name === step) : undefined;
  return known?.[1] ?? capitalized(step);
}

/** A length of time, short ones too. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 120) return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return lengthOf(milliseconds);
}

/** A length of time, for sentences. */
export function lengthOf(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** What a version says of itself, as people read it: the type of the job that made it only where that is all. */
export function versionNote(summary: string): string {
  const [, job, words] = /^([A-Z_]+)(?:: (.+))?$/s.exec(summary) ?? [];
  return job === undefined || !isJobType(job) ? summary : words ?? typeName(job);
}
