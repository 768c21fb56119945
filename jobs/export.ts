/**
 * EXPORT: writes a back-up of the whole site as it was at one instant, and lets go of the oldest ones.
 *
 * @module
 */
import { pruneExports, stageExport } from "../kv/backup/exports.ts";
import { writeBackup } from "../kv/backup/write_backup.ts";
import { findImport } from "../kv/backup/import_lock.ts";
import type { Settings } from "../kv/site/settings.ts";
import { type JobKind, jobKind, next, waitUntil } from "./runner/job_kind.ts";

/** When to look again whether an import has ended, milliseconds. */
const LOOK_AGAIN_MS = 30_000;

/** The kind of job that makes back-ups. */
export function exportKind(settings: Settings): JobKind<"EXPORT"> {
  return jobKind("EXPORT", {
    async write({ context, jobId, payload, operation, signal }) {
      // While an import is under way the site is neither the one nor the other.
      if (await findImport(context) !== null) return waitUntil(context.now() + LOOK_AGAIN_MS);
      const { manifest, bytes } = await writeBackup(context, jobId, { ...payload, signal });
      const rows = rowsOf(manifest.tables);
      const { createdAt } = manifest;
      stageExport(operation, { id: jobId, createdAt, bytes, rows, ...payload });
      return next({ exportId: jobId, bytes, rows }, { done: rows, total: rows });
    },
    async retention({ context }) {
      return next({ removed: await pruneExports(context, await settings.get("exports.keep")) });
    },
  });
}

/** Rows of all tables together. */
export function rowsOf(tables: Record<string, { rows: number } | undefined>): number {
  return Object.values(tables).reduce((sum, table) => sum + (table?.rows ?? 0), 0);
}
