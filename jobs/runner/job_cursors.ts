/**
 * The cursors of steps that work in portions or wait, by type of job and step: a part of the contracts that only
 * the compiler reads. A cursor is stored between two runs of its step, so a change must still accept those that
 * earlier releases have stored.
 *
 * @module
 */
import type { BackupPosition } from "../../kv/backup/write_backup.ts";
import type { WalkPosition } from "../../kv/documents/document_walk.ts";
import type { RestoreCounts } from "../../kv/history/site_restore/restore_run.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import type { LostValue } from "../../kv/schema/lost_values.ts";
import type { StrayCursor } from "../../kv/site/stray_rows.ts";
import type { Undone } from "../../kv/jobs/results.ts";
import type { JobStep, JobType } from "../../kv/jobs/job_contracts.ts";

/** The cursor of each step that has one, without null, the cursor of a step that starts. */
type JobCursors = KnownSteps<{
  /** The number of languages' postings recorded. */
  PUBLISH: { search: number };
  UNPUBLISH: { listings: number };
  SCHEDULE: { publish: WaitCursor };
  IMPORT: {
    backup: BackupPosition;
    /** For each lane of a stage, its unit and the position in that unit. */
    replay: { stage: number; lanes: { unit: number; at: Json }[] };
    /** The last path and the last ID examined; null after the end. */
    strays: { areIndexesLeft: boolean; pagesAfter: string | null; linesAfter: string | null };
    /** The offset in the list of scheduled documents. */
    schedules: number;
    /** The number of documents indexed so far. */
    rebuild: number;
    pages: WaitCursor;
  };
  EXPORT: { write: BackupPosition };
  PRUNE: { prune: PruneCursor; strays: StrayCursor };
  SWEEP_MEDIA: { sweep: { place: SweepPlace; removed: number } };
  MIGRATE: {
    documents: { after: WalkPosition; done: number; failed: number; lost: LostValue[] };
  };
  RESTORE: {
    tokens: RestoreCursor;
    media: RestoreCursor;
    documents: RestoreCursor;
    removals: RestoreCursor;
  };
  TRANSFER: {
    media: TransferCursor;
    documents: TransferCursor;
    references: TransferCursor;
    publish: TransferCursor;
    redirects: TransferCursor;
    undo: UndoCursor;
  };
  SEED: {
    /** The index of the next picture. */
    media: number;
    /** The index of the next document, and the number of documents created. */
    documents: { place: number; made: number };
  };
  REBUILD_SEARCH: {
    /** The ID of the rebuild. */
    rebuild: string;
    languages: string;
  };
  REGENERATE: {
    /** True after a portion of the noted changes. */
    site: true;
    /** The index of the next file. */
    assets: number;
  };
  RENDER_SITE: {
    documents: { after: string; done: number };
    tags: TagCursor;
    /** The last path examined. */
    surplus: string;
  };
  RENDER_TAGS: {
    /** The number of pages changed so far. */
    pages: number;
  };
  COMPARE_SITE: { tags: TagCursor };
  RENDER_REFERRERS: {
    /** The document of the last page, and the documents whose tags are still to be purged. */
    pages: { after: string; changed: string[]; done: number };
    /** The last document examined. */
    lists: string;
  };
  COMPACT_INDEX: { compact: CompactionPosition | PortionCount };
  COMPACT_SEARCH: { compact: PortionCount };
  COMPACT_TIMELINE: {
    /** The index of the current entity type. */
    compact: { type: number; pieces: number };
  };
  COMPACT_CHANGES: {
    compact: PortionCount;
    /** The number of entries removed so far. */
    trim: number;
  };
  SEND_MAIL: {
    /** The ID of the last recipient. */
    send: string;
  };
  RESERVE_UNIQUE: { reserve: { after: WalkPosition; done: number } };
  TIDY_JOBS: {
    forget: { before: string; finished: number; forgotten: number };
    /** The document at which the next portion starts. */
    forgetEdits: string;
  };
  FLUSH_EDITS: {
    /** The sequence number of the last edit at the first look. */
    flush: number;
  };
  FAN_OUT_WEBHOOKS: { fanOut: PortionCount };
  /** The job of the conversion that is waited for; empty for none. */
  SCHEMA: {
    conversions: string;
    /** The file that is running, the index of its step, and the position among the documents. */
    migrations: { path: string; step: number; after: WalkPosition };
  };
  REPLAY_WEBHOOK: {
    replay: {
      position: { stamp: string; id: string; n: number };
      upTo: string;
      messages: number;
    };
  };
}>;

/** Refuses the cursor of a type or step that no contract names. */
type KnownSteps<
  C extends {
    [T in keyof C]: T extends JobType ? { [S in keyof C[T]]: S extends JobStep<T> ? Json : never }
      : never;
  },
> = C;

/** The number of portions done. */
type PortionCount = number;

/** The number of pieces done, and the epoch whose delta rows are left to the next run. */
export type CompactionPosition = { pieces: number; endEpoch?: number };

/** When the step started to wait, milliseconds. */
type WaitCursor = { since: number };

/** The current collection, and the last of its tags that was compared. */
type TagCursor = { slug: string; after: string };

/** The position of a sweep. */
type SweepPlace = {
  stage: "media" | "bytes" | "transforms" | "snapshots" | "parts" | "pages" | "packages";
  /** The last ID or object key that was examined. */
  after: string;
};

/** The part of the rows that is next: its kind's place in the plan, and its number. */
type TransferCursor = { collection: number; part: number; done: number };

/** The entities that are next, the last one that was taken back, and what was done so far. */
type UndoCursor = { stage: number; after: string; undone: Undone };

/** The position in the types of a step, and what it has done. */
type RestoreCursor = { position: number; after: string; done: number; counts: RestoreCounts };

/** The position of a prune, and the epoch second of its start. */
type PruneCursor = {
  type: number;
  after: string;
  seen: number;
  removed: number;
  since: number;
  /** The cap on versions applied to each type; null if it has changed during the prune. */
  keep: { [type: string]: number | null };
  /** The versionstamp, at the start, of the record that the previous prune wrote. */
  last: string | null;
};

/**
 * The cursor of a step, without null; `never` for a step that always starts from the beginning. The runner, for
 * which a job is of any type, handles cursors as JSON.
 */
export type CursorOf<T extends JobType, S extends string = JobStep<T>> = JobType extends T ? Json
  : T extends keyof JobCursors ? S extends keyof JobCursors[T] ? JobCursors[T][S] : never
  : never;
