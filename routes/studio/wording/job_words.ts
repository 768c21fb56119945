/**
 * Jobs and their steps, as people read them.
 *
 * @module
 */
import { isJobType, type JobType } from "../../../kv/jobs/job_contracts.ts";
import { capitalized } from "./words.ts";

/** What each type of job is called where its own name would not say it. */
const TYPES: Partial<Record<JobType, string>> = {
  SCHEDULE: "Scheduled publishing",
  IMPORT: "Restore a backup",
  EXPORT: "Backup",
  PRUNE: "Clean up old versions",
  SWEEP_MEDIA: "Remove deleted files",
  MIGRATE: "Convert a field",
  RESTORE: "Restore the site",
  INSTALL: "Install a package",
  SEED: "Add the example site",
  REBUILD_SEARCH: "Rebuild the search index",
  REGENERATE: "Rebuild listings and feeds",
  RENDER_SITE: "Rebuild all pages",
  RENDER_LISTINGS: "Rebuild changed listings",
  RENDER_TAGS: "Rebuild tag pages",
  COMPARE_SITE: "Check the site's pages",
  RENDER_REFERRERS: "Rebuild pages that refer to this",
  COMPACT_INDEX: "Clean up lists",
  COMPACT_SEARCH: "Clean up search",
  COMPACT_TIMELINE: "Clean up history",
  COMPACT_CHANGES: "Clean up the change log",
  RESERVE_UNIQUE: "Make a field unique",
  FAN_OUT_WEBHOOKS: "Queue webhook messages",
  DELIVER: "Send webhook or plugin messages",
  REPLAY_WEBHOOK: "Replay a webhook",
  RELEASE: "Publish or revert a release",
  TIDY_JOBS: "Clean up jobs",
  FLUSH_EDITS: "Save live edits",
};

/** The steps of a restore of the site, in order. */
export const RESTORE_STEPS: readonly (readonly [name: string, words: string])[] = [
  ["check", "Check what to restore"],
  ["schema", "Collections, fields and blocks"],
  ["access", "Users and roles"],
  ["settings", "Settings, themes and plugins"],
  ["tokens", "API tokens"],
  ["media", "Media"],
  ["documents", "Documents"],
  ["removals", "Documents created since then"],
  ["finish", "Rebuild all pages"],
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
