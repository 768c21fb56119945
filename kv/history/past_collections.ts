/**
 * Collections as they were at an instant: the rows that lists are made of, from the timeline and the versions
 * that it names.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import { zip } from "../model/primitives/zip.ts";
import { type CurrentRow, readHead, type VersionRow } from "../versioning/entities.ts";
import { type IndexRow, indexRow } from "../index/index_row.ts";
import { currentKey, versionKey } from "../keys.ts";
import { PAST_DOCUMENTS_MAX } from "../limits/requests.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import { type DocumentState, STATUSES } from "../model/entities/document.ts";
import { hasWorkingCopy, laidOver } from "../model/entities/working_copy.ts";
import { Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";
import { PAST_ROWS_KEPT_MAX } from "../tuning.ts";
import { versionIn } from "../versioning/timeline/events.ts";
import { isThere, isUnknown } from "./timeline/timeline_reader.ts";
import { Timeline } from "./timeline/timeline.ts";
import { findKeptState } from "../versioning/versions.ts";

/** Versions that are read together. */
const READ_TOGETHER = 100;
/** Current documents that are reported together. */
const PRESENT_TOGETHER = 2_000;
/** How long an answer is used again: pages of one list follow one another. */
const KEPT_MS = 30_000;

/** Collections at an instant. */
export interface PastCollections {
  /** Documents by collection, under the present field definitions. */
  rows: ReadonlyMap<string, readonly IndexRow[]>;
  /** The same with what was not public yet laid over, of collections that had any of it. */
  drafts: ReadonlyMap<string, readonly IndexRow[]>;
  /** Collections of which documents are missing, because pruning has removed what they were. */
  incomplete: ReadonlySet<string>;
  /** Those of which a document is missing that may have been public then. */
  publicIncomplete: ReadonlySet<string>;
  /** The collections that were read. */
  read: ReadonlySet<string>;
}

/** Documents that were there, with the numbers of their versions. */
type Names = Map<string, number>;

interface CachedVisit {
  name: string;
  until: number;
  found: PastCollections;
}

/** Reads collections as they were. */
export class PastReader {
  readonly #content: Content;
  readonly #documentsMax: number;
  readonly timeline: Timeline;
  #kept: CachedVisit | null = null;

  /** Refuses collections of more than `documentsMax` documents. */
  constructor(content: Content, { documentsMax = PAST_DOCUMENTS_MAX } = {}) {
    this.#content = content;
    this.#documentsMax = documentsMax;
    this.timeline = new Timeline(content.context.store);
  }

  /**
   * Collections at the end of a second, epoch seconds: those that are asked for, and the others, too, when the
   * site is small enough for all.
   */
  async at(
    schema: Schema,
    at: number,
    collections: readonly Collection[],
  ): Promise<PastCollections> {
    const { context, schema: { era } } = this.#content;
    const name = JSON.stringify([at, schema.stamp, era]);
    const known = this.#kept;
    if (known?.name === name && context.now() < known.until) {
      if (collections.every(({ id }) => known.found.read.has(id))) return known.found;
    }
    const found = await this.#read(schema, at, collections);
    const count = [...found.rows.values()].reduce((sum, { length }) => sum + length, 0);
    // The second that is going on may still bring changes.
    if (count <= PAST_ROWS_KEPT_MAX && at + 1 < context.now() / 1000) {
      this.#kept = { name, until: context.now() + KEPT_MS, found };
    }
    return found;
  }

  async #read(
    schema: Schema,
    at: number,
    collections: readonly Collection[],
  ): Promise<PastCollections> {
    const { there, pruned } = await this.#namesAt(at);
    const isSmall = there.size <= this.#documentsMax;
    const read = new Set((isSmall ? schema.collections : collections).map(({ id }) => id));
    if (!isSmall) {
      const others = schema.collections.filter(({ id }) => !read.has(id));
      await this.#present(others, (id) => there.delete(id));
      await this.#refuseTooMany(there, collections);
    }
    const rows = new Map<string, IndexRow[]>();
    const laid = new Map<string, Map<string, IndexRow>>();
    const names = [...there].map(([id, n]) => ({ id, n }));
    for (let from = 0; from < names.length; from += READ_TOGETHER) {
      const some = names.slice(from, from + READ_TOGETHER);
      for (const { id, n, state } of await this.#states(some)) {
        if (state === null) {
          pruned.push(id);
          continue;
        }
        const collection = schema.byId.get(state.collectionId);
        if (collection === undefined || !read.has(collection.id)) continue;
        const own = rows.get(collection.id) ?? [];
        if (own.length === this.#documentsMax) throw this.#tooMany(collection);
        own.push(indexRow(collection, state, n));
        rows.set(collection.id, own);
        if (!hasWorkingCopy(state)) continue;
        const changed = laid.get(collection.id) ?? new Map<string, IndexRow>();
        laid.set(collection.id, changed.set(id, indexRow(collection, laidOver(state), n)));
      }
      await this.#content.context.store.sleep(0);
    }
    const drafts = new Map(
      [...laid].map(([id, changed]) => [
        id,
        (rows.get(id) ?? []).map((row) => changed.get(row.id) ?? row),
      ]),
    );
    return { rows, drafts, ...await this.#homesOf(pruned, schema), read };
  }

  #tooMany({ slug }: Collection): Refusal {
    return new Refusal("PARAMETER_INVALID", {
      about: `at lists collections of up to ${this.#documentsMax} documents, and ${slug} had more`,
    });
  }

  /**
   * Refuses a collection of which too many documents were there that it still has, before any of them is
   * read.
   */
  async #refuseTooMany(there: Names, collections: readonly Collection[]): Promise<void> {
    for (const collection of collections) {
      let count = 0;
      await this.#present([collection], (id) => count += Number(there.has(id)));
      if (count > this.#documentsMax) throw this.#tooMany(collection);
    }
  }

  /**
   * Tells the documents that the indexes of collections have today: no document ever leaves its collection,
   * so that no version need be read to know where one was. What is gone since then is not reported.
   */
  async #present(collections: Collection[], release: (id: string) => void): Promise<void> {
    if (collections.length === 0) return;
    const { index, context: { store } } = this.#content;
    const view = await index.view({ collections, statuses: STATUSES, sort: [] });
    for (let offset = 0; offset < view.total; offset += PRESENT_TOGETHER) {
      for (const { id } of view.cut(undefined, offset, PRESENT_TOGETHER).rows) release(id);
      await store.sleep(0);
    }
  }

  /** Versions of the documents that were there, and documents of which they are not kept. */
  async #namesAt(at: number) {
    const reader = await this.timeline.of("document");
    const there: Names = new Map();
    const pruned: string[] = [];
    await reader.walk([at], (moment) => {
      const what = moment.what[0]!;
      const isDoubtful = isUnknown(what, moment);
      if (!isThere(what) && !isDoubtful) return;
      const id = reader.idAt(moment.position);
      const n = versionIn(what);
      if (isDoubtful || moment.lost[0]) pruned.push(id);
      else there.set(id, n);
    });
    return { there, pruned };
  }

  async #states(names: { id: string; n: number }[]) {
    const { context } = this.#content;
    const keys = names.map(({ id, n }) => versionKey("document", id, n));
    const entries = await context.store.getMany(keys) as Entry<VersionRow>[];
    return await Promise.all(
      zip(names, entries).map(async ([{ id, n }, { value: row }]) => {
        // A prune may have been faster than this answer.
        const state = row === null
          ? null
          : await findKeptState(context, "document", id, row) ?? null;
        return { id, n, state: state as DocumentState | null };
      }),
    );
  }

  /** The collections of documents, as far as they are still there; all when one is not. */
  async #homesOf(ids: readonly string[], { collections }: Schema) {
    const { context } = this.#content;
    const incomplete = new Set<string>();
    const publicIncomplete = new Set<string>();
    const keys = ids.map((id) => currentKey("document", id));
    const entries = keys.length === 0
      ? []
      : await context.store.getMany(keys) as Entry<CurrentRow>[];
    for (const [id, entry] of zip(ids, entries)) {
      const { state } = await readHead(context, "document", id, entry.key, entry);
      const homes = state === null ? collections.map(({ id }) => id) : [state.collectionId];
      for (const id of homes) {
        incomplete.add(id);
        if (state === null || wasEverPublic(state)) publicIncomplete.add(id);
      }
    }
    return { incomplete, publicIncomplete };
  }
}

/**
 * Whether a document was public at any time. What was never is nothing to those who see no drafts: neither
 * what it was, nor that this was pruned.
 */
export function wasEverPublic({ publishedAt }: DocumentState): boolean {
  return publishedAt !== null;
}
