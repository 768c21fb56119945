/**
 * `/api/admin/transfers`: content from other systems. An upload is analysed, its plan changed, tried and run; a run can
 * be paused, repeated and undone.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import type { Context } from "../../../kv/context.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import {
  TRANSFER_BYTES_MAX,
  TRANSFER_RUNS_MAX,
  TRANSFERS_MAX,
} from "../../../kv/limits/transfers.ts";
import { Plan } from "../../../kv/model/transfers/plan.ts";
import { planDetails } from "../../../kv/model/transfers/plan_check.ts";
import {
  isResting,
  RESTING_STATES,
  type TransferAction,
  type TransferState,
} from "../../../kv/model/transfers/transfer_state.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Operation } from "../../../kv/store/operation.ts";
import {
  changeTransfer,
  getTransfer,
  listTransfers,
  newTransfer,
  stageTransfer,
  type TransferRecord,
  transferView,
  writePlan,
} from "../../../kv/transfers/transfers.ts";
import { commitAudited } from "../../../kv/versioning/audit.ts";
import { authorDetails } from "../../../jobs/transfers/run/source_authors.ts";
import { readFacts } from "../../../jobs/transfers/run/transfer_facts.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject, readOptionalObject } from "../../input/body.ts";
import { refuseAnnounced } from "../../input/multipart.ts";
import { pathParameter } from "../../input/path_parameter.ts";
import { closeMethods } from "../../middleware/methods.ts";
import { may, pageOf } from "../admin_env.ts";
import { transferExportRoutes } from "./transfer_exports.ts";
import { transferReport } from "./transfer_report.ts";
import { transferSample } from "./transfer_sample.ts";
import { isForm, receiveFiles, receiveTransfer } from "./transfer_upload.ts";

/** A plan. */
export const PlanBody = z.strictObject({ plan: Plan });
/** Whether a run writes nothing. */
export const RunBody = z.strictObject({ dryRun: z.boolean().default(false) });
/** Which rows run again. */
export const RetryBody = z.strictObject({ failed: z.literal(true) });

/** Transfers: upload, plan, run, undo. */
export function transferRoutes(deps: Pick<Deps, "content" | "transfers">): Hono<AdminEnv> {
  const { content: { context } } = deps;
  return new Hono<AdminEnv>()
    .use(may("transfers.manage"))
    .get("/", async (c) => {
      const page = pageOf(c, await listTransfers(context));
      return c.json({
        ...page,
        data: await Promise.all(page.data.map((one) => view(context, one))),
      });
    })
    .post("/", (c) => create(context, c))
    .route("/", closeMethods(transferExportRoutes(deps)))
    .get("/:id", async (c) => c.json(await view(context, await recordOf(context, c))))
    .patch("/:id", (c) => patchPlan(deps, c))
    .get("/:id/sample", async (c) => {
      return c.json(await transferSample(deps.transfers, await recordOf(context, c), c.req.url));
    })
    .get("/:id/report", async (c) => {
      return transferReport(context, await recordOf(context, c), c.req.url);
    })
    .post("/:id/run", async (c) => {
      const { dryRun } = parseBody(RunBody, await readOptionalObject(c.req.raw));
      return await start(context, c, dryRun ? "dryRun" : "run", RESTING_STATES);
    })
    .post("/:id/retry", async (c) => {
      parseBody(RetryBody, await readJsonObject(c.req.raw));
      return await start(context, c, "retry", ["done", "failed", "cancelled"]);
    })
    .post("/:id/undo", (c) => start(context, c, "undo", ["done", "failed", "cancelled"]))
    .post("/:id/files", (c) => addFiles(context, c))
    .post("/:id/pause", (c) => move(context, c, ["running"], "paused"))
    .post("/:id/resume", (c) => move(context, c, ["paused"], "running"))
    .post("/:id/cancel", (c) => {
      return move(context, c, ["analysing", "planned", "running", "paused"], "cancelled");
    });
}

/** The transfer of a path; one whose job has failed for good has failed with it. */
async function recordOf(context: Context, c: HttpContext<AdminEnv>): Promise<TransferRecord> {
  return await settledTransfer(context, await getTransfer(context, pathParameter(c, "id")));
}

/** A transfer with the state that its newest job has left it in. */
export async function settledTransfer(
  context: Context,
  record: TransferRecord,
): Promise<TransferRecord> {
  if (isResting(record.state)) return record;
  const { jobId = "" } = record.runs.at(-1) ?? {};
  const job = await findJob(context.store, jobId);
  if (job?.state !== "failed") return record;
  return { ...record, state: "failed", error: record.error ?? job.error ?? "The job has failed" };
}

async function view(context: Context, record: TransferRecord) {
  return await transferView(context, await settledTransfer(context, record));
}

async function create(context: Context, c: HttpContext<AdminEnv>): Promise<Response> {
  const { userId, audit } = c.get("session");
  if ((await listTransfers(context)).length >= TRANSFERS_MAX) {
    throw new Refusal("CONFLICT", { about: `a site has at most ${TRANSFERS_MAX} transfers` });
  }
  const made = newTransfer(context, { name: "", userId, kind: null });
  const upload = await receiveTransfer(context, c.req.raw, made.id);
  const operation = new Operation();
  const jobId = addTransferJob(operation, context, made.id, "analyse");
  stageTransfer(operation, {
    ...made,
    ...upload,
    runs: [{ jobId, action: "analyse" }],
  });
  await commitAudited(context.store, operation, audit);
  const location = `/api/admin/transfers/${made.id}`;
  return c.json({ id: made.id, jobId }, 202, { location });
}

/** A person waits for an analysis; everything else is bulk work. */
function addTransferJob(
  operation: Operation,
  context: Context,
  transferId: string,
  action: TransferAction,
): string {
  const urgency = action === "analyse" ? "interactive" : "bulk";
  return addJob(operation, context, {
    type: "TRANSFER",
    payload: { transferId, action },
    class: urgency,
  });
}

async function patchPlan(
  { content }: Pick<Deps, "content">,
  c: HttpContext<AdminEnv>,
): Promise<Response> {
  const { context } = content;
  const { plan } = parseBody(PlanBody, await readJsonObject(c.req.raw));
  const record = await recordOf(context, c);
  const editable: readonly TransferState[] = ["planned", "done", "failed"];
  if (record.plan === null || !editable.includes(record.state)) throw wrongState(record);
  const { sources } = await readFacts(context, record);
  const names = new Set(sources.map(({ source }) => source));
  const details = [
    ...planDetails(plan, await content.schema.current(), names),
    ...await authorDetails(context, plan),
  ];
  if (details.length > 0) {
    throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, 100) });
  }
  const object = await writePlan(context, record.id, plan);
  const changed = await changeTransfer(context, record.id, (now) => {
    if (!editable.includes(now.state)) throw wrongState(now);
    return { ...now, plan: object };
  });
  return c.json(await view(context, changed));
}

/** Starts a job for a transfer that is in one of some states. */
async function start(
  context: Context,
  c: HttpContext<AdminEnv>,
  action: TransferAction,
  from: readonly TransferState[],
): Promise<Response> {
  const present = await recordOf(context, c);
  let jobId = "";
  await changeTransfer(context, present.id, (record, operation) => {
    const { state } = present.state === "failed" ? present : record;
    if (!from.includes(state) || record.plan === null) throw wrongState({ ...record, state });
    jobId = addTransferJob(operation, context, record.id, action);
    return withRun({ ...record, state: "running" }, jobId, action);
  });
  return c.json({ jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
}

function withRun(
  { error: _, ...record }: TransferRecord,
  jobId: string,
  action: TransferAction,
): TransferRecord {
  return { ...record, runs: [...record.runs, { jobId, action }].slice(-TRANSFER_RUNS_MAX) };
}

async function addFiles(context: Context, c: HttpContext<AdminEnv>): Promise<Response> {
  const present = await recordOf(context, c);
  const { id } = present;
  // The API of a source is read again.
  const isRead = present.isLive === true && !isForm(c.req.raw);
  if (!isRead) refuseAnnounced(c.req.raw, TRANSFER_BYTES_MAX);
  if (!isResting(present.state) || present.plan === null) throw wrongState(present);
  const { files } = isRead ? { files: [] } : await receiveFiles(context, c.req.raw, id);
  let jobId = "";
  await changeTransfer(context, id, (record, operation) => {
    const { state } = present.state === "failed" ? present : record;
    if (!isResting(state) || record.plan === null) throw wrongState(record);
    jobId = addTransferJob(operation, context, id, "update");
    const generation = context.newId(context.now());
    return withRun({ ...record, files, generation, state: "running" }, jobId, "update");
  });
  return c.json({ id, jobId }, 202, { location: `/api/admin/jobs/${jobId}` });
}

async function move(
  context: Context,
  c: HttpContext<AdminEnv>,
  from: readonly TransferState[],
  to: TransferState,
): Promise<Response> {
  const { id } = await recordOf(context, c);
  const record = await changeTransfer(context, id, (now) => {
    if (!from.includes(now.state)) throw wrongState(now);
    return { ...now, state: to };
  });
  return c.json(await view(context, record));
}

function wrongState({ state }: Pick<TransferRecord, "state">): Refusal {
  return new Refusal("CONFLICT", { about: `the transfer is ${state}` });
}
