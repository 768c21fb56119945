/**
 * The working copy of a published document: changed and discarded like any other part of it, by versioned
 * writes, without anything becoming public.
 *
 * @module
 */
import type { Content } from "./content.ts";
import {
  type Body,
  documentHead,
  type DocumentWriteOptions,
  refuseStale,
  withInput,
} from "./documents.ts";
import { isSlugTaken, takenForGood, takenValueDetails } from "./reservations.ts";
import { schemaOf, stageDocument, type StoredDocument } from "./write.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { readDocumentBody } from "../model/input/document_input.ts";
import type { Actor } from "../model/entities/entity.ts";
import { sameJson } from "../model/values/same_json.ts";
import { hasWorkingCopy, laidOver, withEdited } from "../model/entities/working_copy.ts";
import { Refusal } from "../refusals.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Changes the working copy of a document by a partial body, and makes one where there is none. */
export async function patchWorkingCopy(
  content: Content,
  actor: Actor,
  id: string,
  body: Body,
  options: DocumentWriteOptions = {},
): Promise<StoredDocument> {
  return await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (state.status !== "published") {
      throw new Refusal("CONFLICT", { about: `the document is ${state.status}` });
    }
    const before = laidOver(state);
    // The requirements of a public document are checked when the changes are published.
    const current: DocumentState = { ...before, status: "draft" };
    const { input, details } = readDocumentBody(body, collection, schema, {
      mode: "patch",
      blocks: "accept",
      current,
    });
    if (input.status !== undefined && input.status !== "published") {
      throw new Refusal("STATUS_TRANSITION_NOT_SUPPORTED");
    }
    const edited = withInput(before, input);
    const taken = await takenForGood(transaction, { collection, before, after: edited });
    details.push(...takenValueDetails(taken));
    if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
    if (isSlugTaken(taken)) throw new Refusal("SLUG_CONFLICT");
    refuseStale(head, id, options);
    const next = withEdited(state, edited);
    if (sameJson(next, state)) return { state, n: head.row.n };
    const { summary = "Working copy changed" } = options;
    const saved = { summary, republish: false };
    return await stageDocument(transaction, content, {
      collection,
      head,
      after: next,
      options: saved,
    });
  });
}

/** Discards the working copy of a document; NOT_FOUND when there is none. */
export async function discardWorkingCopy(
  content: Content,
  actor: Actor,
  id: string,
  options: DocumentWriteOptions = {},
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const { head, state, collection } = await documentHead(transaction, content, schema, id);
    if (!hasWorkingCopy(state)) {
      throw new Refusal("NOT_FOUND", { about: "there are no unpublished changes" });
    }
    refuseStale(head, id, options);
    const { workingCopy: _discarded, ...next } = state;
    const saved = { summary: "Changes discarded", republish: false };
    await stageDocument(transaction, content, { collection, head, after: next, options: saved });
  });
}
