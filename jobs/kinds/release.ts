/**
 * RELEASE: publishes the documents of a release, or puts back what they were. What is to be done was checked
 * and written down before; each document then is a commit of its own, many at a time. Those that take a slug or
 * a unique value go first, after the document that gives it up; those that swap go in one commit. If one of them conflicts with current data after all, the others are
 * undone: all of them, or none.
 *
 * @module
 */
import type { Content } from "../../kv/documents/content.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { detailLines, Refusal } from "../../kv/refusals.ts";
import { settleRelease, stageDuePublication } from "../../kv/releases/begin_release.ts";
import { stageEnd } from "../../kv/releases/finish_release.ts";
import { readParts, type ReleasePart } from "../../kv/releases/release_parts.ts";
import {
  commitParts,
  leaveParts,
  type PartsOfCommit,
  type ReleaseRun,
} from "../../kv/releases/release_step.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import {
  finish,
  giveUp,
  type JobKind,
  jobKind,
  next,
  type OutcomeOf,
  waitUntil,
  type Work,
} from "../runner/job_kind.ts";

/** Documents committed at the same time: their commits share fsyncs. */
const AT_ONCE = 25;

const SUPERSEDED = finish({ note: "The release is no longer scheduled for this time" });

/** The kind of job that publishes and reverts releases. */
export function releaseKind(content: Content): JobKind<"RELEASE"> {
  return jobKind("RELEASE", {
    check: (work) => check(content, work),
    documents: (work) => commitAll(content, work, "do"),
    undo: async (work) => {
      if (work.results.documents?.refused == null) return next();
      await commitAll(content, work, "undo");
      return next();
    },
    finish: (work) => end(content, work),
  });
}

/** At its time, everything is checked; by hand it was before the job. */
async function check(
  content: Content,
  work: Work<"RELEASE">,
): Promise<OutcomeOf<"RELEASE", "check">> {
  const { payload: { releaseId, publishAt }, jobId, context } = work;
  if (publishAt === null) return next({ documents: (await readParts(context, jobId)).length });
  if (Math.floor(context.now() / 1_000) < publishAt) return waitUntil(publishAt * 1_000);
  await settleRelease(content, releaseId).catch(ignoreGone);
  return await versionedWrite(content.context, UNATTENDED, async (transaction) => {
    const due = await stageDuePublication(transaction, content, {
      id: releaseId,
      publishAt,
      jobId,
    });
    if ("superseded" in due) return SUPERSEDED;
    const outcome = "reason" in due ? giveUp(due.reason) : next(due);
    return work.commitWith(transaction.operation, outcome);
  });
}

function ignoreGone(error: unknown): void {
  if (!(error instanceof Refusal) || error.code !== "NOT_FOUND") throw error;
}

async function commitAll(
  content: Content,
  work: Work<"RELEASE">,
  how: "do" | "undo",
): Promise<OutcomeOf<"RELEASE", "documents">> {
  const { context, jobId } = work;
  const run = runOf(content, work);
  const parts = (await readParts(context, jobId)).filter(({ outcome, undone }) =>
    how === "do" ? outcome === undefined : undone === undefined
  );
  const orders = [...new Set(parts.map(({ turn: order }) => order))].sort((a, b) => a - b);
  // What was done last is undone first.
  for (const order of how === "do" ? orders : orders.reverse()) {
    const commits = commitsOf(parts.filter((part) => part.turn === order));
    for (let from = 0; from < commits.length; from += AT_ONCE) {
      work.signal.throwIfAborted();
      const some = commits.slice(from, from + AT_ONCE);
      const refusals = await Promise.all(some.map((commit) => commitOne(run, commit, how)));
      const refused = refusals.find((reason) => reason !== null);
      if (refused !== undefined && how === "do") return next({ refused });
    }
  }
  return next({ refused: null }, { done: parts.length, total: parts.length });
}

/** Documents of one turn by the commits that they go in: each alone, but those of a ring together. */
function commitsOf(parts: readonly (ReleasePart & { id: string })[]): PartsOfCommit[] {
  const commits = new Map<string, PartsOfCommit>();
  for (const { id, ring, collectionId } of parts) {
    const [first = id] = ring;
    commits.set(first, { ids: ring.length === 0 ? [id] : ring, collectionId });
  }
  return [...commits.values()];
}

/** Commits one or some parts together; answers why that is refused, or null. */
async function commitOne(
  run: ReleaseRun,
  commit: PartsOfCommit,
  how: "do" | "undo",
): Promise<string | null> {
  try {
    await commitParts(run, commit, how);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal) || !isLasting(error)) throw error;
    const { details } = error.facts;
    const words = details === undefined ? error.message : detailLines(details).join(", ");
    if (how === "undo") await leaveParts(run, commit.ids, words);
    const who = commit.ids.length === 1 ? "document" : "documents";
    return `${who} ${commit.ids.join(", ")}: ${words}`;
  }
}

/** Whether trying again does not change it: unlike a store that is busy, or held by an import. */
function isLasting({ code, facts: { details } }: Refusal): boolean {
  return details !== undefined || code === "SLUG_CONFLICT" || code === "PAYLOAD_TOO_LARGE";
}

function runOf(content: Content, { payload, jobId }: Work<"RELEASE">): ReleaseRun {
  const { releaseId, publishAt, userId } = payload;
  const isScheduled = publishAt !== null;
  return {
    content,
    jobId,
    releaseId,
    actor: isScheduled ? UNATTENDED : { userId },
    time: publishAt,
    class: isScheduled ? "scheduled" : "interactive",
  };
}

async function end(
  content: Content,
  work: Work<"RELEASE">,
): Promise<OutcomeOf<"RELEASE", "finish">> {
  const { payload: { releaseId, action }, jobId } = work;
  const refused = work.results.documents?.refused ?? null;
  return await versionedWrite(content.context, runOf(content, work).actor, async (transaction) => {
    const released = await stageEnd(transaction, { releaseId, jobId, action, refused });
    const outcome: OutcomeOf<"RELEASE", "finish"> = released === null
      ? finish({ note: "The release is another one by now" })
      : refused === null
      ? next(released)
      : giveUp(refused);
    return work.commitWith(transaction.operation, outcome);
  });
}
