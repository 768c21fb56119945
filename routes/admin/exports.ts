/**
 * `/api/admin/exports`: back-ups, for administrators only, because everything is in them.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import { type ExportRecord, listExports, openExport } from "../../kv/backup/exports.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { Operation } from "../../kv/store/operation.ts";
import type { Deps } from "../deps.ts";
import { parseJsonObject, readJsonBytes } from "../input/body.ts";
import { type AdminEnv, administratorOnly, pageOf } from "./admin_env.ts";
import { pacedAnswer } from "../paced_answer.ts";

const ExportBody = z.strictObject({
  redacted: z.boolean().default(false),
  media: z.boolean().default(false),
});

/** Back-ups: make one, list them, download one. */
export function exportRoutes({ content: { context } }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .use(administratorOnly)
    .get("/", async (c) => {
      const page = pageOf(c, await listExports(context));
      return c.json({ ...page, data: page.data.map(exportView) });
    })
    .post("/", async (c) => {
      const bytes = await readJsonBytes(c.req.raw);
      const options = parseBody(ExportBody, bytes.byteLength === 0 ? {} : parseJsonObject(bytes));
      const operation = new Operation();
      const payload = { ...options, reason: "manual" as const };
      const jobId = addJob(operation, context, { type: "EXPORT", payload, class: "interactive" });
      await context.store.commit(operation);
      return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
    })
    .get("/:id", async (c) => {
      const { record, stream } = await openExport(context, c.req.param("id"));
      return c.body(pacedAnswer(stream), 200, {
        "content-type": "application/gzip",
        "content-length": String(record.bytes),
        "content-disposition": `attachment; filename="${filename(record)}"`,
        "cache-control": "no-store",
      });
    });
}

/** A back-up as the admin API lists it. */
function exportView(record: ExportRecord) {
  return { ...record, url: `/api/admin/exports/${record.id}` };
}

function filename({ createdAt, redacted }: ExportRecord): string {
  const time = new Date(createdAt * 1000).toISOString().replace(/\..*$/, "").replace(/[:T]/g, "-");
  return `backup-${time}${redacted ? "-redacted" : ""}.tar.gz`;
}
