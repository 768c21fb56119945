/**
 * The states of a document and the ways between them that the admin has: publish, unpublish, archive,
 * untrash, schedule, remove. Each is one versioned write; what follows in public is a job of the same commit.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { publicationClass, schemaOf, stageDocument, type Written } from "./write.ts";
import { documentHead, refuseIncomplete } from "./documents.ts";
import { afterDueTimes } from "./due_times.ts";
import { mayEnd } from "./schedule_jobs.ts";
import { addJob } from "../jobs/jobs.ts";
import { INSTANT_SECONDS_MAX } from "../limits.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { type DocumentState, published, type Status } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import { changedTags } from "../model/fields/tags.ts";
import { hasWorkingCopy, laidOver } from "../model/entities/working_copy.ts";
import { invalid, Refusal } from "../refusals.ts";
import { CHANGED_TAGS_MAX } from "../tuning.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

interface Move {
  from: readonly Status[];
  summary: string;
  /** The next state, from a copy of the present one; may refuse. */
  change: (
    next: DocumentState,
    attempt: { transaction: Transaction; collection: Collection; schema: Schema },
  ) => Promise<void> | void;
}

async function move(content: Content, actor: Actor, id: string, how: Move): Promise<Written> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (!how.from.includes(state.status)) {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const at = Math.max(transaction.at, head.row!.at);
    const next: DocumentState = { ...state, updatedAt: at };
    await how.change(next, { transaction, collection, schema });
    const isSameEnd = next.unpublishAt === state.unpublishAt;
    if (next.status === state.status && next.publishAt === state.publishAt && isSameEnd) {
      return { state, n: head.row!.n, jobId: null };
    }
    const { summary } = how;
    return (await stageDocument(transaction, content, collection, head, next, { summary }))!;
  });
}

/**
 * Publishes a document, or the working copy of a published one; a published one without changes is published
 * again as it stands.
 */
export async function publishDocument(
  content: Content,
  actor: Actor,
  id: string,
): Promise<Written> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const found = await documentHead(transaction, content, schema, id);
    const { head, collection } = found;
    if (found.state.status === "trashed") {
      throw new Refusal("CONFLICT", { about: "the document is trashed" });
    }
    // Times that are due already come before this publication, even if their jobs have not run yet.
    const { state, passed } = afterDueTimes(found.state, transaction.at);
    if (state.status === "published" && !hasWorkingCopy(state) && passed.length === 0) {
      await refuseIncomplete(transaction, state, collection, schema);
      const places = [state.publishedAt];
      const { slug } = state;
      const { n } = head.row!;
      const tags = changedTags(collection, state, state);
      const payload = {
        documentId: id,
        collectionId: collection.id,
        slug,
        n,
        places,
        ...(tags.length > 0 && { tags: tags.slice(0, CHANGED_TAGS_MAX) }),
      };
      const { operation, context } = transaction;
      const jobId = addJob(operation, context, {
        type: "PUBLISH",
        payload,
        class: publicationClass(actor),
      });
      return { state, n, jobId };
    }
    const at = Math.max(transaction.at, head.row!.at);
    const next = published(laidOver(state), at);
    await refuseIncomplete(transaction, next, collection, schema);
    const options = { summary: hasWorkingCopy(state) ? "Changes published" : "Published" };
    return (await stageDocument(transaction, content, collection, head, next, options))!;
  });
}

/** Takes a published document back to draft. */
export function unpublishDocument(content: Content, actor: Actor, id: string): Promise<Written> {
  return move(content, actor, id, {
    from: ["published"],
    summary: "Unpublished",
    change: (next) => void (next.status = "draft"),
  });
}

/** Archives a document: kept, but neither public nor in work. */
export function archiveDocument(content: Content, actor: Actor, id: string): Promise<Written> {
  return move(content, actor, id, {
    from: ["draft", "published", "scheduled"],
    summary: "Archived",
    change: (next) => {
      next.status = "archived";
      next.publishAt = null;
    },
  });
}

/** Takes a document out of the trash, or out of the archive, as a draft. */
export function untrashDocument(content: Content, actor: Actor, id: string): Promise<Written> {
  return move(content, actor, id, {
    from: ["trashed", "archived"],
    summary: "Untrashed",
    change: (next) => void (next.status = "draft"),
  });
}

/**
 * Removes a document from the trash: no list, search or reference finds it any more. Its slug and values are
 * free already; its versions stay, and restoring one brings it back. CONFLICT for what is not in the trash, so
 * that a document that was taken out of it meanwhile is not lost.
 */
export async function removeDocument(content: Content, actor: Actor, id: string): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (state.status !== "trashed") {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const options = { summary: "Removed from the trash" };
    await stageDocument(transaction, content, collection, head, null, options);
  });
}

/** Sets when the publication of a document, which is public or will be, ends; null: never. */
export function endPublication(
  content: Content,
  actor: Actor,
  id: string,
  unpublishAt: number | null,
): Promise<Written> {
  return versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (!mayEnd(state)) throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    if (unpublishAt === (state.unpublishAt ?? null)) return { state, n: head.row!.n, jobId: null };
    const { unpublishAt: _before, ...never } = state;
    const next = unpublishAt === null ? never : { ...state, unpublishAt };
    if (unpublishAt !== null) {
      refuseEnd(unpublishAt, Math.max(transaction.at, state.publishAt ?? 0));
    }
    const summary = unpublishAt === null ? "Publication has no end" : "End of publication set";
    const options = { summary, republish: false };
    return (await stageDocument(transaction, content, collection, head, next, options))!;
  });
}

function refuseEnd(unpublishAt: number, earliest: number): void {
  if (unpublishAt <= earliest) {
    throw invalid("unpublishAt", "TOO_SMALL", "Must be later than now, and than the publication");
  }
  if (unpublishAt > INSTANT_SECONDS_MAX) {
    throw invalid("unpublishAt", "TOO_LARGE", "Must be seconds, not milliseconds");
  }
}

/**
 * Sets when a document is to be published, and when that ends, if it is said; null takes a scheduled one back to
 * draft.
 */
export function scheduleDocument(
  content: Content,
  actor: Actor,
  id: string,
  publishAt: number | null,
  unpublishAt?: number | null,
): Promise<Written> {
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

/** A document that keeps its end of publication cannot be published after it. */
function refusePublishAfterEnd(publishAt: number, { unpublishAt }: DocumentState): void {
  if (unpublishAt === undefined || publishAt < unpublishAt) return;
  throw invalid("publishAt", "TOO_LARGE", "Must be earlier than the end of the publication");
}
