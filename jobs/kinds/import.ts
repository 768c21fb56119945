/**
 * IMPORT: replaces the site by a backup. The tarball is checked whole before anything changes;
 * the current state is backed up; then the tables are replayed, chunk after chunk, what they do not hold
 * goes, and everything derived from them is rebuilt. Writes of entities are refused during the import.
 *
 * @module
 */
import { noticeAccounts, recordAccounts } from "../../kv/backup/account_record.ts";
import { removeParts } from "../../kv/backup/backup_parts.ts";
import { checkBackup } from "../../kv/backup/check_backup.ts";
import { stageExport } from "../../kv/backup/exports.ts";
import { restoreBytes } from "../../kv/backup/restore_bytes.ts";
import type { HeldLock } from "../../kv/backup/replay.ts";
import { ChunkWriter, removeImport, removeOldImports } from "../../kv/backup/row_chunks.ts";
import { writeBackup } from "../../kv/backup/write_backup.ts";
import type { Context } from "../../kv/context.ts";
import { discardAllEdits, settleAllEdits } from "../../kv/live/settle_edits.ts";
import { heldSince, stageLock, stageUnlock } from "../../kv/versioning/import_lock.ts";
import { isSweeping } from "../../kv/media/sweep_lease.ts";
import { importPath } from "../../kv/objects/paths.ts";
import { allSettledOrThrow } from "../../kv/store/concurrency.ts";
import { continueBackup, rowsOf } from "./export.ts";
import { afterImportSteps } from "./import_afterwards.ts";
import { beginning, carryOut, countDone, countUnits } from "./import_plan.ts";
import {
  again,
  JobFailure,
  type JobKind,
  jobKind,
  next,
  nextUncommitted,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";
import type { Publishing } from "../publishing/publishing.ts";

/** When to look again whether another import has ended, milliseconds. */
const POLL_INTERVAL_MS = 10_000;
/** Failures of a tarball that a job tells. */
const ERRORS_REPORTED = 5;

/** The kind of job that replaces the site by a backup. */
export function importKind(publishing: Publishing): JobKind<"IMPORT"> {
  return jobKind("IMPORT", {
    validate,
    lock: async ({ context, jobId, operation }) => {
      const settled = settleAllEdits(publishing.content);
      const [isTaken] = await allSettledOrThrow([stageLock(context, operation, jobId), settled]);
      return isTaken ? next() : waitUntil(context.now() + POLL_INTERVAL_MS);
    },
    edits: async (work) => {
      const discarded = heldLock(work).then(() => discardAllEdits(publishing.content));
      const [isSwept] = await allSettledOrThrow([isSweeping(work.context), discarded]);
      // It may remove objects that the backup names.
      return isSwept ? waitUntil(work.context.now() + POLL_INTERVAL_MS) : nextUncommitted();
    },
    backup,
    bytes: async (work) => {
      await heldLock(work);
      const { context, payload: { importId } } = work;
      const [restored] = await Promise.all([
        restoreBytes(context, importId),
        recordAccounts(context, importId),
      ]);
      return nextUncommitted(restored);
    },
    replay,
    unlock: async (work) => {
      await noticeAccounts(work.context, heldLock(work), work.payload.importId);
      stageUnlock(work.operation);
      return next();
    },
    ...afterImportSteps(publishing),
    async clean({ context, jobId, payload }) {
      await removeParts(context, jobId);
      await removeImport(context, payload.importId);
      await removeOldImports(context);
      return next();
    },
  });
}

async function validate(work: Work<"IMPORT">): Promise<OutcomeOf<"IMPORT", "validate">> {
  const { context, payload, signal } = work;
  const packed = await context.objects.getStream(importPath(payload.importId));
  if (packed === null) throw new JobFailure("The tarball is no longer there");
  const sink = new ChunkWriter(context, payload.importId);
  const { errors, tables } = await checkBackup(packed, {
    sink,
    signal,
    pause: () => context.store.sleep(0),
  });
  if (errors.length > 0) {
    await removeImport(context, payload.importId);
    const reported = errors.slice(0, ERRORS_REPORTED).map(({ path, message }) =>
      path === "" ? message : `${path}: ${message}`
    );
    throw new JobFailure(`The backup is not valid. ${reported.join("; ")}`);
  }
  const rows = rowsOf(tables);
  return next({ rows, chunks: sink.counts }, { done: 0, total: rows });
}

async function backup(work: Work<"IMPORT", "backup">): Promise<OutcomeOf<"IMPORT", "backup">> {
  const { context, jobId, cursor, operation, signal } = work;
  const options = { redacted: false, media: false, signal };
  const [written] = await allSettledOrThrow([
    writeBackup(context, operation, jobId, cursor, options),
    heldLock(work),
  ]);
  if (!written.isDone) return continueBackup(written.place);
  const { manifest, bytes } = written;
  stageExport(operation, {
    id: jobId,
    createdAt: manifest.createdAt,
    bytes,
    rows: rowsOf(manifest.tables),
    redacted: false,
    media: false,
    reason: "import",
  });
  return next({ exportId: jobId });
}

async function replay(work: Work<"IMPORT", "replay">): Promise<OutcomeOf<"IMPORT", "replay">> {
  const { context, payload, results, signal } = work;
  const lock = await heldLock(work);
  const { chunks } = results.validate!;
  const position = work.cursor ?? beginning();
  const following = await carryOut(context, lock, { ...payload, chunks }, {
    place: position,
    signal,
  });
  const total = countUnits();
  if (following === null) return nextUncommitted({ units: total });
  return again(following, { done: countDone(following), total });
}

/** The lock, which must still be held: otherwise later writes would be lost. */
async function heldLock({ context, jobId }: Work<"IMPORT">): Promise<HeldLock> {
  const stamp = await heldSince(context as Context, jobId);
  if (stamp === null) {
    throw new JobFailure("The site was written after this import failed: start another one");
  }
  return { jobId, stamp };
}
