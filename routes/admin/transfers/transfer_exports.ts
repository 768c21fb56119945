/**
 * `/api/admin/transfers/export` and `/exports/{jobId}`: content for other systems.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
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

const ExportBody = z.strictObject({
  kind: z.enum(["wxr", "markdown", "sanity", "json"]),
  collections: z.array(z.string().max(SLUG_CHARS_MAX)).min(1).max(COLLECTIONS_MAX).exactOptional(),
  filter: z.record(z.string(), z.json()).exactOptional(),
});

/** Exports: start one, download it. */
export function transferExportRoutes({ content }: Pick<Deps, "content">): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .post("/export", (c) => startExport({ content }, c))
    .get("/exports/:jobId", (c) => download({ content }, c));
}

async function startExport(
  { content }: Pick<Deps, "content">,
  c: HttpContext<AdminEnv>,
): Promise<Response> {
  const { context, schema } = content;
  const { kind, collections, filter } = parseBody(ExportBody, await readJsonObject(c.req.raw));
  const current = await schema.current();
  for (const [index, slug] of (collections ?? []).entries()) {
    if (current.bySlug.has(slug)) continue;
    throw invalid(`collections.${index}`, "INVALID_CHOICE", "No collection has this slug");
  }
  const conditions = filter === undefined ? undefined : conditionsOf(filter, collections, current);
  const payload = {
    kind,
    ...(collections !== undefined && { collections }),
    ...(conditions !== undefined && { conditions }),
  };
  if (JSON.stringify(payload).length > JOB_PAYLOAD_CHARS_MAX) {
    throw new Refusal("FILTER_INVALID", { about: "it is too long for an export" });
  }
  const operation = new Operation();
  const jobId = addJob(operation, context, { type: "TRANSFER_EXPORT", payload });
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

async function download(
  { content: { context } }: Pick<Deps, "content">,
  c: HttpContext<AdminEnv>,
): Promise<Response> {
  const jobId = pathParameter(c, "jobId");
  const job = await findJob(context.store, jobId);
  const result = TransferExported.safeParse(job?.results.write);
  const isExport = job !== null && job.type === "TRANSFER_EXPORT" && result.success;
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
