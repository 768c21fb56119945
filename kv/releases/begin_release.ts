/**
 * Starts the publication or reversal of a release: everything is checked, and the parts are written in the
 * commit that starts it. From then on the job completes it, whatever crashes.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { schemaOf } from "../documents/write.ts";
import { zip } from "../model/primitives/zip.ts";
import { isFinished } from "../jobs/job.ts";
import { addJob, findJob, retryJob } from "../jobs/jobs.ts";
import { settleEditsOf } from "../live/settle_edits.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { ReleaseDocument, ReleaseState } from "../model/entities/release.ts";
import { Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import {
  checkDocuments,
  type CheckedDocument,
  checkPublication,
  reasonOf,
  refuseFailed,
} from "./release_check.ts";
import { stateToPutBack } from "./put_back.ts";
import { stageParts } from "./release_parts.ts";
import {
  beginWrite,
  getRelease,
  refusePlansBeyond,
  refuseStale,
  refuseUnderWay,
  refuseUnlessPending,
  type ReleaseHead,
  releaseHead,
  type ReleaseWriteOptions,
  stageRelease,
} from "./releases.ts";

/** The errors that publishing the release now would have. */
export async function checkRelease(content: Content, id: string): Promise<CheckedDocument[]> {
  const { state } = await getRelease(content, id);
  return await dryWrite(content, async (transaction) => {
    const schema = await content.schema.current();
    return await checkPublication(transaction, schema, state.documents);
  });
}

async function dryWrite<T>(
  { context }: Content,
  decide: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return await versionedWrite(context, { userId: null }, decide, { dryRun: true });
}

/** Checks the work and returns how to add it to the commit with its job. */
type Prepare = (
  transaction: Transaction,
  found: ReleaseHead,
) => Promise<(jobId: string) => void>;

/** Starts work on a release; returns its job. Work whose job was lost starts again. */
async function begin(
  content: Content,
  actor: Actor,
  { id, action }: { id: string; action: "publish" | "revert" },
  options: ReleaseWriteOptions,
  prepare: Prepare,
): Promise<string> {
  const former = await resumeFailed(content, id);
  if ("resumed" in former) return former.resumed;
  return await versionedWrite(content.context, actor, async (transaction) => {
    await beginWrite(transaction);
    const found = await releaseHead(transaction, id);
    refuseStale(found.head, id, options);
    if (found.state.jobId !== former.lost) refuseUnderWay(found.state);
    await refusePlansBeyond(transaction, content, id);
    const stage = await prepare(transaction, found);
    const jobId = addJob(transaction.operation, transaction.context, {
      type: "RELEASE",
      class: "interactive",
      payload: { releaseId: id, action, publishAt: null, userId: actor.userId },
    });
    stage(jobId);
    return jobId;
  });
}

/** Starts to publish a release; returns the job. */
export function beginPublication(
  content: Content,
  actor: Actor,
  id: string,
  options: ReleaseWriteOptions = {},
): Promise<string> {
  return begin(content, actor, { id, action: "publish" }, options, async (transaction, found) => {
    if (found.state.state !== "publishing") refuseUnlessPending(found.state);
    const schema = await schemaOf(transaction, content);
    const checked = await checkPublication(transaction, schema, found.state.documents);
    refuseEmpty(checked);
    refuseFailed(checked);
    return (jobId) => stagePublication(transaction, found, checked, jobId);
  });
}

/** Adds the start of a publication to a commit. */
function stagePublication(
  transaction: Transaction,
  { head, state }: ReleaseHead,
  checked: readonly CheckedDocument[],
  jobId: string,
): void {
  stageParts(transaction.operation, jobId, checked.map(partOf));
  const next: ReleaseState = {
    ...state,
    state: "publishing",
    publishAt: null,
    reason: null,
    jobId,
    updatedAt: Math.max(transaction.at, head.row.at),
  };
  stageRelease(transaction, { head, state: next }, { summary: "Publication begun" });
}

/** The outcome of a scheduled release at its time. */
export type DueRelease = { documents: number } | { superseded: true } | { reason: string };

/** Starts to publish a release at its time. If it cannot be published it returns to `open` with a reason. */
export async function stageDuePublication(
  transaction: Transaction,
  content: Content,
  { id, publishAt, jobId }: { id: string; publishAt: number; jobId: string },
): Promise<DueRelease> {
  await beginWrite(transaction);
  const head = await transaction.head("release", id);
  const { state } = head;
  if (state === null || state.state !== "scheduled" || state.publishAt !== publishAt) {
    return { superseded: true };
  }
  const schema = await schemaOf(transaction, content);
  const checked = await checkPublication(transaction, schema, state.documents);
  const reason = checked.length === 0 ? "It has no documents" : reasonOf(checked);
  // The job that waited for the time is the one that runs: it must not be dropped.
  const found = { head: { ...head, state: { ...state, state: "open" as const } }, state };
  if (reason === null) {
    stagePublication(transaction, found, checked, jobId);
    return { documents: checked.length };
  }
  const updatedAt = Math.max(transaction.at, head.row.at);
  const open = { ...state, state: "open" as const, publishAt: null, reason, updatedAt };
  const summary = `Not published at its time: ${reason}`;
  stageRelease(transaction, { head: found.head, state: open }, { summary });
  return { reason };
}

/** Flushes the live edits of its documents, so that they are part of the release. */
export async function settleRelease(content: Content, id: string): Promise<void> {
  const { state } = await getRelease(content, id);
  await settleEditsOf(content, state.documents.map(({ documentId }) => documentId));
}

/** Starts to revert a published release; returns the job. */
export function beginReversal(
  content: Content,
  actor: Actor,
  id: string,
  options: ReleaseWriteOptions = {},
): Promise<string> {
  return begin(content, actor, { id, action: "revert" }, options, async (transaction, found) => {
    const { head, state } = found;
    if (state.state !== "published") {
      throw new Refusal("CONFLICT", { about: `the release is ${state.state}` });
    }
    const schema = await schemaOf(transaction, content);
    const changed = state.documents.filter(({ before, after }) => before !== after);
    const checked = await checkReversal(transaction, schema, changed);
    refuseFailed(checked);
    const parts = zip(changed, checked).map(([{ before, after }, document]) => ({
      ...partOf(document),
      action: "put back" as const,
      n: after!,
      to: before!,
    }));
    return (jobId) => {
      stageParts(transaction.operation, jobId, parts);
      const updatedAt = Math.max(transaction.at, head.row.at);
      stageRelease(transaction, { head, state: { ...state, jobId, updatedAt } }, {
        summary: "Reversal begun",
      });
    };
  });
}

function partOf({ errors: _none, ...part }: CheckedDocument): Omit<CheckedDocument, "errors"> {
  return part;
}

/** Checks a reversal; a document that has changed since stays as it is. */
async function checkReversal(
  transaction: Transaction,
  schema: Schema,
  documents: readonly ReleaseDocument[],
): Promise<CheckedDocument[]> {
  const checked = await checkDocuments(
    transaction,
    schema,
    documents,
    async (present, { after, before, languages }) => {
      const change = { then: after!, to: before! };
      const plan = { ...languages && { languages } };
      const found = await stateToPutBack(transaction, schema, present, plan, change);
      return typeof found === "string" ? null : found;
    },
  );
  // A missing document has changed too.
  return checked.map((one) => ({
    ...one,
    errors: one.errors.filter(({ code }) => code !== "NOT_FOUND"),
  }));
}

function refuseEmpty(checked: readonly CheckedDocument[]): void {
  if (checked.length > 0) return;
  throw new Refusal("CONFLICT", { about: "the release has no documents" });
}

/**
 * Retries the failed job of a release; refuses while it is running. Otherwise returns the id of a job that no
 * longer exists, or null.
 */
async function resumeFailed(
  content: Content,
  id: string,
): Promise<{ resumed: string } | { lost: string | null }> {
  const { context } = content;
  await settleRelease(content, id);
  const { state } = await getRelease(content, id);
  const job = state.jobId === null ? null : await findJob(context.store, state.jobId);
  if (job?.state === "failed") return { resumed: (await retryJob(context, job.id)).id };
  if (job !== null && !isFinished(job.state)) refuseUnderWay(state);
  return { lost: state.jobId };
}
