/**
 * The prerendered store: every page of the public site by its path, ready to be sent. Small pages lie
 * in their row, large ones in the object store under a key that is never used again.
 *
 * @module
 */
import { gunzipSync } from "node:zlib";
import type { Context } from "../context.ts";
import { pageKey, pageObjectKey } from "./page_keys.ts";
import { CHUNK_BYTES } from "../limits/store.ts";
import { markdownPath, type Page } from "../model/entities/page.ts";
import { pageObjectPath, PAGES_PREFIX } from "../objects/paths.ts";
import { sha256 } from "../model/values/sha256.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { embedOrigin } from "../model/values/embed.ts";
import type { Store } from "../store/store.ts";
import { COMPRESSED_PAGE_BYTES_MIN } from "../tuning.ts";
import { compressed } from "./page_compression.ts";

/** A page as it is kept. */
export interface PageRow {
  contentType: string;
  /** SHA-256 of the body, or of its pieces' digests, and the ETag. */
  hash: string;
  bytes: number;
  tags: string[];
  /** The language of the page, where the site has several. */
  language?: string;
  documentId?: string;
  /** The path that visitors are led to instead. */
  leadsTo?: string;
  /** Set if the page can be had as Markdown. Earlier releases stored that in another row, and its digest here. */
  markdown?: true | string;
  /** Set when search engines must leave out what is served, which says so in a header: Markdown has no head. */
  noindex?: true;
  /** Set when the page frames players of other services, which its headers then allow. */
  frames?: true;
  /** Of the hosts that the site allows besides: those that the page frames. */
  frameHosts?: string[];
  /** Set when the stored body is compressed; `hash` and `bytes` are those of the body itself. */
  gzip?: true;
  /** The body, when it fits. */
  body?: Uint8Array;
  /** Key of the body in the object store, when it does not. */
  object?: string;
}

/** The content type of Markdown (RFC 7763). */
export const MARKDOWN_TYPE = "text/markdown; charset=utf-8";

/** The page at a path: one read. */
export async function findPage(store: Store, path: string): Promise<PageRow | null> {
  return (await store.get<PageRow>(pageKey(path))).value;
}

/** The body of a page; null if the page has been replaced and must be read again. */
export async function readPageBody(context: Context, row: PageRow): Promise<Uint8Array | null> {
  const stored = await readStoredBody(context, row);
  return stored === null || !row.gzip ? stored : gunzipSync(stored);
}

/** The same for clients that accept compression; the row says whether it is compressed. */
export async function readCompressedBody(
  context: Context,
  row: PageRow,
): Promise<Uint8Array | null> {
  return await readStoredBody(context, row);
}

async function readStoredBody(context: Context, row: PageRow): Promise<Uint8Array | null> {
  if (row.body !== undefined) return row.body;
  return row.object === undefined ? null : await context.objects.get(row.object);
}

/**
 * Adds a page to a commit; false when it is stored already, byte for byte. What it was rendered from must be checked in the same commit: the document's current row, or the
 * {@linkcode Series}. `known` is what lies at the path, where that was read already.
 */
export async function putPage(
  context: Context,
  operation: Operation,
  page: Page,
  known?: Entry<PageRow>,
): Promise<boolean> {
  const isKnown = known?.key[1] === page.path;
  const { value: before } = isKnown ? known : await context.store.get<PageRow>(pageKey(page.path));
  const row = rowOf(page, page.contentType, page.body);
  if (page.markdown !== undefined) row.markdown = true;
  if (page.leadsTo !== undefined) row.leadsTo = page.leadsTo;
  if (before !== null && isSame(before, row)) return false;
  await setRow(context, operation, page.path, row, page.body);
  if (typeof before?.markdown === "string") operation.delete(pageKey(markdownPath(page.path)));
  return true;
}

/** A page as a row that holds its body, for pages that are not stored. */
export function packPage(page: Page): PageRow & { body: Uint8Array } {
  const row = rowOf(page, page.contentType, page.body);
  if (page.markdown !== undefined) row.markdown = true;
  if (page.leadsTo !== undefined) row.leadsTo = page.leadsTo;
  return Object.assign(row, { body: storedBody(row, page.body) });
}

function rowOf(
  { tags, language, documentId, frameHosts = [] }: Page,
  contentType: string,
  body: Uint8Array,
): PageRow {
  const row: PageRow = { contentType, hash: sha256(body), bytes: body.byteLength, tags };
  if (language !== undefined) row.language = language;
  if (documentId !== undefined) row.documentId = documentId;
  if (contentType.startsWith("text/html")) addFrames(row, body, frameHosts);
  return row;
}

/** Says of a page whether it frames anything, and of which hosts. */
function addFrames(row: PageRow, body: Uint8Array, hosts: readonly string[]): void {
  const framed = framedHosts(body, hosts);
  if (framed === null) return;
  row.frames = true;
  if (framed.length > 0) row.frameHosts = framed;
}

/** Of the hosts that a site allows besides: those that a page frames; null where it frames nothing at all. */
export function framedHosts(body: Uint8Array, hosts: readonly string[]): string[] | null {
  const text = new TextDecoder("latin1").decode(body);
  if (!text.includes("<iframe ")) return null;
  return hosts.filter((host) => text.includes(`"${embedOrigin(host)}/`));
}

async function setRow(
  context: Context,
  operation: Operation,
  path: string,
  row: PageRow,
  whole: Uint8Array,
): Promise<void> {
  const body = storedBody(row, whole);
  if (body.byteLength <= CHUNK_BYTES) row.body = body;
  else row.object = await putBody(context, operation, { path, contentType: row.contentType }, body);
  operation.set(pageKey(path), row);
}

/** Adds pages to a commit under the conditions of {@linkcode putPage}; answers how many were new or changed. */
export async function putPages(
  context: Context,
  operation: Operation,
  pages: Page[],
  known: readonly Entry<PageRow>[] = [],
): Promise<number> {
  const knownAt = new Map(known.map((entry) => [entry.key[1], entry]));
  const put = await Promise.all(
    pages.map((page) => putPage(context, operation, page, knownAt.get(page.path))),
  );
  return put.filter((changed) => changed).length;
}

/** Adds the removal of what is at a path; a body in the object store is left to the sweep. */
export function removePage(operation: Operation, path: string): void {
  operation.delete(pageKey(path));
  operation.delete(pageKey(markdownPath(path)));
}

/**
 * Whether an object below {@linkcode PAGES_PREFIX} is no longer the body of a page; forgets it then. One that is
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

/**
 * Feeds and sitemaps are long, alike from line to line, and written again and again; a style sheet is what the first
 * view of a site waits for: they are compressed.
 */
function storedBody(row: PageRow, body: Uint8Array): Uint8Array {
  const isCompressible = /^(?:application\/|text\/css|text\/html)/.test(row.contentType);
  if (!isCompressible || body.byteLength < COMPRESSED_PAGE_BYTES_MIN) return body;
  row.gzip = true;
  return compressed(body);
}

async function putBody(
  context: Context,
  operation: Operation,
  { path, contentType }: Pick<Page, "path" | "contentType">,
  body: Uint8Array,
): Promise<string> {
  const id = context.newId(context.now());
  await context.objects.put(pageObjectPath(id), body, { contentType });
  operation.set(pageObjectKey(id), path);
  return pageObjectPath(id);
}

function isSame(a: PageRow, b: PageRow): boolean {
  return a.hash === b.hash && a.contentType === b.contentType && a.documentId === b.documentId &&
    a.markdown === b.markdown && a.leadsTo === b.leadsTo && a.tags.join() === b.tags.join() &&
    a.language === b.language && a.frameHosts?.join() === b.frameHosts?.join();
}
