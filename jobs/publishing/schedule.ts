/**
 * SCHEDULE: publishes a document when its time has come, or ends its publication, as nobody in particular. A document that is
 * not complete by then returns to draft, and history says why.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { schemaOf, stageDocument } from "../../kv/documents/write.ts";
import { documentHead, refuseIncomplete } from "../../kv/documents/documents.ts";
import { type DocumentState, published } from "../../kv/model/document.ts";
import { UNATTENDED } from "../../kv/model/entity.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Transaction } from "../../kv/transaction.ts";
import { versionedWrite } from "../../kv/versioned_write.ts";
import { REASONS_CHARS_MAX } from "../limits.ts";
import {
  finish,
  giveUp,
  type JobKind,
  jobKind,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";

const SUPERSEDED = finish({ note: "The document is no longer scheduled for this time" });

/** The kind of job that publishes a document at its time. */
export function scheduleKind(content: Content): JobKind<"SCHEDULE"> {
  return jobKind("SCHEDULE", {
    publish: async (work) => {
      const { payload } = work;
      const time = "publishAt" in payload ? payload.publishAt : payload.unpublishAt;
      if (Math.floor(work.context.now() / 1000) < time) return waitUntil(time * 1000);
      const change = "publishAt" in payload ? publish : unpublish;
      return await versionedWrite(
        content.context,
        UNATTENDED,
        (transaction) => change(content, transaction, work, time),
      );
    },
  });
}

type Outcome = OutcomeOf<"SCHEDULE", "publish">;

async function publish(
  content: Content,
  transaction: Transaction,
  work: Work<"SCHEDULE">,
  publishAt: number,
): Promise<Outcome> {
  const found = await dueDocument(content, transaction, work);
  if (found?.state.status !== "scheduled" || found.state.publishAt !== publishAt) {
    return SUPERSEDED;
  }
  const { schema, state, collection, at } = found;
  const next = published(state, at);
  const reason = await reasonAgainst(() => refuseIncomplete(transaction, next, collection, schema));
  if (reason === null) return await found.stage(next, "Published on schedule");
  const draft: DocumentState = { ...state, status: "draft", publishAt: null, updatedAt: at };
  const summary = `Not published on schedule: ${reason}`;
  await stageDocument(transaction, content, collection, found.head, draft, { summary });
  return work.seal(transaction.operation, giveUp(summary));
}

async function unpublish(
  content: Content,
  transaction: Transaction,
  work: Work<"SCHEDULE">,
  unpublishAt: number,
): Promise<Outcome> {
  const found = await dueDocument(content, transaction, work);
  if (found?.state.status !== "published" || found.state.unpublishAt !== unpublishAt) {
    return SUPERSEDED;
  }
  const next: DocumentState = { ...found.state, status: "draft", updatedAt: found.at };
  return await found.stage(next, "Unpublished on schedule");
}

/** The document of a schedule, with the time of its change; null when it is gone. */
async function dueDocument(
  content: Content,
  transaction: Transaction,
  { payload, seal }: Work<"SCHEDULE">,
) {
  const schema = await schemaOf(transaction, content);
  const found = await documentHead(transaction, content, schema, payload.documentId).catch(
    nullIfGone,
  );
  if (found === null) return null;
  const { collection, head } = found;
  /** Writes the document as it is from now on, and ends the step in the same commit. */
  const stage = async (next: DocumentState, summary: string): Promise<Outcome> => {
    const options = { summary, class: "scheduled" as const };
    const written = await stageDocument(transaction, content, collection, head, next, options);
    return seal(transaction.operation, finish({ jobId: written!.jobId }));
  };
  return { ...found, schema, at: Math.max(transaction.at, head.row!.at), stage };
}

function nullIfGone(error: unknown): null {
  if (error instanceof Refusal && error.code === "NOT_FOUND") return null;
  throw error;
}

/** Why a document may not be public; null when it may. */
async function reasonAgainst(check: () => Promise<void>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || error.facts.details === undefined) throw error;
    const reasons = error.facts.details.map(({ field, message }) => `${field}: ${message}`);
    return reasons.join("; ").slice(0, REASONS_CHARS_MAX);
  }
}
