/**
 * The states of a document and their transitions: publish, unpublish, archive, untrash, schedule, remove. Each
 * is one versioned write; the public site follows by a job of the same commit.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { schemaOf, stageDocument, stagePublication, type WriteResult } from "./write.ts";
import { documentHead, refuseIncomplete } from "./documents.ts";
import { afterDueTimes } from "./due_times.ts";
import { canExpire } from "./schedule_jobs.ts";
import { INSTANT_SECONDS_MAX } from "../limits/requests.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { type DocumentState, published, type Status } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { hasWorkingCopy, laidOver } from "../model/entities/working_copy.ts";
import { invalid, Refusal } from "../refusals.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

interface Move {
  from: readonly Status[];
  summary: string;
  /** Changes a copy of the current state into the next one; may refuse. */
  change: (
    next: DocumentState,
    attempt: { transaction: Transaction; collection: Collection; schema: Schema },
  ) => Promise<void> | void;
}

async function move(content: Content, actor: Actor, id: string, how: Move): Promise<WriteResult> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (!how.from.includes(state.status)) {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const at = Math.max(transaction.at, head.row.at);
    const next: DocumentState = { ...state, updatedAt: at };
    await how.change(next, { transaction, collection, schema });
    const isSameEnd = next.unpublishAt === state.unpublishAt;
    if (next.status === state.status && next.publishAt === state.publishAt && isSameEnd) {
      return { state, n: head.row.n, jobId: null };
    }
    const options = { summary: how.summary };
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

/**
 * Publishes a document, or the working copy of a published one. A published document without changes is
 * published again as it is.
 */
export async function publishDocument(
  content: Content,
  actor: Actor,
  id: string,
): Promise<WriteResult> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const found = await documentHead(transaction, content, schema, id);
    const { head, collection } = found;
    if (found.state.status === "trashed") {
      throw new Refusal("CONFLICT", { about: "the document is trashed" });
    }
    // Times that are due take effect before this publication, even if their jobs have not run yet.
    const { state, passed } = afterDueTimes(found.state, transaction.at);
    if (state.status === "published" && !hasWorkingCopy(state) && passed.length === 0) {
      await refuseIncomplete(transaction, state, collection, schema);
      const { n } = head.row;
      const change = { id, n, before: state, after: state };
      const jobId = stagePublication(transaction, collection, change);
      return { state, n, jobId };
    }
    const at = Math.max(transaction.at, head.row.at);
    const next = published(laidOver(state), at);
    await refuseIncomplete(transaction, next, collection, schema);
    const options = { summary: hasWorkingCopy(state) ? "Changes published" : "Published" };
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

/** Returns a published document to draft. */
export function unpublishDocument(
  content: Content,
  actor: Actor,
  id: string,
): Promise<WriteResult> {
  return move(content, actor, id, {
    from: ["published"],
    summary: "Unpublished",
    change: (next) => void (next.status = "draft"),
  });
}

/** Archives a document: it is kept, but neither public nor worked on. */
export function archiveDocument(content: Content, actor: Actor, id: string): Promise<WriteResult> {
  return move(content, actor, id, {
    from: ["draft", "published", "scheduled"],
    summary: "Archived",
    change: (next) => {
      next.status = "archived";
      next.publishAt = null;
    },
  });
}

/** Returns a trashed or archived document to draft. */
export function untrashDocument(content: Content, actor: Actor, id: string): Promise<WriteResult> {
  return move(content, actor, id, {
    from: ["trashed", "archived"],
    summary: "Untrashed",
    change: (next) => void (next.status = "draft"),
  });
}

/**
 * Removes a document from the trash: no list, search or reference finds it any more. Its slug and values are
 * already free; its versions stay, and restoring one brings it back. CONFLICT unless it is in the trash, so
 * that a document which was just taken out of it is not lost.
 */
export async function removeDocument(content: Content, actor: Actor, id: string): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (state.status !== "trashed") {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const options = { summary: "Removed from the trash" };
    await stageDocument(transaction, content, { collection, head, after: null, options });
  });
}

/** Sets when a document that is or will be public is unpublished; null for never. */
export function endPublication(
  content: Content,
  actor: Actor,
  id: string,
  unpublishAt: number | null,
): Promise<WriteResult> {
  return versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (!canExpire(state)) {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    if (unpublishAt === (state.unpublishAt ?? null)) return { state, n: head.row.n, jobId: null };
    const { unpublishAt: _before, ...never } = state;
    const next = unpublishAt === null ? never : { ...state, unpublishAt };
    if (unpublishAt !== null) {
      refuseEnd(unpublishAt, Math.max(transaction.at, state.publishAt ?? 0));
    }
    const summary = unpublishAt === null ? "Publication has no end" : "End of publication set";
    const options = { summary, republish: false };
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  });
}

function refuseEnd(unpublishAt: number, earliest: number): void {
  if (unpublishAt <= earliest) {
    throw invalid(
      "unpublishAt",
      "TOO_SMALL",
      "Must be later than now and later than the publication",
    );
  }
  if (unpublishAt > INSTANT_SECONDS_MAX) {
    throw invalid("unpublishAt", "TOO_LARGE", "Must be seconds, not milliseconds");
  }
}

/**
 * Sets when a document is published and, if given, unpublished; null returns a scheduled document to draft.
 */
export function scheduleDocument(
  content: Content,
  actor: Actor,
  id: string,
  publishAt: number | null,
  unpublishAt?: number | null,
): Promise<WriteResult> {
  if (publishAt === null) {
    return move(content, actor, id, {
      from: ["scheduled", "draft"],
      summary: "Schedule cancelled",
      change: (next) => {
        next.status = "draft";
        next.publishAt = null;
      },
    });
  }
  return move(content, actor, id, {
    from: ["draft", "scheduled", "archived"],
    summary: "Scheduled",
    change: (next, { transaction }) => {
      if (publishAt <= transaction.at) {
        throw invalid("publishAt", "TOO_SMALL", "Must be in the future");
      }
      if (publishAt > INSTANT_SECONDS_MAX) {
        throw invalid("publishAt", "TOO_LARGE", "Must be seconds, not milliseconds");
      }
      next.status = "scheduled";
      next.publishAt = publishAt;
      if (unpublishAt === undefined) return refusePublishAfterEnd(publishAt, next);
      delete next.unpublishAt;
      if (unpublishAt === null) return;
      refuseEnd(unpublishAt, publishAt);
      next.unpublishAt = unpublishAt;
    },
  });
}

/** A document cannot be published after its end of publication. */
function refusePublishAfterEnd(publishAt: number, { unpublishAt }: DocumentState): void {
  if (unpublishAt === undefined || publishAt < unpublishAt) return;
  throw invalid("publishAt", "TOO_LARGE", "Must be earlier than the end of the publication");
}
