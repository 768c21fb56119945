/**
 * The end of a publication or reversal: the outcomes of its documents are recorded, and subscribers are
 * notified.
 *
 * @module
 */
import { recordChange } from "../changes/change_log.ts";
import { requestFanOut } from "../jobs/fan_out_request.ts";
import type { Released } from "../jobs/results.ts";
import type { ReleaseDocument, ReleaseState } from "../model/entities/release.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { deleteParts, type PartOutcome, readParts, type ReleasePart } from "./release_parts.ts";
import { beginWrite, stageRelease } from "./releases.ts";

/** A finished part. */
type Part = ReleasePart & { id: string };

/** How a job of a release ends. */
export interface ReleaseEnd {
  releaseId: string;
  jobId: string;
  action: "publish" | "revert";
  /** Why it was undone, or null. */
  refused: string | null;
}

/** Adds the end of a job to a commit; null if another job has the release. */
export async function stageEnd(
  transaction: Transaction,
  { releaseId, jobId, action, refused }: ReleaseEnd,
): Promise<Released | null> {
  const { operation, context } = transaction;
  await beginWrite(transaction);
  const head = await transaction.head("release", releaseId);
  const parts = await readParts(context, jobId);
  deleteParts(operation, jobId, parts);
  if (head.state === null || head.state.jobId !== jobId) return null;
  const { state } = head;
  const at = Math.max(transaction.at, head.row.at);
  const ended = refused !== null
    ? undone(state, parts, refused, action)
    : action === "publish"
    ? publishedWith(state, parts, at)
    : reverted(state, parts);
  const next: ReleaseState = { ...ended, jobId: null, updatedAt: at };
  const summary = refused === null ? SUMMARIES[action] : `Not ${action}ed: ${refused}`;
  const { n } = stageRelease(transaction, { head, state: next }, { summary });
  if (action === "publish" && refused === null) {
    const change = { collectionId: "", before: null, after: null, at, id: releaseId, n };
    recordChange(operation, { ...change, event: "release.published" });
    requestFanOut(operation, context);
  }
  return summaryOf(parts, refused === null ? "outcome" : "undone");
}

const SUMMARIES = { publish: "Published", revert: "Reverted" } as const;

function publishedWith(state: ReleaseState, parts: readonly Part[], at: number): ReleaseState {
  const outcomes = new Map(parts.map(({ id, outcome }) => [id, outcome]));
  const documents = state.documents.map((
    { documentId, action, languages },
  ): ReleaseDocument => ({
    documentId,
    action,
    ...(languages !== undefined && { languages }),
    ...outcomes.get(documentId),
  }));
  return { ...state, state: "published", documents, publishedAt: at };
}

function reverted(state: ReleaseState, parts: readonly Part[]): ReleaseState {
  const outcomes = new Map(parts.map(({ id, outcome }) => [id, outcome]));
  const documents = state.documents.map((document): ReleaseDocument => {
    const left = outcomes.get(document.documentId)?.left;
    return left === undefined ? document : { ...document, left };
  });
  return { ...state, state: "reverted", documents };
}

function undone(
  state: ReleaseState,
  parts: readonly Part[],
  refused: string,
  action: ReleaseEnd["action"],
): ReleaseState {
  const titles = parts.flatMap(({ title, undone }) =>
    undone?.left === undefined ? [] : [`"${title}" stays as it is: ${undone.left}`]
  );
  const reason = [refused, ...titles].join("; ");
  return { ...state, state: action === "publish" ? "open" : "published", reason };
}

function summaryOf(parts: readonly Part[], which: "outcome" | "undone"): Released {
  const outcomes = parts.flatMap((part): (PartOutcome & { id: string; title: string })[] => {
    const outcome = part[which];
    return outcome === undefined ? [] : [{ ...outcome, id: part.id, title: part.title }];
  });
  return {
    documents: parts.length,
    changed: outcomes.filter(({ before, after }) => before !== after).length,
    left: outcomes.flatMap(({ id, title, left }) =>
      left === undefined ? [] : [{ id, title, reason: left }]
    ),
  };
}
