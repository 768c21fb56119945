/**
 * Which document references what: a row for each id that a document references, written in the document's own
 * commit, so that a medium can say at once where it is used, in drafts too.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { currentKey } from "../keys.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Review } from "../model/entities/review.ts";
import { referencedIds } from "../model/fields/referenced_ids.ts";
import { zip } from "../model/primitives/zip.ts";
import { readHead } from "../versioning/entities.ts";
import { REFERENCE_ROWS_MAX } from "../limits/store.ts";
import {
  lastNames,
  listNames,
  shardOf,
  Shards,
  type ShardsSnapshot,
  stageSharded,
} from "../store/shards.ts";
import type { Store } from "../store/store.ts";
import type { Entry, Operation } from "../store/operation.ts";

/** Represents all targets of documents with more than {@linkcode REFERENCE_ROWS_MAX} references. */
const MORE = "more";
/**
 * Marks of a document: it, or one of its translations, has a working copy; it has an end of publication; it, or one of
 * its translations, has a requested or returned review.
 */
const MARKS = {
  changed: ({ workingCopy }: Marked) => workingCopy !== undefined,
  changedIn: ({ translations = {} }: Marked) =>
    Object.values(translations).some(({ workingCopy }) => workingCopy !== undefined),
  ending: ({ unpublishAt }: Marked) => unpublishAt !== undefined,
  asked: (state: Marked) => hasReview(state, "asked"),
  returned: (state: Marked) => hasReview(state, "returned"),
};

function hasReview({ review, translations = {} }: Marked, state: Review["state"]): boolean {
  return review?.state === state ||
    Object.values(translations).some((translation) => translation.review?.state === state);
}

/** One of the marks of documents. */
export type Mark = keyof typeof MARKS;

type Marked = Pick<DocumentState, "workingCopy" | "unpublishAt" | "review"> & {
  translations?: DocumentState["translations"];
};
type Before = Pick<DocumentState, "data" | "blocks"> & Marked | null;

/** Whether a state has a mark. */
export function isMarked(state: Marked, mark: Mark): boolean {
  return MARKS[mark](state);
}

/** Adds what a document references from now on (null: nothing any more) to its commit. */
export function stageReferences(
  operation: Operation,
  documentId: string,
  before: Before,
  after: Before,
): void {
  const held = rowsOf(before);
  const wanted = rowsOf(after);
  const stage = (id: string, value: 1 | null) =>
    stageSharded(operation, "references", { id, name: documentId, value });
  for (const id of held) if (!wanted.has(id)) stage(id, null);
  for (const id of wanted) if (!held.has(id)) stage(id, 1);
}

function rowsOf(state: Before): Set<string> {
  if (state === null) return new Set();
  const found = referencedIds(state);
  const rows = found.size <= REFERENCE_ROWS_MAX
    ? found
    : new Set([...[...found].slice(0, REFERENCE_ROWS_MAX), MORE]);
  for (const mark of Object.keys(MARKS) as Mark[]) if (isMarked(state, mark)) rows.add(mark);
  return rows;
}

/** The ids of all documents with a mark. */
export async function markedDocuments(
  { store }: Pick<Context, "store">,
  mark: Mark,
): Promise<string[]> {
  return await Array.fromAsync(listNames(store, "references", mark));
}

/** The ids of the newest documents with a mark, at most `limit`. */
export function newestMarked(store: Store, mark: Mark, limit: number): Promise<string[]> {
  return lastNames(store, "references", mark, limit);
}

/** Documents that reference an id, in order of their ids, at most `limit`. */
export async function referrersOf(context: Context, id: string, limit: number): Promise<string[]> {
  const found = new Set<string>();
  for await (const documentId of listNames(context.store, "references", id)) {
    found.add(documentId);
    if (found.size === limit) return [...found];
  }
  for await (const documentId of listNames(context.store, "references", MORE)) {
    if (found.size === limit) break;
    if ((await readReferencedIds(context, documentId)).has(id)) found.add(documentId);
  }
  return [...found].sort();
}

/** How many documents reference each of several ids, at most `max`. */
export async function countReferrers(
  context: Context,
  ids: readonly string[],
  max: number,
): Promise<number[]> {
  const { store } = context;
  const [more, ...found] = await Promise.all([
    Array.fromAsync(listNames(store, "references", MORE)),
    ...ids.map((id) => lastNames(store, "references", id, max)),
  ]);
  const further = await Promise.all(
    more.map(async (documentId) => {
      return { documentId, targets: await readReferencedIds(context, documentId) };
    }),
  );
  return zip(ids, found).map(([id, names]) => {
    const others = further.filter(({ documentId, targets }) =>
      targets.has(id) && !names.includes(documentId)
    );
    return Math.min(max, names.length + others.length);
  });
}

/** The content of a shard: the referenced IDs, and the documents with more references than fit in rows. */
interface Targets {
  ids: ReadonlySet<string>;
  more: readonly string[];
}

/** Whether anything is referenced, for many ids at once; one process keeps it. */
export class ReferenceLookup {
  readonly #context: Context;
  readonly #rows: Shards<Targets>;
  #answer: { snapshot: ShardsSnapshot<Targets>; has: (id: string) => boolean } | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#rows = new Shards(context.store, "references", targetsOf);
  }

  /** Tells of an id whether a document references it, as of now; the same answer while nothing changes. */
  async current(): Promise<(id: string) => boolean> {
    const snapshot = await this.#rows.current();
    if (this.#answer?.snapshot === snapshot) return this.#answer.has;
    const { shards } = snapshot;
    const further = new Set<string>();
    for (const documentId of shards[shardOf(MORE)]!.more) {
      for (const id of await readReferencedIds(this.#context, documentId)) further.add(id);
    }
    const has = (id: string) => shards[shardOf(id)]!.ids.has(id) || further.has(id);
    // References beyond the rows of such documents change without a change of a row.
    this.#answer = shards[shardOf(MORE)]!.more.length === 0 ? { snapshot, has } : null;
    return has;
  }
}

function targetsOf(rows: Entry[]): Targets {
  const ids = new Set(rows.map(({ key }) => key[4] as string));
  const more = rows.filter(({ key }) => key[4] === MORE).map(({ key }) => key[5] as string);
  return { ids, more };
}

async function readReferencedIds(context: Context, documentId: string): Promise<Set<string>> {
  const { state } = await readHead(
    context,
    "document",
    documentId,
    currentKey("document", documentId),
  );
  return state === null ? new Set() : referencedIds(state);
}
