/**
 * Names of jobs and their steps for people.
 *
 * @module
 */
import { isJobType, type JobType } from "../../../kv/jobs/job_contracts.ts";
import { capitalized } from "./words.ts";

/** Names of job types that differ from the type itself. */
const TYPES: Partial<Record<JobType, string>> = {
  SCHEDULE: "Scheduled publishing",
  IMPORT: "Restore a backup",
  EXPORT: "Backup",
  PRUNE: "Clean up old versions",
  SWEEP_MEDIA: "Remove deleted files",
  MIGRATE: "Convert a field",
  SCHEMA: "Change the schema",
  RESTORE: "Restore the site",
  INSTALL: "Install a package",
  TRANSFER: "Transfer content",
  TRANSFER_EXPORT: "Export for another system",
  TRANSLATION_EXPORT: "Export of translations",
  TRANSLATION_IMPORT: "Import of translations",
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

/** A duration in seconds or more. */
export function durationOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds < 120) return `${seconds} ${seconds === 1 ? "second" : "seconds"}`;
  return lengthOf(milliseconds);
}

/** A duration in minutes or more, for sentences. */
export function lengthOf(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
}

/** Stored summaries of versions whose wording is older than that of the interface. */
const SUMMARIES: Readonly<Record<string, string>> = {
  "Edited live": "Edited",
  "Working copy changed": "Edited",
  Untrashed: "Restored from the trash",
  "Schedule cancelled": "Schedule removed",
  "Removed from the trash": "Deleted permanently",
  "Review asked for": "Review requested",
  "Review returned": "Changes requested",
  "Comment written": "Comment added",
  "Comment removed": "Comment deleted",
  "Publication begun": "Publishing started",
  "Reversal begun": "Revert started",
  "password changed": "Password changed",
  replaced: "File replaced",
  deleted: "Moved to the trash",
  undeleted: "Restored from the trash",
};

/** The summary of a version; the type of the job that made it only if the summary says nothing else. */
export function versionNote(summary: string): string {
  const [, job, words] = /^([A-Z_]+)(?:: (.+))?$/s.exec(summary) ?? [];
  return job === undefined || !isJobType(job) ? summary : words ?? typeName(job);
}

/** A summary in the words of the interface. */
export function summaryText(summary: string): string {
  const note = versionNote(summary);
  return SUMMARIES[note] ?? note;
}
