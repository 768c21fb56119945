/**
 * EXPORT: writes a backup of the whole site as of one instant, and deletes the oldest backups.
 *
 * @module
 */
import { pruneExports, stageExport } from "../../kv/backup/exports.ts";
import { type BackupPosition, sectionsRead, writeBackup } from "../../kv/backup/write_backup.ts";
import { removeParts } from "../../kv/backup/backup_parts.ts";
import { findImport } from "../../kv/versioning/import_lock.ts";
import type { Settings } from "../../kv/sources/settings.ts";
import { again, type JobKind, jobKind, next, type Outcome, waitUntil } from "../runner/job_kind.ts";

/** When to look again whether an import has ended, milliseconds. */
const POLL_INTERVAL_MS = 30_000;

/** The kind of job that creates backups. */
export function exportKind(settings: Settings): JobKind<"EXPORT"> {
  return jobKind("EXPORT", {
    async write({ context, jobId, payload, cursor, operation, signal }) {
      // While an import is under way the site is neither the one nor the other.
      if (await findImport(context) !== null) return waitUntil(context.now() + POLL_INTERVAL_MS);
      const written = await writeBackup(context, operation, jobId, cursor, { ...payload, signal });
      if (!written.isDone) return continueBackup(written.place);
      const { manifest, bytes } = written;
      const rows = rowsOf(manifest.tables);
      const { createdAt } = manifest;
      stageExport(operation, { id: jobId, createdAt, bytes, rows, ...payload });
      return next({ exportId: jobId, bytes, rows });
    },
    async retention({ context, jobId }) {
      await removeParts(context, jobId);
      return next({ removed: await pruneExports(context, await settings.get("exports.keep")) });
    },
  });
}

/** Continues a backup, in this step or, after a crash, in one of another process. */
export function continueBackup(
  position: BackupPosition | null,
): Outcome<never, BackupPosition | null> {
  return again(position, sectionsRead(position));
}

/** Rows of all tables together. */
export function rowsOf(tables: Record<string, { rows: number } | undefined>): number {
  return Object.values(tables).reduce((sum, table) => sum + (table?.rows ?? 0), 0);
}
