/**
 * Documents: creating, changing and trashing them, for the headless API, the studio and jobs.
 *
 * @module
 */
import type { Content } from "./content.ts";
import { isUlid } from "../model/values/ulid.ts";
import { type DocumentChange, takenValues } from "./reservations.ts";
import { danglingReferences } from "./dangling_references.ts";
import { afterDueTimes } from "./due_times.ts";
import { schemaOf, stageDocument, type StoredDocument, type WriteResult } from "./write.ts";
import type { JobClass } from "../jobs/job_contract.ts";
import type { LivingHead } from "../versioning/entities.ts";
import { currentKey, type Key } from "../keys.ts";
import { DETAILS_MAX } from "../limits/requests.ts";
import { CREATE_DEADLINE_MS } from "../limits/store.ts";
import { type Collection, getCollection, type Schema } from "../model/entities/collection.ts";
import { type DocumentState, isForPublic, published } from "../model/entities/document.ts";
import { checkComplete } from "../model/input/document_check.ts";
import { type DocumentInput, readDocumentBody } from "../model/input/document_input.ts";
import type { Actor, Json } from "../model/entities/entity.ts";
import { sameJson } from "../model/values/same_json.ts";
import { slugify } from "../model/values/slug.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { derivedSlug } from "./derived_slug.ts";
import type { IdempotentRequest } from "./idempotency.ts";
import type { Assumption } from "../store/commits/assumption.ts";
import { type Entry, keyText } from "../store/operation.ts";
import { noteWritten, optimisticWrite } from "../versioning/optimistic_write.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite, type WriteOptions } from "../versioning/versioned_write.ts";

const TYPE = "document";
/** A JSON body as received. */
export type Body = Record<string, Json>;

/** Options of a document write. */
export interface DocumentWriteOptions {
  /** Whether the body's block tree is written; the headless API ignores it. */
  blocks?: "accept" | "ignore";
  /** Entries that were just read. */
  known?: Entry[];
  /** Assumed entries instead of `known`; the write is then tried once. */
  assumption?: Assumption;
  /** Refuses with PRECONDITION_FAILED unless it returns true for the current version. */
  precondition?: (n: number, id: string, state?: DocumentState | null) => boolean;
  /** Refuses with NOT_FOUND when the document is in another collection. */
  collection?: string;
  /** Whether a trashed document may be changed; the headless API answers NOT_FOUND. */
  trashed?: boolean;
  /** Whether the actor may not publish, so published and scheduled documents are refused. */
  draftsOnly?: boolean;
  /** Whether a patch also publishes the document. */
  publish?: boolean;
  byPlugin?: boolean;
  summary?: string;
  /** Skip flushing pending live edits: for writes that do not change the content. */
  leaveEdits?: boolean;
  /** When a new document was created, and first published, epoch seconds: for imports. */
  createdAt?: number;
  publishedAt?: number;
  /** The user whose document a new one is; the actor if absent. */
  createdBy?: string;
  /** The class of the job that makes the change public; by the actor if absent. */
  class?: JobClass;
  /** The id of a new document; an id that was ever used is refused. */
  id?: string;
  /** The time of a new document's id, epoch milliseconds; now if absent. */
  idAtMs?: number;
  /** Returns what would be written, or the refusal, without writing. */
  dryRun?: boolean;
  /** Runs the write once, however often the request is repeated. */
  idempotent?: IdempotentRequest;
  /** Validation errors of the caller, reported together with the body's. */
  failures?: readonly Detail[];
}

/** Runs a decision on a document as a versioned write, once per idempotency key if there is one. */
export async function documentWrite<T extends StoredDocument & { created?: boolean }>(
  content: Content,
  actor: Actor,
  decide: (transaction: Transaction) => Promise<T>,
  { idempotent, known, assumption, dryRun, deadlineMs }: DocumentWriteOptions & WriteOptions,
): Promise<T> {
  const decideOnce = async (transaction: Transaction) => {
    await idempotent?.begin(transaction);
    const written = await decide(transaction);
    transaction.after(() => Promise.resolve(noteWritten(transaction, TYPE, written.state.id)));
    const { state: { id, slug }, n, created = false } = written;
    // The check of the row covers a record that was read with it: a request that leaves a record changes the row.
    // A row that was read later, or assumed, may be the work of the same request.
    const isReadTogether = (...keys: Key[]) =>
      transaction.attempt === 0 && assumption === undefined &&
      keys.every((key) => known?.some((entry) => keyText(entry.key) === keyText(key)));
    if (idempotent && !created && isReadTogether(idempotent.key, currentKey(TYPE, id))) {
      transaction.operation.optionalCheck(idempotent.key);
    }
    idempotent?.record(transaction, { id, n, slug, created });
    return written;
  };
  const { context } = content;
  const options = {
    ...(known && { known }),
    ...(dryRun && { dryRun }),
    ...(deadlineMs && { deadlineMs }),
  };
  if (assumption) return await optimisticWrite(context, actor, decideOnce, assumption, options);
  return await versionedWrite(context, actor, decideOnce, options);
}

/** Creates a document from a body. */
export async function createDocument(
  content: Content,
  actor: Actor,
  collectionSlug: string,
  body: Body,
  options: DocumentWriteOptions = {},
): Promise<WriteResult> {
  return await documentWrite(
    content,
    actor,
    (transaction) => decideCreate(transaction, content, collectionSlug, body, options),
    { ...options, deadlineMs: CREATE_DEADLINE_MS },
  );
}

/** Stages a new document from a body. */
export async function decideCreate(
  transaction: Transaction,
  content: Content,
  collectionSlug: string,
  body: Body,
  options: DocumentWriteOptions = {},
): Promise<WriteResult & { created: true }> {
  const schema = await schemaOf(transaction, content);
  const collection = getCollection(schema, collectionSlug);
  const head = options.id === undefined ? null : await transaction.head("document", options.id);
  if (head !== null && head.row !== null) {
    throw new Refusal("CONFLICT", { about: "a document with this id exists or existed" });
  }
  const { input, details } = readDocumentBody(body, collection, schema, {
    mode: "create",
    blocks: options.blocks ?? "ignore",
  });
  details.push(...options.failures ?? []);
  const status = input.status ?? "draft";
  const at = transaction.at;
  const createdBy = options.createdBy ?? transaction.actor.userId;
  const state: DocumentState = {
    id: options.id ?? transaction.newDocumentId(options.idAtMs),
    collectionId: collection.id,
    ...(input.originalLanguage && { originalLanguage: input.originalLanguage }),
    slug: input.slug ?? slugify(input.title ?? "", schema.slugs),
    title: input.title ?? "",
    status,
    createdAt: options.createdAt ?? at,
    ...(createdBy !== null && { createdBy }),
    updatedAt: at,
    publishedAt: options.publishedAt ?? (status === "published" ? at : null),
    publishAt: null,
    data: {},
    blocks: input.blocks ?? [],
  };
  setValues(state, input.values);
  const change = { collection, before: null, after: state };
  await refuseInvalid(transaction, schema, change, details);
  if (input.slug === undefined) {
    state.slug = await derivedSlug(transaction, content, collection, state);
  }
  const write = { collection, head, after: state, options };
  return { ...await stageDocument(transaction, content, write), created: true };
}

/** Changes a document by a partial body; a body that changes nothing creates no version. */
export async function patchDocument(
  content: Content,
  actor: Actor,
  id: string,
  body: Body,
  options: DocumentWriteOptions = {},
): Promise<WriteResult> {
  return await documentWrite(
    content,
    actor,
    (transaction) => decidePatch(transaction, content, id, body, options),
    options,
  );
}

/** Stages the change of a document by a partial body. */
export async function decidePatch(
  transaction: Transaction,
  content: Content,
  id: string,
  body: Body,
  options: DocumentWriteOptions = {},
): Promise<WriteResult> {
  const schema = await schemaOf(transaction, content);
  const found = await findHead(transaction, content, schema, id, options);
  if (found === null || (found.state.status === "trashed" && !options.trashed)) {
    return refuseUnfound(schema, body, options);
  }
  const { head, state, collection } = found;
  refuseForPublic(state, options);
  const { input, details, given } = readDocumentBody(body, collection, schema, {
    mode: "patch",
    blocks: options.blocks ?? "ignore",
    current: state,
  });
  const at = Math.max(transaction.at, head.row.at);
  const patched = withInput(state, input);
  const publishes = options.publish === true && state.status !== "published";
  const next = publishes ? published(afterDueTimes(patched, transaction.at).state, at) : patched;
  const change = { collection, before: state, after: next };
  const isUnchanged = sameJson(state, next);
  const failures = [...options.failures ?? [], ...isUnchanged ? given : details];
  if (failures.length > 0) await refuseInvalid(transaction, schema, change, failures);
  refuseStale(head, id, options);
  if (input.status !== undefined && input.status !== state.status) {
    throw new Refusal("STATUS_TRANSITION_NOT_SUPPORTED");
  }
  if (isUnchanged) return { state, n: head.row.n, jobId: null };
  await refuseInvalid(transaction, schema, change, details);
  next.updatedAt = at;
  const { summary = publishes ? "Published" : undefined } = options;
  const how = { ...options, ...(summary !== undefined && { summary }) };
  return await stageDocument(transaction, content, { collection, head, after: next, options: how });
}

/** Refuses a patch of a missing document: validation errors take precedence, so the body is checked first. */
function refuseUnfound(schema: Schema, body: Body, options: DocumentWriteOptions): never {
  const collection = schema.bySlug.get(options.collection ?? "");
  if (collection !== undefined) {
    const { blocks = "ignore" } = options;
    const { details } = readDocumentBody(body, collection, schema, { mode: "patch", blocks });
    if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  }
  throw new Refusal("NOT_FOUND");
}

/** Trashes a document; a trashed one stays as it is. */
export async function trashDocument(
  content: Content,
  actor: Actor,
  id: string,
  options: DocumentWriteOptions = {},
): Promise<StoredDocument> {
  return await documentWrite<StoredDocument>(content, actor, async (transaction) => {
    const schema = await schemaOf(transaction, content);
    const found = await documentHead(transaction, content, schema, id, options);
    const { head, state, collection } = found;
    if (state.status === "trashed") return { state, n: head.row.n };
    refuseForPublic(state, options);
    refuseStale(head, id, options);
    const at = Math.max(transaction.at, head.row.at);
    const next: DocumentState = { ...state, status: "trashed", publishAt: null, updatedAt: at };
    return await stageDocument(transaction, content, { collection, head, after: next, options });
  }, options);
}

/** A document at the start of a write. */
interface DocumentHead {
  head: LivingHead<"document">;
  state: DocumentState;
  collection: Collection;
}

/** Reads a document for a write, with its live edits; refuses one that is missing or elsewhere. */
export async function documentHead(
  transaction: Transaction,
  content: Content,
  schema: Schema,
  id: string,
  options: DocumentWriteOptions = {},
): Promise<DocumentHead> {
  const found = await findHead(transaction, content, schema, id, options);
  if (found === null) throw new Refusal("NOT_FOUND");
  return found;
}

async function findHead(
  transaction: Transaction,
  content: Content,
  schema: Schema,
  id: string,
  options: DocumentWriteOptions,
): Promise<DocumentHead | null> {
  // The collection may have been renamed or deleted since the request began.
  if (options.collection !== undefined) getCollection(schema, options.collection);
  if (!isUlid(id)) return null;
  if (!options.leaveEdits) await content.settleEdits(transaction, content, id);
  const head = await transaction.head("document", id);
  if (head.state === null) return null;
  const { state } = head;
  const collection = schema.byId.get(state.collectionId);
  if (collection === undefined) return null;
  const isElsewhere = options.collection !== undefined && collection.slug !== options.collection;
  return isElsewhere ? null : { head, state, collection };
}

function refuseForPublic({ status }: DocumentState, { draftsOnly }: DocumentWriteOptions): void {
  if (!draftsOnly || !isForPublic(status)) return;
  throw new Refusal("FORBIDDEN", {
    about: `the document is ${status}, which requires permission to publish`,
  });
}

/** Refuses unless the document is at the version that the caller has seen. */
export function refuseStale(
  { row, state }: LivingHead<"document">,
  id: string,
  { precondition }: DocumentWriteOptions,
): void {
  if (precondition !== undefined && !precondition(state.originalVersion ?? row.n, id, state)) {
    throw new Refusal("PRECONDITION_FAILED");
  }
}

/** Refuses a state that may not be public: required values are missing, or references are dangling. */
export async function refuseIncomplete(
  transaction: Transaction,
  state: DocumentState,
  collection: Collection,
  schema: Schema,
): Promise<void> {
  const { details, references } = checkComplete(state, collection, schema);
  details.push(...await danglingReferences(transaction, schema, references));
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
}

/** Refuses a body with all of its errors, and those of the resulting state. */
async function refuseInvalid(
  transaction: Transaction,
  schema: Schema,
  { collection, before, after }: DocumentChange & { after: DocumentState },
  details: Detail[],
): Promise<void> {
  if (after.status === "published") {
    const complete = checkComplete(after, collection, schema);
    const known = new Set(details.map(({ field }) => field));
    details.push(...complete.details.filter(({ field }) => !known.has(field)));
    // References that were dangling before the change are not its fault.
    const held = before === null ? [] : checkComplete(before, collection, schema).references;
    const kept = new Set(held.map(({ kind, id }) => `${kind} ${id}`));
    const added = complete.references.filter(({ kind, id }) => !kept.has(`${kind} ${id}`));
    details.push(...await danglingReferences(transaction, schema, added));
  }
  if (details.length === 0) return;
  details.push(...await takenValues(transaction, { collection, before, after }));
  throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
}

/** Applies a body to a state. */
export function withInput(state: DocumentState, input: DocumentInput): DocumentState {
  const next: DocumentState = { ...state, data: { ...state.data } };
  if (input.title !== undefined) next.title = input.title;
  if (input.slug !== undefined) next.slug = input.slug;
  if (input.blocks !== undefined) next.blocks = input.blocks;
  setValues(next, input.values);
  return next;
}

function setValues(state: DocumentState, values: Record<string, Json>): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) delete state.data[key];
    else state.data[key] = value;
  }
}
