/**
 * The prerendered store: every page of the public site by its path, ready to be sent. Small pages lie
 * in their row, large ones in the object store under a key that is never used again.
 *
 * @module
 */
import type { Context } from "../context.ts";
import {
  pageKey,
  pageObjectKey,
  pagePlaceKey,
  pagePrefix,
  pageReferrerKey,
  pageReferrerPrefix,
  pageSeriesKey,
} from "../keys.ts";
import { CHUNK_BYTES } from "../limits.ts";
import type { DocumentPage, Page } from "../model/page.ts";
import { pageObjectPath, PAGES_PREFIX } from "../objects/paths.ts";
import { sha256 } from "../model/sha256.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** A page as it is kept. */
export interface PageRow {
  contentType: string;
  /** SHA-256 of the body, and the ETag. */
  hash: string;
  bytes: number;
  tags: string[];
  documentId?: string;
  /** The body, when it fits. */
  body?: Uint8Array;
  /** Key of the body in the object store, when it does not. */
  object?: string;
}

/** Where a document's own page is, and what it shows of others. */
interface Place {
  path: string;
  references: string[];
}

/** How many pages a series has; its entry is what every writer of the series checks. */
export type Series = Entry<{ pages: number }>;

/** The page at a path: one read. */
export async function findPage(store: Store, path: string): Promise<PageRow | null> {
  return (await store.get<PageRow>(pageKey(path))).value;
}

/** The body of a page; null when the page was replaced meanwhile and must be read again. */
export async function readPageBody(context: Context, row: PageRow): Promise<Uint8Array | null> {
  if (row.body !== undefined) return row.body;
  return await context.objects.get(row.object!);
}

/**
 * Adds a page to a commit; false when it is stored already, byte for byte. What it was rendered from
 * must be checked in the same commit: the document's live row, or the {@linkcode Series}.
 */
export async function putPage(
  context: Context,
  operation: Operation,
  page: Page,
): Promise<boolean> {
  const { value: before } = await context.store.get<PageRow>(pageKey(page.path));
  const row: PageRow = {
    contentType: page.contentType,
    hash: sha256(page.body),
    bytes: page.body.byteLength,
    tags: page.tags,
  };
  if (page.documentId !== undefined) row.documentId = page.documentId;
  if (before !== null && isSame(before, row)) return false;
  if (row.bytes <= CHUNK_BYTES) row.body = page.body;
  else row.object = await putBody(context, operation, page);
  operation.set(pageKey(page.path), row);
  return true;
}

/** Adds the removal of whatever is at a path; a body in the object store is left to the sweep. */
export function removePage(operation: Operation, path: string): void {
  operation.delete(pageKey(path));
}

/**
 * Adds a document's own page, and the removal of the one at its former path. `live` is the live row that
 * it was rendered from: a commit that comes too late for the newest state fails.
 */
export async function putDocumentPage(
  context: Context,
  operation: Operation,
  page: DocumentPage,
  live: Entry,
): Promise<boolean> {
  operation.check(live);
  const { documentId, path, references } = page;
  const { value: before } = await context.store.get<Place>(pagePlaceKey(documentId));
  const hasMoved = before !== null && before.path !== path;
  if (hasMoved) await removeOwn(context, operation, documentId, before.path);
  if (before?.path !== path || before.references.join() !== references.join()) {
    operation.set(pagePlaceKey(documentId), { path, references } satisfies Place);
    moveReferences(operation, documentId, before?.references ?? [], references);
  }
  const changed = await putPage(context, operation, page);
  return changed || hasMoved;
}

/** Adds the removal of a document's own page, wherever it is; false when there is none. */
export async function removeDocumentPage(
  context: Context,
  operation: Operation,
  documentId: string,
  live: Entry,
): Promise<boolean> {
  operation.check(live);
  const { value: place } = await context.store.get<Place>(pagePlaceKey(documentId));
  if (place === null) return false;
  await removeOwn(context, operation, documentId, place.path);
  moveReferences(operation, documentId, place.references, []);
  operation.delete(pagePlaceKey(documentId));
  return true;
}

/** Documents whose pages are to be rendered again when this document or medium has changed. */
export async function* listReferrers(store: Store, targetId: string): AsyncGenerator<string> {
  for await (const { key } of store.list({ prefix: pageReferrerPrefix(targetId) })) {
    yield key[2] as string;
  }
}

/** The present length of a series of pages; read before what the pages are rendered from. */
export async function readSeries(store: Store, series: string): Promise<Series> {
  return await store.get<{ pages: number }>(pageSeriesKey(series));
}

/**
 * Adds the new length of a series. Of two writers that read the same series, one fails, and renders
 * again from what the other could not yet see.
 */
export function putSeries(operation: Operation, before: Series, pages: number): void {
  operation.check(before).set(before.key, { pages });
}

/** Every page with its path, in order of path. */
export async function* listPages(store: Store): AsyncGenerator<{ path: string; row: PageRow }> {
  for await (const { key, value } of store.list<PageRow>({ prefix: pagePrefix })) {
    if (value !== null) yield { path: key[1] as string, row: value };
  }
}

/**
 * Whether an object below {@linkcode PAGES_PREFIX} is nobody's body any more; forgets it then. One that is
 * younger than a day may belong to a commit that is still to come.
 */
export async function isOrphanedPage(context: Context, objectKey: string): Promise<boolean> {
  const key = pageObjectKey(objectKey.slice(PAGES_PREFIX.length));
  const { value: path } = await context.store.get<string>(key);
  if (path === null) return true;
  if ((await findPage(context.store, path))?.object === objectKey) return false;
  await context.store.commit(new Operation().delete(key));
  return true;
}

/** Another document may have taken over the path since: its page stays. */
async function removeOwn(
  context: Context,
  operation: Operation,
  documentId: string,
  path: string,
): Promise<void> {
  const entry = await context.store.get<PageRow>(pageKey(path));
  if (entry.value?.documentId !== documentId) return;
  operation.check(entry);
  removePage(operation, path);
}

function moveReferences(
  operation: Operation,
  documentId: string,
  before: string[],
  after: string[],
): void {
  for (const target of before) {
    if (!after.includes(target)) operation.delete(pageReferrerKey(target, documentId));
  }
  for (const target of after) {
    if (!before.includes(target)) operation.set(pageReferrerKey(target, documentId), 1);
  }
}

async function putBody(context: Context, operation: Operation, page: Page): Promise<string> {
  const id = context.newId(context.now());
  await context.objects.put(pageObjectPath(id), page.body, { contentType: page.contentType });
  operation.set(pageObjectKey(id), page.path);
  return pageObjectPath(id);
}

function isSame(a: PageRow, b: PageRow): boolean {
  return a.hash === b.hash && a.contentType === b.contentType && a.documentId === b.documentId &&
    a.tags.join() === b.tags.join();
}
