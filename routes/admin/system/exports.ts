/**
 * `/api/admin/exports`: backups. Complete ones are for administrators only, because everything is in them;
 * `exports.manage` opens redacted ones.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import { type ExportRecord, listExports, openExport } from "../../../kv/backup/exports.ts";
import { addJob } from "../../../kv/jobs/jobs.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { commitAudited } from "../../../kv/versioning/audit.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { proven } from "../people/sensitive_acts.ts";
import type { Deps } from "../../deps/deps.ts";
import { parseJsonObject, readJsonBytes } from "../../input/body.ts";
import { may, pageOf } from "../admin_env.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { pathParameter } from "../../input/path_parameter.ts";

/** What a backup holds. */
export const ExportBody = z.strictObject({
  redacted: z.boolean().default(false),
  media: z.boolean().default(false),
});

/** Lets users through who may make backups; all but administrators only get redacted ones. */
const mayExport = may("exports.manage");

/** Refuses a backup with secrets to users who are no administrators. */
function refuseSecrets(c: HttpContext<AdminEnv>, { redacted }: { redacted: boolean }): void {
  if (!redacted && !c.get("session").administrator) {
    throw new Refusal("FORBIDDEN", {
      about: "only administrators can download backups that contain secrets",
    });
  }
}

/** Backups: make one, list them, download one. */
export function exportRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .use(mayExport)
    .get("/", async (c) => {
      const { administrator } = c.get("session");
      const all = await listExports(context);
      const page = pageOf(c, all.filter(({ redacted }) => redacted || administrator));
      return c.json({ ...page, data: page.data.map(exportView) });
    })
    .post("/", proven("export"), async (c) => {
      const bytes = await readJsonBytes(c.req.raw);
      const options = parseBody(ExportBody, bytes.byteLength === 0 ? {} : parseJsonObject(bytes));
      refuseSecrets(c, options);
      const operation = new Operation();
      const payload = { ...options, reason: "manual" as const };
      const jobId = addJob(operation, context, { type: "EXPORT", payload, class: "interactive" });
      await commitAudited(context.store, operation, c.get("session").audit);
      return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
    })
    .get("/:id", proven("download"), async (c) => {
      const { record, stream } = await openExport(context, pathParameter(c, "id"));
      try {
        refuseSecrets(c, record);
      } catch (error) {
        await stream.cancel();
        throw error;
      }
      return c.body(pacedAnswer(stream), 200, {
        "content-type": "application/gzip",
        "content-length": String(record.bytes),
        "content-disposition": `attachment; filename="${filename(record)}"`,
        "cache-control": "no-store",
      });
    });
}

/** A backup as the admin API lists it. */
function exportView(record: ExportRecord) {
  return { ...record, url: `/api/admin/exports/${record.id}` };
}

function filename({ createdAt, redacted }: ExportRecord): string {
  const time = new Date(createdAt * 1000).toISOString().replace(/\..*$/, "").replace(/[:T]/g, "-");
  return `backup-${time}${redacted ? "-redacted" : ""}.tar.gz`;
}
