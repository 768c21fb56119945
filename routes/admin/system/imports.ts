/**
 * `/api/admin/imports`: restores a backup. The file is streamed to the object store; a dry run
 * returns its errors and the changes it would make.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { type BackupCheck, checkBackup } from "../../../kv/backup/check_backup.ts";
import { storeImport } from "../../../kv/backup/store_import.ts";
import type { Context } from "../../../kv/context.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { currentPrefix } from "../../../kv/keys.ts";
import { isVersionTable, type TableName, TABLES } from "../../../kv/model/entities/backup.ts";
import { importPath } from "../../../kv/objects/paths.ts";
import { commitAudited } from "../../../kv/versioning/audit.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { requireProof } from "../people/sensitive_acts.ts";
import type { Deps } from "../../deps/deps.ts";
import { pacedBody } from "../../input/arrival.ts";
import { isDryRun } from "../../query/dry_run.ts";
import { administratorOnly } from "../admin_env.ts";

const CONTENT_TYPE = /^application\/(?:x-)?gzip\s*(?:;|$)/i;

/** Imports: start one, or only look. */
export function importRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>().post("/", administratorOnly, async (c) => {
    refuseOtherThanGzip(c.req.raw);
    const dryRun = isDryRun(c.req.queries());
    if (!dryRun) requireProof(c, "import");
    const { body, headers } = c.req.raw;
    const importId = await storeImport(context, { body: body && pacedBody(body), headers });
    if (dryRun) return c.json(await inspectUpload(context, importId));
    const operation = new Operation();
    const payload = { importId, userId: c.get("session").userId };
    const jobId = addJob(operation, context, { type: "IMPORT", payload });
    await commitAudited(context.store, operation, c.get("session").audit);
    return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
  });
}

/** Refuses a body whose content type is not gzip. */
export function refuseOtherThanGzip({ headers }: Request): void {
  if (CONTENT_TYPE.test(headers.get("content-type") ?? "")) return;
  throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "use application/gzip" });
}

async function inspectUpload(context: Context, importId: string) {
  try {
    const packed = await context.objects.getStream(importPath(importId));
    const check = await checkBackup(packed!, { pause: () => context.store.sleep(0) });
    if (!check.isTarball) {
      throw invalid("body", "INVALID_TYPE", "Must be a gzip-compressed tar file");
    }
    const { errors } = check;
    return { valid: errors.length === 0, errors, tables: await compare(context, check) };
  } finally {
    await context.objects.delete(importPath(importId));
  }
}

/** The rows of each table in the backup, and the current number of entities. */
async function compare({ store }: Context, { tables }: BackupCheck) {
  const compared: {
    [table in TableName]?: { rows: number; entities: number; present: number | null };
  } = {};
  for (const table of TABLES) {
    const count = tables[table];
    if (count === undefined) continue;
    let present: number | null = null;
    if (isVersionTable(table)) {
      present = 0;
      const range = { prefix: currentPrefix(table) };
      for await (const { value } of store.list<{ gone?: true }>(range, { batchSize: 100 })) {
        if (!value.gone) present += 1;
      }
    }
    compared[table] = { ...count, present };
  }
  return compared;
}
