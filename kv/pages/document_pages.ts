/**
 * Documents' own pages: where each is, what it shows of others, and the rule that of two renderings the
 * one that has read later stays.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { CurrentRow } from "../versioning/entities.ts";
import { currentKey, type Key } from "../keys.ts";
import { indexVersionKey } from "../index/index_keys.ts";
import {
  pageKey,
  pageLocationKey,
  pageReferrerKey,
  pageReferrerPrefix,
  pageVersionKey,
} from "./page_keys.ts";
import type { DocumentPage } from "../model/entities/page.ts";
import { type Entry, Operation, StaleRead } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { type PageRow, putPage, removePage } from "./pages.ts";

/** The location of a document's own page, and the documents and media it shows. */
interface PageLocation {
  /** Null when references are registered for a page that is still to come. */
  path: string | null;
  /** Whether the publish that renders the first page notes it among those of its tags; absent once it is there. */
  isNoted?: true;
  references?: string[];
  /** Digest of the parts that other pages show; absent for pages rendered by earlier releases. */
  shownElsewhere?: string;
}

/** The entries of a document and its page; read before everything that the page shows. */
export interface DocumentPageEntries {
  documentId: string;
  /** Touched by every rendering of the page, checked by the next. */
  version: Entry;
  current: Entry<CurrentRow>;
  location: Entry<PageLocation>;
  /** The page at the expected path. */
  page?: Entry<PageRow>;
  /** The index version of the collection that it is expected in. */
  indexVersion?: Entry;
}

/**
 * The entries that {@linkcode readDocumentPage} most likely reads for a document that has never been rendered,
 * except the document itself. A commit that checks them detects a wrong assumption.
 */
export async function assumeNoPage(
  store: Store,
  documentId: string,
  { path, collectionId }: { path: string; collectionId: string },
): Promise<DocumentPageEntries> {
  const [current, indexVersion] = await store.getMany([
    currentKey("document", documentId),
    indexVersionKey(collectionId),
  ]);
  return {
    documentId,
    version: absent(pageVersionKey(documentId)),
    current: current as Entry<CurrentRow>,
    location: absent(pageLocationKey(documentId)),
    page: absent(pageKey(path)),
    indexVersion: indexVersion,
  };
}

function absent<T>(key: Key): Entry<T> {
  return { key, value: null, versionstamp: null };
}

/** Reads what {@linkcode putDocumentPage} and {@linkcode removeDocumentPage} need, in one reading. */
export async function readDocumentPage(
  store: Store,
  documentId: string,
  expected?: { path: string; collectionId: string },
): Promise<DocumentPageEntries> {
  const keys = [
    pageVersionKey(documentId),
    currentKey("document", documentId),
    pageLocationKey(documentId),
  ];
  if (expected !== undefined) {
    keys.push(pageKey(expected.path), indexVersionKey(expected.collectionId));
  }
  const [version, current, location, page, indexVersion] = await store.getMany(keys);
  return {
    documentId,
    version: version!,
    current: current as Entry<CurrentRow>,
    location: location as Entry<PageLocation>,
    ...(page !== undefined && { page: page as Entry<PageRow> }),
    ...(indexVersion !== undefined && { indexVersion }),
  };
}

/** Whether a document has no page yet. */
export function isPageToCome({ location }: DocumentPageEntries): boolean {
  return (location.value?.path ?? null) === null;
}

/** How the references of a page are registered. */
export interface RegisterOptions {
  /** Whether a page that is still to come is noted among those of its tags when it is there. */
  isNoted?: boolean;
  /** Whether a page that is still to come is registered even if it shows nothing of others. */
  always?: boolean;
}

/**
 * Registers what a page is about to show of others, before that is read: a writer that changes one of them from
 * then on finds the page among its referrers. Commits only when there is something new.
 */
export async function registerReferences(
  store: Store,
  entries: DocumentPageEntries,
  references: readonly string[],
  { isNoted = false, always = false }: RegisterOptions = {},
): Promise<DocumentPageEntries> {
  const { documentId, version, current, location } = entries;
  const known = location.value?.references ?? [];
  const fresh = references.filter((id) => !known.includes(id));
  const isToCome = isPageToCome(entries);
  const isUnknown = always && isToCome &&
    (location.value === null || location.value.isNoted === true);
  if (fresh.length === 0 && !isUnknown) return entries;
  const { isNoted: _, ...kept } = location.value ?? { path: null };
  const value: PageLocation = {
    ...kept,
    ...(isNoted && isToCome && { isNoted: true as const }),
    references: [...known, ...fresh],
  };
  const operation = new Operation().check(current).check(version).touch(version.key)
    .set(location.key, value);
  for (const id of fresh) operation.set(pageReferrerKey(id, documentId), 1);
  const result = await store.commit(operation);
  if (!result.ok) throw new StaleRead(version.key);
  const { versionstamp } = result;
  return {
    ...entries,
    version: { ...version, value: 1, versionstamp },
    location: { ...location, value, versionstamp },
  };
}

/**
 * Adds a document's own page, and the removal of the one at its former path; answers whether anything
 * public changes. A commit that comes too late for the newest state, or after a later rendering, fails.
 */
export async function putDocumentPage(
  context: Context,
  operation: Operation,
  page: DocumentPage,
  entries: DocumentPageEntries,
  shownElsewhere?: string,
): Promise<boolean> {
  const { documentId, version, current, location } = entries;
  const { path, references } = page;
  operation.check(current).check(version).touch(version.key);
  const before = location.value?.references ?? [];
  const formerPath = location.value?.path ?? null;
  const hasMoved = formerPath !== null && formerPath !== path;
  if (hasMoved) await removeOwn(context.store, operation, documentId, formerPath);
  const isSame = formerPath === path && before.join() === references.join();
  if (!isSame || location.value?.shownElsewhere !== shownElsewhere) {
    const shown = shownElsewhere === undefined ? {} : { shownElsewhere };
    operation.set(location.key, { path, references, ...shown } satisfies PageLocation);
    moveReferences(operation, documentId, before, references);
  }
  return await putPage(context, operation, page, entries.page) || hasMoved;
}

/**
 * Those of some documents whose pages are there or being rendered. The others are left to their publishes, which note
 * them when they have rendered their first pages.
 */
export async function withoutAwaited(store: Store, documentIds: string[]): Promise<string[]> {
  const locations = await store.getMany(documentIds.map(pageLocationKey));
  return documentIds.filter((_id, at) => {
    const location = locations[at]?.value as PageLocation | null;
    return location !== null && location.isNoted !== true;
  });
}

/** Adds the removal of a document's own page, wherever it is; false when there is none. */
export async function removeDocumentPage(
  store: Store,
  operation: Operation,
  { documentId, version, current, location }: DocumentPageEntries,
): Promise<boolean> {
  operation.check(current).check(version).touch(version.key);
  if (location.value === null) return false;
  const { path, references = [] } = location.value;
  moveReferences(operation, documentId, references, []);
  operation.delete(location.key);
  if (path === null) return false;
  await removeOwn(store, operation, documentId, path);
  return true;
}

/** Whether the page of any document shows something of this document or medium. */
export async function hasReferrers(store: Store, targetId: string): Promise<boolean> {
  return (await store.listAll({ prefix: pageReferrerPrefix(targetId) }, { limit: 1 })).length > 0;
}

/** Another document may have taken over the path since: its page stays. */
async function removeOwn(
  store: Store,
  operation: Operation,
  documentId: string,
  path: string,
): Promise<void> {
  const entry = await store.get<PageRow>(pageKey(path));
  if (entry.value?.documentId !== documentId) return;
  operation.check(entry);
  removePage(operation, path);
}

function moveReferences(
  operation: Operation,
  documentId: string,
  before: readonly string[],
  after: readonly string[],
): void {
  const [was, is] = [new Set(before), new Set(after)];
  for (const id of was) if (!is.has(id)) operation.delete(pageReferrerKey(id, documentId));
  for (const id of is) if (!was.has(id)) operation.set(pageReferrerKey(id, documentId), 1);
}
