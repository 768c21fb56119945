/**
 * Releases: documents that become public together, or not at all. This module creates, changes and deletes them;
 * `begin_release.ts` checks and starts a publication or its reversal, `release_step.ts` does the parts,
 * `finish_release.ts` ends it.
 *
 * - **States.** `open` → `scheduled` (has a time) → `publishing` (has a job) → `published` → `reverted`. A publication
 *   that is refused returns the release to `open` with a reason.
 * - **Open release.** One that is open, scheduled or publishing. A document is in at most one of them.
 * - **Part.** What the job does to one document, written in the commit that starts the publication: the version that
 *   was checked, the action, and later its outcome. Parts make the job repeatable after a crash.
 * - **Commit order.** A document that gives up a slug or unique value goes before the one that takes it. A **ring**
 *   takes them from one another and goes in one commit.
 * - **Undo.** If a part is refused, the parts already done are undone in reverse order, so that the release is public as
 *   a whole or not at all.
 * - **Left.** A document that was changed after the check in a way that the release must not overwrite is left as it is,
 *   with the reason.
 *
 * Invariant: all releases share a version key that every write of one checks and touches, so two writes never put a
 * document into two open releases.
 *
 * @module
 */
import { refuseHeldKey } from "../versioning/import_lock.ts";
import { currentKey, releasesKey } from "../keys.ts";
import { type Head, livingEntities, type LivingHead, readHead } from "../versioning/entities.ts";
import type { Content } from "../documents/content.ts";
import { refuseLanguageOf } from "../documents/translations/translations.ts";
import { RELEASE_DOCUMENTS_MAX, RELEASES_MAX, RELEASES_OPEN_MAX } from "../limits/content.ts";
import type { Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Actor } from "../model/entities/entity.ts";
import {
  isOpenRelease,
  type ReleaseDocument,
  type ReleaseInput,
  type ReleasePlan,
  type ReleaseState,
  sharesLanguage,
} from "../model/entities/release.ts";
import { originalOf } from "../model/languages/translation.ts";
import { sameJson } from "../model/values/same_json.ts";
import { isUlid } from "../model/values/ulid.ts";
import { invalid, Refusal } from "../refusals.ts";
import { allSettledOrThrow } from "../store/concurrency.ts";
import type { SaveOptions, Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";
import { readOpenReleases } from "../versioning/open_releases.ts";
import { refusePlanBeyond } from "./release_languages.ts";
import { stageReleaseSchedule } from "./release_schedule.ts";

/** A release with its version number, which conditional requests compare. */
export interface StoredRelease {
  state: ReleaseState;
  /** Version number. */
  n: number;
}

/** Options of a write of a release. */
export interface ReleaseWriteOptions {
  /** Refuses with PRECONDITION_FAILED unless it returns true for the current version. */
  precondition?: (n: number, id: string) => boolean;
  /** Whether the actor may not publish, so scheduled and published releases are refused. */
  draftsOnly?: boolean;
}

/** An existing release in a write. */
export interface ReleaseHead {
  head: LivingHead<"release">;
  state: ReleaseState;
}

/** All releases, newest first. */
export async function listReleases({ context }: Content): Promise<StoredRelease[]> {
  const found: StoredRelease[] = [];
  for await (const { state, row } of livingEntities(context, "release")) {
    found.push({ state, n: row.n });
  }
  return found.reverse();
}

/** A release by id; NOT_FOUND when there is none. */
export async function getRelease({ context }: Content, id: string): Promise<StoredRelease> {
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  const { state, row } = await readHead(context, "release", id, currentKey("release", id));
  if (state === null) throw new Refusal("NOT_FOUND");
  return { state, n: row.n };
}

/** Creates a release. */
export async function createRelease(
  { context }: Content,
  actor: Actor,
  { name, description, publishAt }: ReleaseInput,
): Promise<StoredRelease> {
  return await versionedWrite(context, actor, async (transaction) => {
    await beginWrite(transaction);
    await refuseMany(transaction);
    const id = transaction.newId();
    const { at } = transaction;
    if (publishAt !== null) refusePast(publishAt, at);
    const state: ReleaseState = {
      id,
      name,
      description,
      state: publishAt === null ? "open" : "scheduled",
      publishAt,
      reason: null,
      jobId: null,
      documents: [],
      publishedAt: null,
      createdAt: at,
      updatedAt: at,
    };
    return stageRelease(transaction, { head: transaction.newHead("release", id), state });
  });
}

/** Changes the name, description or time of a release; a null time unschedules it. */
export async function patchRelease(
  content: Content,
  actor: Actor,
  id: string,
  { publishAt, ...words }: Partial<ReleaseInput>,
  options: ReleaseWriteOptions = {},
): Promise<StoredRelease> {
  const ahead = async (transaction: Transaction) => {
    if (publishAt !== undefined) await refusePlansBeyond(transaction, content, id);
  };
  return await changeRelease(content, actor, id, options, ahead, (state, { at }) => {
    const next = { ...state, ...words };
    if (publishAt === undefined || publishAt === state.publishAt) return next;
    refuseUnlessPending(state);
    if (options.draftsOnly) throw new Refusal("FORBIDDEN");
    if (publishAt !== null) refusePast(publishAt, at);
    return {
      ...next,
      state: publishAt === null ? "open" : "scheduled",
      publishAt,
      reason: null,
    };
  });
}

/** Adds a document to a release, or changes its plan. */
export async function putReleaseDocument(
  content: Content,
  actor: Actor,
  id: string,
  documentId: string,
  plan: ReleasePlan,
  options: ReleaseWriteOptions = {},
): Promise<StoredRelease> {
  if (!isUlid(documentId)) throw new Refusal("NOT_FOUND");
  const ahead = ({ context }: Transaction) =>
    allSettledOrThrow([
      readHead(context, "document", documentId, currentKey("document", documentId)),
      content.schema.current(),
      readOpenReleases(context),
    ]);
  return await changeRelease(content, actor, id, options, ahead, (state, { read }) => {
    const [{ state: document }, schema, open] = read;
    refuseUnlessPending(state);
    const found = presentDocument(schema, document);
    refusePlan(actor, found, plan);
    const others = state.documents.filter((document) => document.documentId !== documentId);
    const isNew = others.length === state.documents.length;
    const planned: ReleaseDocument = { documentId, ...plan };
    refuseTaken(open, state.id, [planned], originalOf(found.state, found.collection));
    if (isNew && others.length >= RELEASE_DOCUMENTS_MAX) {
      throw new Refusal("CONFLICT", {
        about: `a release has at most ${RELEASE_DOCUMENTS_MAX} documents`,
      });
    }
    const documents = isNew
      ? [...others, planned]
      : state.documents.map((one) => one.documentId === documentId ? planned : one);
    return { ...state, documents };
  });
}

/** Removes a document from a release. */
export async function removeReleaseDocument(
  content: Content,
  actor: Actor,
  id: string,
  documentId: string,
  options: ReleaseWriteOptions = {},
): Promise<StoredRelease> {
  return await changeRelease(content, actor, id, options, nothing, (state) => {
    const documents = state.documents.filter((document) => document.documentId !== documentId);
    if (documents.length === state.documents.length) {
      throw new Refusal("NOT_FOUND", { about: "the document is not in this release" });
    }
    refuseUnlessPending(state);
    return { ...state, documents };
  });
}

/** Deletes a release; its documents and its history stay. */
export async function removeRelease(
  content: Content,
  actor: Actor,
  id: string,
  options: ReleaseWriteOptions = {},
): Promise<void> {
  await versionedWrite(content.context, actor, async (transaction) => {
    await beginWrite(transaction);
    const { head, state } = await releaseHead(transaction, id);
    refuseForPublic(state, options);
    refuseStale(head, id, options);
    refuseUnderWay(state);
    transaction.save("release", id, head, null);
    stageReleaseSchedule(transaction.operation, transaction.context, id, state, null);
  });
}

/** Starts a write of releases: no other one is committed at the same time. */
export async function beginWrite(transaction: Transaction): Promise<void> {
  await refuseHeldKey(transaction, await transaction.get(releasesKey));
}

/** A release as a write sees it. */
export async function releaseHead(transaction: Transaction, id: string): Promise<ReleaseHead> {
  if (!isUlid(id)) throw new Refusal("NOT_FOUND");
  const head = await transaction.living("release", id);
  return { head, state: head.state };
}

/** Refuses to decide on the publication of languages that the actor may not publish. */
export async function refusePlansBeyond(
  transaction: Transaction,
  content: Content,
  id: string,
): Promise<void> {
  const { actor, context } = transaction;
  if (actor.languagesOn === undefined) return;
  const [{ state: release }, schema] = await allSettledOrThrow([
    releaseHead(transaction, id),
    content.schema.current(),
  ]);
  for (const plan of release.documents) {
    const key = currentKey("document", plan.documentId);
    const { state } = await readHead(context, "document", plan.documentId, key);
    const collection = schema.byId.get(state?.collectionId ?? "");
    if (state !== null && collection) {
      refusePlanBeyond(actor, state, collection, plan, "publish");
    }
  }
}

/** Adds the next state of a release to a commit, with the job that waits for its time. */
export function stageRelease(
  transaction: Transaction,
  { head, state }: { head: Head<"release">; state: ReleaseState },
  options: SaveOptions = {},
): StoredRelease {
  const { operation, context } = transaction;
  const { n } = transaction.save("release", state.id, head, state, options);
  stageReleaseSchedule(operation, context, state.id, head.state, state);
  return { state, n };
}

/** The context of a change: the time, and what was read ahead. */
interface ChangeContext<T> {
  at: number;
  read: T;
}

/** Reads nothing ahead. */
const nothing = () => Promise.resolve(null);

async function changeRelease<T>(
  { context }: Content,
  actor: Actor,
  id: string,
  options: ReleaseWriteOptions,
  ahead: (transaction: Transaction) => Promise<T>,
  change: (state: ReleaseState, current: ChangeContext<T>) => ReleaseState,
): Promise<StoredRelease> {
  return await versionedWrite(context, actor, async (transaction) => {
    await beginWrite(transaction);
    const [{ head, state }, read] = await allSettledOrThrow([
      releaseHead(transaction, id),
      ahead(transaction),
    ]);
    refuseForPublic(state, options);
    refuseStale(head, id, options);
    refuseUnderWay(state);
    const at = Math.max(transaction.at, head.row.at);
    const next = change(state, { at, read });
    if (sameJson(next, state)) return { state, n: head.row.n };
    return stageRelease(transaction, { head, state: { ...next, updatedAt: at } });
  });
}

/** Refuses unless the release is at the version that the caller has seen. */
export function refuseStale(
  head: LivingHead<"release">,
  id: string,
  { precondition }: ReleaseWriteOptions,
): void {
  if (precondition !== undefined && !precondition(head.row.n, id)) {
    throw new Refusal("PRECONDITION_FAILED");
  }
}

/** Refuses while a job works on the release. */
export function refuseUnderWay({ jobId, state }: ReleaseState): void {
  if (jobId === null) return;
  const work = state === "publishing" ? "published" : "reverted";
  throw new Refusal("CONFLICT", { about: `the release is being ${work}` });
}

function refuseForPublic({ state }: ReleaseState, { draftsOnly }: ReleaseWriteOptions): void {
  if (!draftsOnly || state === "open") return;
  throw new Refusal("FORBIDDEN", {
    about: `the release is ${state}, which requires permission to publish`,
  });
}

/** Refuses a release that was already published. */
export function refuseUnlessPending({ state }: ReleaseState): void {
  if (state === "open" || state === "scheduled") return;
  throw new Refusal("CONFLICT", { about: `the release is ${state}` });
}

function refusePast(publishAt: number, at: number): void {
  if (publishAt > at) return;
  throw invalid("publishAt", "TOO_SMALL", "Must be in the future");
}

/** A document that a release is about; refuses one that is gone or trashed. */
function presentDocument({ byId }: Schema, state: DocumentState | null) {
  const collection = byId.get(state?.collectionId ?? "");
  if (state === null || collection === undefined) throw new Refusal("NOT_FOUND");
  if (state.status === "trashed") {
    throw new Refusal("CONFLICT", { about: "the document is trashed" });
  }
  return { state, collection };
}

/** Refuses languages that the document cannot have, or that the actor may not write in. */
function refusePlan(
  actor: Actor,
  { state, collection }: ReturnType<typeof presentDocument>,
  plan: ReleasePlan,
): void {
  const original = originalOf(state, collection);
  for (const [index, code] of [...plan.languages ?? []].entries()) {
    if (plan.languages === "*" || code === original) continue;
    refuseLanguageOf(collection, code, `languages.${index}`);
  }
  refusePlanBeyond(actor, state, collection, plan, "edit");
}

/** Refuses languages of documents that another open release has; `original` is the original language, if known. */
export function refuseTaken(
  open: readonly ReleaseState[],
  releaseId: string,
  plans: readonly ReleaseDocument[],
  original?: string,
): void {
  const wanted = new Map(plans.map((plan) => [plan.documentId, plan]));
  for (const { id, name, documents } of open) {
    const taken = documents.find((plan) => {
      const own = wanted.get(plan.documentId);
      return own !== undefined && sharesLanguage(own, plan, original);
    });
    if (id === releaseId || taken === undefined) continue;
    throw new Refusal("CONFLICT", {
      about: `document ${taken.documentId} is already in the release "${name}"`,
    });
  }
}

/** Refuses more releases than the maximum. */
export async function refuseMany({ context }: Transaction): Promise<void> {
  let all = 0;
  let open = 0;
  for await (const { state } of livingEntities(context, "release")) {
    all += 1;
    if (isOpenRelease(state)) open += 1;
  }
  if (all < RELEASES_MAX && open < RELEASES_OPEN_MAX) return;
  const [max, which] = all < RELEASES_MAX ? [RELEASES_OPEN_MAX, "open "] : [RELEASES_MAX, ""];
  throw new Refusal("CONFLICT", { about: `a site has at most ${max} ${which}releases` });
}
