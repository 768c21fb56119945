/**
 * `/api/admin/transfers/export` and `/exports/{jobId}`: content for other systems.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import type { Content } from "../../../kv/documents/content.ts";
import { addJob, findJob, type NewJob } from "../../../kv/jobs/jobs.ts";
import { TransferExported } from "../../../kv/jobs/results.ts";
import { COLLECTIONS_MAX, SLUG_CHARS_MAX } from "../../../kv/limits/content.ts";
import { JOB_PAYLOAD_CHARS_MAX } from "../../../kv/limits/store.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { transferExportPath } from "../../../kv/objects/paths.ts";
import { invalid, Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { commitAudited } from "../../../kv/versioning/audit.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { pacedAnswer } from "../../answers/paced_answer.ts";
import { readJsonObject } from "../../input/body.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { exportCondition } from "./export_condition.ts";

/** What is exported, and for which system. */
export const ExportBody = z.strictObject({
  kind: z.enum(["wxr", "markdown", "sanity", "json"]),
  collections: z.array(z.string().max(SLUG_CHARS_MAX)).min(1).max(COLLECTIONS_MAX).exactOptional(),
  filter: z.record(z.string(), z.json()).exactOptional(),
});

/** Exports: start one, download it. */
export function transferExportRoutes({ content }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .post("/export", async (c) => {
      const { kind, ...wanted } = parseBody(ExportBody, await readJsonObject(c.req.raw));
      const payload = { kind, ...exportScope(await content.schema.current(), wanted) };
      return await startExport(content, c, { type: "TRANSFER_EXPORT", payload });
    })
    .get("/exports/:jobId", (c) => downloadExport(content, c, "TRANSFER_EXPORT"));
}

/** The jobs that export content as a file. */
type ExportType = "TRANSFER_EXPORT" | "TRANSLATION_EXPORT";

/** What an export is about; refuses collections and filters that there are none of. */
export function exportScope(
  schema: Schema,
  { collections, filter }: { collections?: string[]; filter?: Record<string, Json> },
) {
  for (const [index, slug] of (collections ?? []).entries()) {
    if (schema.bySlug.has(slug)) continue;
    throw invalid(`collections.${index}`, "INVALID_CHOICE", "No collection has this slug");
  }
  const conditions = filter === undefined ? undefined : conditionsOf(filter, collections, schema);
  return {
    ...(collections !== undefined && { collections }),
    ...(conditions !== undefined && { conditions }),
  };
}

/** Starts an export. */
export async function startExport(
  { context }: Pick<Content, "context">,
  c: HttpContext<AdminEnv>,
  job: NewJob<ExportType>,
): Promise<Response> {
  if (JSON.stringify(job.payload).length > JOB_PAYLOAD_CHARS_MAX) {
    throw new Refusal("FILTER_INVALID", { about: "it is too long for an export" });
  }
  const operation = new Operation();
  const jobId = addJob(operation, context, job);
  await commitAudited(context.store, operation, c.get("session").audit);
  return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
}

function conditionsOf(
  filter: Record<string, Json>,
  collections: readonly string[] | undefined,
  schema: Schema,
): Record<string, Json> {
  const targets = schema.collections.filter(({ slug }) => collections?.includes(slug) ?? true);
  return Object.fromEntries(
    targets.map((target) => [target.slug, exportCondition(filter, target, schema)]),
  );
}

/** Answers the file of an export. */
export async function downloadExport(
  { context }: Pick<Content, "context">,
  c: HttpContext<AdminEnv>,
  type: ExportType,
): Promise<Response> {
  const jobId = pathParameter(c, "jobId");
  const job = await findJob(context.store, jobId);
  const result = TransferExported.safeParse(job?.results.write);
  const isExport = job?.type === type && result.success;
  const stream = isExport ? await context.objects.getStream(transferExportPath(jobId)) : null;
  if (stream === null || !result.success) throw new Refusal("NOT_FOUND");
  const { contentType, filename, bytes } = result.data;
  return c.body(pacedAnswer(stream as ReadableStream<Uint8Array<ArrayBuffer>>), 200, {
    "content-type": contentType,
    "content-length": String(bytes),
    "content-disposition": `attachment; filename="${filename}"`,
    "cache-control": "no-store",
  });
}
