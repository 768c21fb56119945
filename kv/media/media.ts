/**
 * Media: created from an upload, described, deleted softly, brought back, and in the end removed for
 * good. Equal bytes are stored once.
 *
 * The row of a digest says which object holds the bytes. Every upload that uses the row sets it again, so
 * that a removal of the object notices.
 *
 * @module
 */
import { versionHoldsKey } from "../versioning/backup_keys.ts";
import { sameJson } from "../model/values/same_json.ts";
import type { Context } from "../context.ts";
import {
  type CurrentRow,
  readHead,
  type VersionRow,
  versionState,
} from "../versioning/entities.ts";
import { refuseDuringImport } from "../versioning/import_lock.ts";
import { areVersionsHeld } from "../versioning/version_holds.ts";
import {
  currentKey,
  mediaBytesKey,
  versionIdKey,
  versionKey,
  versionNoteKey,
  versionPrefix,
} from "../keys.ts";
import { assignFolderAndTags, withDescription } from "./description.ts";
import { discard } from "./discard.ts";
import type { MediaList } from "./media_list.ts";
import type { MediaRow } from "../versioning/media_row.ts";
import type { Upload } from "./upload.ts";
import { type Actor, UNATTENDED } from "../model/entities/entity.ts";
import {
  looksTheSame,
  MEDIA_RETENTION_SECONDS,
  type MediaFacts,
  type MediaPatch,
  type MediaState,
  renamedFor,
} from "../model/entities/media.ts";
import { distinctTags, tagForm } from "../model/entities/media_folder.ts";
import { mediaFilename } from "../model/values/media_name.ts";
import { mediaPath } from "../objects/paths.ts";
import { requestReferrerRendering } from "../pages/rendering_requests.ts";
import { TAGS_MAX } from "../limits/media.ts";
import { invalid, Refusal } from "../refusals.ts";
import { recordPruned } from "../versioning/timeline/log.ts";
import type { IdempotentRequest } from "../documents/idempotency.ts";
import type { Entry, Operation } from "../store/operation.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** The row of a digest. */
export interface MediaBytesRow {
  object: string;
}

/** Versions that one commit removes together with its tombstone. */
const VERSIONS_PER_COMMIT = 200;

const TYPE = "media_metadata";

/** How a write is made. */
export interface MediaWriteOptions {
  /** Entries read just now. */
  known?: Entry[];
  /** Carries the write out once, however often the same request comes. */
  idempotent?: IdempotentRequest;
  /** Refuses with PRECONDITION_FAILED unless it answers true for the current state. */
  precondition?: (state: MediaState) => boolean;
}

/** The new place of a medium: a folder (given, or computed from the present one; empty for none), and tags. */
export interface Organization {
  folder?: string | ((present: string) => string);
  addTags?: readonly string[];
  removeTags?: readonly string[];
}

/** How a medium is made. */
export interface NewMediaOptions extends MediaWriteOptions {
  id?: string;
  /** Recorded with the version. */
  summary?: string;
  /** Adds to the commit that makes the medium. */
  also?: (transaction: Transaction, state: MediaState, n: number) => void;
  /** Answers a medium among these that has the same bytes instead of making another one. */
  unlessAmong?: MediaList;
}

/** Makes a medium of an upload; when the same bytes are there already, it shares them. */
export async function createMedia(
  context: Context,
  actor: Actor,
  upload: Upload,
  facts: MediaFacts,
  { id: givenId, known = [], idempotent, unlessAmong, summary, also }: NewMediaOptions = {},
): Promise<MediaState> {
  const state = await versionedWrite(context, actor, async (transaction) => {
    await idempotent?.begin(transaction);
    await refuseDuringImport(transaction);
    const { object: uploaded, ...measured } = upload;
    const shared = await sharedObject(transaction, upload.sha256);
    const object = shared ?? uploaded;
    // Read after the row of the digest: a concurrent upload of the same bytes sets that row.
    if (unlessAmong !== undefined && shared !== null) {
      const present = await presentAmong(transaction, unlessAmong, upload.sha256);
      if (present !== null) return present;
    }
    transaction.operation.set(mediaBytesKey(upload.sha256), { object } satisfies MediaBytesRow);
    const id = givenId ?? transaction.newId();
    const times = { createdAt: transaction.at, updatedAt: transaction.at, deletedAt: null };
    const made: MediaState = { id, ...facts, ...measured, object, ...times };
    const head = transaction.newHead(TYPE, id);
    const { n } = transaction.save(TYPE, id, head, made, summary === undefined ? {} : { summary });
    also?.(transaction, made, n);
    idempotent?.record(transaction, { id, n, slug: "", created: true });
    return made;
  }, { known });
  await discard(context, upload, state);
  return state;
}

/** The oldest medium with these bytes that is not deleted. */
async function presentAmong(
  transaction: Transaction,
  mediaList: MediaList,
  digest: string,
): Promise<MediaState | null> {
  const fits = ({ sha256, deletedAt }: MediaRow) => sha256 === digest && deletedAt === null;
  const rows = await mediaList.find(fits);
  for (const { id } of rows.sort((a, b) => a.createdAt - b.createdAt)) {
    const { state } = await transaction.head(TYPE, id);
    if (state !== null && fits(state)) return state;
  }
  return null;
}

/** The object that already holds these bytes, if it is really there. */
async function sharedObject(transaction: Transaction, sha256: string): Promise<string | null> {
  const { value } = await transaction.get<MediaBytesRow>(mediaBytesKey(sha256));
  if (value === null) return null;
  const found = await transaction.context.objects.head(mediaPath(value.object));
  return found === null ? null : value.object;
}

/** A medium, deleted or not; null when there is none. */
export async function findMedia(context: Context, id: string): Promise<MediaState | null> {
  const { state } = await readHead(context, TYPE, id, currentKey(TYPE, id));
  return state;
}

/** A version of a medium; null when it is not kept. */
export async function mediumAtVersion(
  context: Context,
  id: string,
  n: number,
): Promise<MediaState | null> {
  const { value } = await context.store.get<VersionRow>(versionKey(TYPE, id, n));
  return value === null ? null : await versionState(context, TYPE, id, value);
}

/** The medium of a current row that was read by this request, deleted or not; null when there is none. */
export async function mediumOfEntry(
  context: Context,
  id: string,
  entry: Entry<CurrentRow>,
): Promise<MediaState | null> {
  const { state } = await readHead(context, TYPE, id, entry.key, entry);
  return state;
}

/** A medium that is not deleted. */
export async function getMedia(context: Context, id: string): Promise<MediaState> {
  const state = await findMedia(context, id);
  if (state === null || state.deletedAt !== null) throw new Refusal("NOT_FOUND");
  return state;
}

/** Changes what is said of a medium. */
export async function patchMedia(
  context: Context,
  actor: Actor,
  id: string,
  patch: MediaPatch,
  options: MediaWriteOptions = {},
): Promise<MediaState> {
  const filename = patch.filename === undefined ? undefined : mediaFilename(patch.filename);
  return await changeMedia(context, actor, id, (state) => {
    if (state.deletedAt !== null) throw new Refusal("NOT_FOUND");
    return withDescription(state, { ...patch, ...(filename !== undefined && { filename }) });
  }, options);
}

/** Moves a medium, adds tags and takes some away; concurrent changes by others stay. */
export async function organizeMedium(
  context: Context,
  actor: Actor,
  id: string,
  { folder, addTags = [], removeTags = [] }: Organization,
): Promise<MediaState> {
  const removed = new Set(removeTags.map(tagForm));
  return await changeMedia(context, actor, id, (state) => {
    if (state.deletedAt !== null) throw new Refusal("NOT_FOUND");
    const kept = (state.tags ?? []).filter((tag) => !removed.has(tagForm(tag)));
    const tags = distinctTags([...kept, ...addTags]);
    if (tags.length > TAGS_MAX) {
      throw invalid("addTags", "TOO_LONG", `${state.filename} must have at most ${TAGS_MAX} tags`);
    }
    const next = { ...state };
    assignFolderAndTags(next, {
      tags,
      ...(folder !== undefined && { folder: folderFrom(state, folder) }),
    });
    return next;
  });
}

function folderFrom({ folder = "" }: MediaState, change: Organization["folder"]): string {
  return typeof change === "function" ? change(folder) : change ?? folder;
}

/**
 * Gives a medium other bytes. It stays what documents point to; the old bytes stay what its older versions
 * need, and what is behind the old address.
 */
export async function replaceMedia(
  context: Context,
  actor: Actor,
  id: string,
  upload: Upload,
): Promise<MediaState> {
  const state = await versionedWrite(context, actor, async (transaction) => {
    await refuseDuringImport(transaction);
    const head = await transaction.head(TYPE, id);
    if (head.state === null || head.state.deletedAt !== null) throw new Refusal("NOT_FOUND");
    const before = head.state;
    const { object: uploaded, ...measured } = upload;
    const { credentials } = upload;
    const bringsCredentials = credentials !== undefined &&
      credentials.sha256 !== before.credentials?.sha256;
    if (measured.sha256 === before.sha256 && !bringsCredentials) return before;
    const object = await sharedObject(transaction, upload.sha256) ?? uploaded;
    transaction.operation.set(mediaBytesKey(upload.sha256), { object } satisfies MediaBytesRow);
    const updatedAt = Math.max(transaction.at, head.row.at);
    const next: MediaState = { ...before, ...measured, object, updatedAt, replaced: true };
    if (next.mime !== before.mime) next.filename = renamedFor(before.filename, next.mime);
    // What the point and the crops were in the old picture says nothing of the new one.
    delete next.focus;
    delete next.crops;
    if (upload.asIs === undefined) delete next.asIs;
    if (upload.credentials === undefined) delete next.credentials;
    transaction.save(TYPE, id, head, next, { summary: "replaced" });
    requestReferrerRendering(transaction.operation, context, id);
    return next;
  });
  await discard(context, upload, state);
  return state;
}

/** Records that the bytes of a medium have no variants, unless it has other bytes by now. */
export async function recordAsIs(context: Context, { id, sha256 }: MediaState): Promise<void> {
  const actor = { ...UNATTENDED, via: "Image check" };
  await changeMedia(
    context,
    actor,
    id,
    (state) => state.sha256 === sha256 ? { ...state, asIs: true } : state,
    { summary: "has no variants" },
  );
}

/** Deletes a medium softly. */
export async function deleteMedia(
  context: Context,
  actor: Actor,
  id: string,
  options: MediaWriteOptions = {},
): Promise<MediaState> {
  return await changeMedia(
    context,
    actor,
    id,
    (state, at) => ({ ...state, deletedAt: state.deletedAt ?? at }),
    { ...options, summary: "deleted" },
  );
}

/** Brings a deleted medium back, within its retention. */
export async function undeleteMedia(
  context: Context,
  actor: Actor,
  id: string,
): Promise<MediaState> {
  return await changeMedia(context, actor, id, (state, at) => {
    if (isOverdue(state, at)) throw new Refusal("NOT_FOUND");
    return { ...state, deletedAt: null };
  }, { summary: "undeleted" });
}

/** Whether a deleted medium may be removed for good. */
export function isOverdue({ deletedAt }: MediaState, at: number): boolean {
  return deletedAt !== null && at - deletedAt > MEDIA_RETENTION_SECONDS;
}

async function changeMedia(
  context: Context,
  actor: Actor,
  id: string,
  change: (state: MediaState, at: number) => MediaState,
  { summary, idempotent, known = [], precondition }: MediaWriteOptions & { summary?: string } = {},
): Promise<MediaState> {
  return await versionedWrite(context, actor, async (transaction) => {
    await idempotent?.begin(transaction);
    await refuseDuringImport(transaction);
    const head = await transaction.living(TYPE, id);
    const { state } = head;
    const next = change(state, transaction.at);
    // What is deleted already stays so, whatever state of it was meant.
    if (state.deletedAt === null && precondition?.(state) === false) {
      throw new Refusal("PRECONDITION_FAILED");
    }
    const answered = (n: number) =>
      idempotent?.record(transaction, { id, n, slug: "", created: false });
    if (sameJson(next, state)) {
      answered(head.row.n);
      return state;
    }
    next.updatedAt = Math.max(transaction.at, head.row.at);
    const options = summary === undefined ? {} : { summary };
    answered(transaction.save(TYPE, id, head, next, options).n);
    if (!looksTheSame(state, next)) requestReferrerRendering(transaction.operation, context, id);
    return next;
  }, { known });
}

/**
 * Removes an overdue medium for good: a tombstone is its newest version, and the older ones go, so that
 * nothing needs its bytes any more. Answers whether it was removed.
 */
export async function removeMedia(context: Context, id: string): Promise<boolean> {
  while (await removeOldVersions(context, id));
  const via = { ...UNATTENDED, via: "SWEEP_MEDIA" };
  return await versionedWrite(context, via, async (transaction) => {
    await refuseDuringImport(transaction);
    if (await holdsVersions(transaction)) return false;
    const head = await transaction.head(TYPE, id);
    if (head.state === null || !isOverdue(head.state, transaction.at)) return false;
    transaction.save(TYPE, id, head, null, { summary: "removed after its retention" });
    for (const row of await oldestVersions(context, id, head.row.n + 1)) {
      stageVersionRemoval(transaction.operation, id, row);
    }
    recordPruned(transaction.operation, TYPE, id, { end: head.row.n + 1 });
    requestReferrerRendering(transaction.operation, context, id);
    return true;
  });
}

/** Makes room: removes a commit's worth of versions while more than that are left. */
async function removeOldVersions(context: Context, id: string): Promise<boolean> {
  const current = await context.store.get<CurrentRow>(currentKey(TYPE, id));
  if (current.value === null || current.value.gone) return false;
  const rows = await oldestVersions(context, id, current.value.n);
  if (rows.length < VERSIONS_PER_COMMIT) return false;
  return await versionedWrite(context, UNATTENDED, async (transaction) => {
    await refuseDuringImport(transaction);
    if (await holdsVersions(transaction)) return false;
    const { state } = await transaction.head(TYPE, id);
    if (state === null || !isOverdue(state, transaction.at)) return false;
    for (const row of rows) {
      stageVersionRemoval(transaction.operation, id, row);
    }
    recordPruned(transaction.operation, TYPE, id, { end: rows.at(-1)!.n + 1 });
    return true;
  });
}

/** Removes a version with its notes: its name, and the gap that may begin after it. */
function stageVersionRemoval(operation: Operation, id: string, { n, vid }: VersionRow): void {
  operation.delete(versionKey(TYPE, id, n)).delete(versionIdKey(vid))
    .delete(versionNoteKey(TYPE, id, n)).delete(versionNoteKey(TYPE, id, n + 1));
}

/** Whether a backup needs the versions; if none does, none starts before the commit. */
async function holdsVersions(transaction: Transaction): Promise<boolean> {
  return areVersionsHeld(transaction.context, await transaction.get(versionHoldsKey));
}

/** The oldest versions of a medium before number `n`. */
async function oldestVersions(context: Context, id: string, n: number): Promise<VersionRow[]> {
  const range = { prefix: versionPrefix(TYPE, id), end: versionKey(TYPE, id, n) };
  const entries = await context.store.listAll<VersionRow>(range, { limit: VERSIONS_PER_COMMIT });
  return entries.map((entry) => entry.value);
}
