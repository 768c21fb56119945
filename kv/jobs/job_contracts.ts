/**
 * Every kind of job on one page: the specification's first, in its order, then those of this service.
 * What each does is in `jobs/`, where a type without a kind does not compile.
 *
 * @module
 */
import { z } from "zod";
import { contract, type JobContract } from "./job_contract.ts";
import * as payloads from "./payloads.ts";
import * as results from "./results.ts";

/** Runs of REGENERATE that are kept for display, with the purges that they sent to caches. */
const REGENERATE_RUNS_KEPT = 20;

/** The contracts by type. */
export const JOBS = {
  PUBLISH: contract({
    class: "bulk",
    payload: payloads.Publication,
    steps: {
      verify: results.Version.or(results.Note),
      render: results.Changed.or(results.Note),
      listings: results.Tags,
      search: results.Searchable.or(results.Note),
      plugins: z.json(),
      purge: results.Purged,
      aggregates: results.StartedJob,
    },
  }),
  UNPUBLISH: contract({
    class: "bulk",
    payload: payloads.Publication,
    steps: {
      remove: results.Note,
      listings: results.Tags,
      plugins: z.json(),
      purge: results.Purged,
      aggregates: results.StartedJob,
    },
  }),
  SCHEDULE: contract({
    class: "scheduled",
    payload: payloads.Schedule,
    steps: { publish: z.object({ jobId: z.string().nullable() }).or(results.Note) },
  }),
  RELEASE: contract({
    class: "scheduled",
    payload: payloads.Release,
    steps: {
      check: results.Note.or(results.Documents),
      documents: z.object({ refused: z.string().nullable() }),
      undo: null,
      finish: results.Released.or(results.Note),
    },
  }),
  IMPORT: contract({
    class: "interactive",
    payload: payloads.ImportRequest,
    steps: {
      validate: z.object({ rows: z.number(), chunks: z.record(z.string(), z.number()) }),
      lock: null,
      edits: null,
      backup: z.object({ exportId: z.string() }),
      bytes: z.object({
        restored: z.number(),
        missing: z.number(),
        named: z.array(z.string()),
      }),
      replay: z.object({ units: z.number() }),
      unlock: null,
      strays: null,
      render: null,
      schedules: null,
      rebuild: results.Documents,
      pages: z.object({ rendered: z.boolean() }),
      clean: null,
    },
  }),
  EXPORT: contract({
    class: "idle",
    payload: payloads.ExportRequest,
    cancellable: true,
    steps: {
      write: z.object({ exportId: z.string(), bytes: z.number(), rows: z.number() }),
      retention: results.Removed,
    },
  }),
  PRUNE: contract({
    class: "idle",
    payload: payloads.NoPayload,
    cancellable: true,
    steps: { prune: results.Removed, strays: results.Removed },
  }),
  SWEEP_MEDIA: contract({
    class: "idle",
    payload: payloads.NoPayload,
    cancellable: true,
    steps: { sweep: results.Removed },
  }),
  MIGRATE: contract({
    class: "interactive",
    payload: payloads.FieldChange,
    steps: {
      documents: z.object({
        documents: z.number(),
        failed: z.number(),
        lost: z.array(z.json()),
        lostUrl: z.string().optional(),
        unique: z.boolean(),
      }).or(results.Note),
      definition: results.Note,
      unique: z.object({ unique: z.boolean(), note: z.string().optional() }).optional(),
    },
  }),
  RESTORE: contract({
    class: "interactive",
    payload: payloads.Restore,
    steps: {
      check: z.record(z.string(), z.number()),
      schema: results.Restored,
      access: results.Restored,
      settings: results.Restored,
      tokens: results.Restored,
      media: results.Restored,
      documents: results.Restored,
      removals: results.Restored,
      finish: z.object({ undoneBy: z.number() }),
    },
  }),
  INSTALL: contract({
    class: "interactive",
    payload: payloads.InstallRequest,
    cancellable: true,
    steps: {
      download: z.object({ bytes: z.number() }).optional(),
      check: z.object({ reasons: z.array(z.string()) }),
      install: results.Installed,
      clean: null,
    },
  }),
  TRANSFER: contract({
    class: "bulk",
    payload: payloads.Transfer,
    steps: {
      analyse: results.Analysed.or(results.Note),
      schema: results.Note,
      media: results.Note,
      documents: results.Note,
      references: results.Note,
      publish: results.Note,
      settings: results.Note,
      redirects: results.Note,
      undo: results.Undone.optional(),
      finish: results.Transferred.optional(),
    },
  }),
  TRANSFER_EXPORT: contract({
    class: "bulk",
    payload: payloads.TransferExport,
    cancellable: true,
    steps: { write: results.TransferExported },
  }),
  TRANSLATION_EXPORT: contract({
    class: "bulk",
    payload: payloads.TranslationExport,
    cancellable: true,
    steps: { write: results.TransferExported },
  }),
  TRANSLATION_IMPORT: contract({
    class: "bulk",
    payload: payloads.TranslationImport,
    cancellable: true,
    steps: { write: results.TranslationsImported },
  }),
  SEED: contract({
    class: "interactive",
    payload: payloads.Seed,
    cancellable: true,
    steps: {
      schema: z.object({ collections: z.array(z.string()) }),
      media: null,
      documents: results.Documents,
    },
  }),
  REBUILD_SEARCH: contract({
    class: "bulk",
    payload: payloads.RebuildSearch,
    cancellable: true,
    steps: {
      check: results.Note,
      count: z.number(),
      rebuild: results.Documents,
      languages: results.Documents,
    },
  }),
  REGENERATE: contract({
    class: "bulk",
    runsKept: REGENERATE_RUNS_KEPT,
    payload: payloads.NoPayload,
    steps: {
      site: results.Changed.extend({ restyled: z.boolean() }),
      assets: results.Changed,
      purge: results.Purged,
    },
  }),
  RENDER_SITE: contract({
    class: "bulk",
    payload: payloads.NoPayload,
    cancellable: true,
    steps: {
      documents: results.Documents,
      tags: null,
      surplus: null,
      aggregates: results.StartedJob,
      purge: results.Purged,
    },
  }),
  // Added by earlier releases only.
  RENDER_LISTINGS: contract({
    class: "bulk",
    payload: payloads.NoPayload,
    steps: { pages: results.ListingPages },
  }),
  RENDER_TAGS: contract({
    class: "bulk",
    payload: payloads.RenderTags,
    steps: { pages: results.ListingPages },
  }),
  COMPARE_SITE: contract({
    class: "idle",
    payload: payloads.NoPayload,
    cancellable: true,
    steps: { events: results.Purged, tags: null, aggregates: results.StartedJob },
  }),
  RENDER_REFERRERS: contract({
    class: "bulk",
    payload: payloads.RenderReferrers,
    steps: { pages: results.ListingPages, lists: null },
  }),
  COMPACT_INDEX: contract({
    class: "bulk",
    payload: payloads.CompactIndex,
    steps: { compact: results.Portions },
  }),
  COMPACT_SEARCH: contract({
    class: "bulk",
    payload: payloads.NoPayload,
    steps: { compact: results.Portions },
  }),
  COMPACT_TIMELINE: contract({
    class: "bulk",
    payload: payloads.NoPayload,
    steps: { compact: results.Portions },
  }),
  COMPACT_CHANGES: contract({
    class: "bulk",
    payload: payloads.NoPayload,
    steps: { compact: results.Portions, trim: results.Removed },
  }),
  SEND_MAIL: contract({
    class: "outbound",
    payload: z.union([
      payloads.AccountMail,
      payloads.PluginMail,
      payloads.EditorialMail,
      payloads.DigestMail,
    ]),
    cancellable: true,
    steps: { send: results.Sent },
  }),
  RESERVE_UNIQUE: contract({
    class: "interactive",
    payload: payloads.FieldChange,
    steps: { wipe: null, reserve: results.Documents, finish: null },
  }),
  TIDY_JOBS: contract({
    class: "idle",
    payload: payloads.NoPayload,
    steps: { forget: z.object({ forgotten: z.number() }), forgetEdits: null },
  }),
  FLUSH_EDITS: contract({
    class: "scheduled",
    payload: payloads.FlushEdits,
    steps: { flush: z.object({ seq: z.number(), versionNumber: z.number() }).nullish() },
  }),
  FAN_OUT_WEBHOOKS: contract({
    class: "scheduled",
    payload: payloads.NoPayload,
    steps: { fanOut: results.Portions },
  }),
  DELIVER: contract({
    class: "outbound",
    payload: payloads.DeliveryQueue,
    steps: { send: null },
  }),
  SCHEMA: contract({
    class: "interactive",
    payload: payloads.SchemaPushRequest,
    steps: {
      definitions: z.object({ changes: z.number() }),
      conversions: null,
      migrations: null,
      record: z.object({ etag: z.string() }),
    },
  }),
  REPLAY_WEBHOOK: contract({
    class: "interactive",
    payload: payloads.ReplayWebhook,
    cancellable: true,
    steps: { replay: z.object({ messages: z.number() }) },
  }),
} as const satisfies Record<string, JobContract>;

/** The type of a job. */
export type JobType = keyof typeof JOBS;

/** Every type of job. */
export const JOB_TYPES = Object.keys(JOBS) as JobType[];

/** The payload of a type of job. */
export type JobPayload<T extends JobType> = z.infer<typeof JOBS[T]["payload"]>;

/** A payload as callers give it: properties with defaults may be omitted. */
export type JobPayloadInput<T extends JobType> = z.input<typeof JOBS[T]["payload"]>;

/** The name of a step of a type. */
export type JobStep<T extends JobType> = Extract<keyof typeof JOBS[T]["steps"], string>;

/** The result of a step. */
export type StepResult<T extends JobType, S extends JobStep<T>> = typeof JOBS[T]["steps"][S] extends
  infer R extends z.ZodType ? z.infer<R> : undefined;

/** The results of the finished steps of a job. */
export type JobResults<T extends JobType> = { readonly [S in JobStep<T>]?: StepResult<T, S> };

/** Whether `text` names a type of job. */
export function isJobType(text: string): text is JobType {
  return Object.hasOwn(JOBS, text);
}
