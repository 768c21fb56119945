/**
 * TRANSFER: analyses an upload, runs a plan, or undoes what a transfer has done. Rows are worked through part by part;
 * a run that is cut off continues at the part that it had begun, and finds what it has written.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { TRANSFER_KEPT_MS } from "../../kv/limits/transfers.ts";
import { transferObjectsPrefix } from "../../kv/objects/paths.ts";
import { isResting } from "../../kv/model/transfers/transfer_state.ts";
import { detailLines, Refusal } from "../../kv/refusals.ts";
import {
  changeTransfer,
  getTransfer,
  listTransfers,
  NO_ROWS,
  readProgress,
  stageProgress,
  writePlan,
} from "../../kv/transfers/transfers.ts";
import { TRANSFER_ERROR_PLACES_MAX } from "../limits.ts";
import { AddressRefused } from "../network/guarded_request.ts";
import {
  JobFailure,
  type JobKind,
  jobKind,
  next,
  nextUncommitted,
  type OutcomeOf,
  type Work,
} from "../runner/job_kind.ts";
import { BadSource } from "./reading/source_file.ts";
import { analyseFiles, downloadSource } from "./run/analysis.ts";
import { writeParts } from "./run/documents_phase.ts";
import { keepAddresses, resolveReferences, settlePart } from "./run/later_phases.ts";
import { bringMedia } from "./run/media_phase.ts";
import { makeSchema } from "./run/schema_phase.ts";
import { writeSettings } from "./run/settings_phase.ts";
import type { TransferDeps } from "./run/transfer_deps.ts";
import { writeFacts } from "./run/transfer_facts.ts";
import {
  eachPart,
  endRun,
  isRun,
  nextParts,
  openRun,
  type TransferRun,
} from "./run/transfer_run.ts";
import { undoSome } from "./run/undo.ts";
import { Operation } from "../../kv/store/operation.ts";

/** Progress of an analysis is stored this often, milliseconds. */
const PROGRESS_EVERY_MS = 1_000;

/** The kind of job that transfers content. */
export function transferKind(deps: TransferDeps): JobKind<"TRANSFER"> {
  return jobKind("TRANSFER", {
    analyse: (work) => orFail(work, () => analyse(deps, work)),
    schema: (work) => orFail(work, () => once(deps, work, makeSchema)),
    media: (work) => orFail(work, () => nextParts(deps, work, "media", eachPart(bringMedia))),
    documents: (work) => orFail(work, () => nextParts(deps, work, "documents", writeParts)),
    references: (work) =>
      orFail(work, () => nextParts(deps, work, "references", eachPart(resolveReferences))),
    publish: (work) => orFail(work, () => nextParts(deps, work, "publish", eachPart(settlePart))),
    settings: (work) => orFail(work, () => once(deps, work, writeSettings)),
    redirects: (work) =>
      orFail(work, () => nextParts(deps, work, "redirects", eachPart(keepAddresses))),
    undo: (work) => orFail(work, () => undo(deps, work)),
    finish: (work) => orFail(work, () => finishRun(deps, work)),
  }, { concurrencyMax: 1 });
}

/** What is wrong with the source fails the job at once, and its transfer. */
async function orFail<T>(
  work: Pick<Work<"TRANSFER">, "context" | "payload">,
  step: () => T,
): Promise<Awaited<T>> {
  try {
    return await step();
  } catch (error) {
    const isFinal = error instanceof BadSource || error instanceof AddressRefused ||
      error instanceof Refusal && error.code !== "UNAVAILABLE";
    if (!isFinal) throw error;
    const { context, payload: { transferId } } = work;
    const message = messageOf(error);
    await changeTransfer(context, transferId, (record) => {
      return { ...record, state: "failed", error: message };
    }).catch(() => {});
    throw new JobFailure(message, { cause: error });
  }
}

/** The message of an error, with the places of a refusal: "Validation failed" alone helps no reader. */
function messageOf(error: Error): string {
  const details = error instanceof Refusal ? error.facts.details : undefined;
  const places = detailLines(details?.slice(0, TRANSFER_ERROR_PLACES_MAX));
  return places.length === 0 ? error.message : `${error.message} (${places.join("; ")})`;
}

/** Runs a phase that does not go through the rows. */
async function once(
  deps: TransferDeps,
  work: Work<"TRANSFER", "schema" | "settings">,
  phase: (run: TransferRun) => Promise<void>,
): Promise<OutcomeOf<"TRANSFER", "schema" | "settings">> {
  if (!isRun(work.payload.action)) return nextUncommitted();
  const run = await openRun(deps, work);
  if (run.record.state !== "cancelled") await phase(run);
  return next();
}

async function analyse(
  deps: TransferDeps,
  work: Work<"TRANSFER", "analyse">,
): Promise<OutcomeOf<"TRANSFER", "analyse">> {
  const { context, payload: { transferId, action }, jobId, signal } = work;
  if (action !== "analyse" && action !== "update") return nextUncommitted();
  await sweepTransfers(context);
  // What was read before an interruption is passed over at once, and would count from one.
  let storedAt = context.now();
  const showProgress = (phase: string) => async (done: number) => {
    if (context.now() - storedAt < PROGRESS_EVERY_MS) return;
    storedAt = context.now();
    const operation = new Operation();
    const report = { ...NO_ROWS };
    stageProgress(operation, transferId, { jobId, phase, done, total: 0, report });
    await context.store.commit(operation);
  };
  const record = await downloadSource(deps, await getTransfer(context, transferId), {
    signal,
    onAnswer: showProgress("download"),
  });
  if (record.state === "cancelled") return next();
  const analysis = await analyseFiles(context, record, {
    signal,
    onProgress: showProgress("analyse"),
    schema: await deps.content.schema.current(),
  });
  await writeFacts(context, record, analysis.facts);
  const { sources, kind } = analysis.facts;
  const counts = Object.fromEntries(sources.map(({ source, rows }) => [source, rows]));
  // A later export of the same source is run with the plan that the first one has.
  const plan = action === "update" && record.plan !== null
    ? record.plan
    : await writePlan(context, transferId, analysis.plan);
  const rows = sources.reduce((sum, one) => sum + one.rows, 0);
  await changeTransfer(context, transferId, (now) => {
    if (now.state === "cancelled") return null;
    const state = action === "update" ? "running" : "planned";
    const { error: _, ...rest } = now;
    return { ...rest, files: record.files, kind, counts, plan, state };
  });
  stageProgress(work.operation, transferId, {
    jobId,
    phase: "analyse",
    done: rows,
    total: rows,
    report: { ...NO_ROWS },
  });
  return next({ rows: counts });
}

async function undo(
  deps: TransferDeps,
  work: Work<"TRANSFER", "undo">,
): Promise<OutcomeOf<"TRANSFER", "undo">> {
  const { context, payload: { transferId, action }, jobId, operation } = work;
  if (action !== "undo") return nextUncommitted();
  const { report } = await readProgress(context, transferId) ?? { report: { ...NO_ROWS } };
  return await undoSome(deps, await getTransfer(context, transferId), {
    ...work,
    onProgress: (done) =>
      stageProgress(operation, transferId, { jobId, phase: "undo", done, total: 0, report }),
  });
}

async function finishRun(
  deps: TransferDeps,
  work: Work<"TRANSFER", "finish">,
): Promise<OutcomeOf<"TRANSFER", "finish">> {
  const { context, payload: { transferId, action }, jobId } = work;
  if (action === "analyse") return next();
  if (action === "undo") {
    await changeTransfer(context, transferId, (record) => ({ ...record, state: "undone" }));
    return next();
  }
  const run = await openRun(deps, work);
  await endRun(run);
  const progress = await readProgress(context, transferId);
  return next(progress?.jobId === jobId ? progress.report : { ...NO_ROWS });
}

/** The files of a transfer are kept for a while, so that it can be repeated. */
async function sweepTransfers(context: Context): Promise<void> {
  for (const { id, createdAt, state } of await listTransfers(context)) {
    const isOld = context.now() - createdAt * 1000 > TRANSFER_KEPT_MS;
    if (!isOld || !isResting(state)) continue;
    for await (const { key } of context.objects.list(transferObjectsPrefix(id))) {
      if (/\/(?:files|entries|rows)\//.test(key)) await context.objects.delete(key);
    }
  }
}
