/**
 * A site as search sees it: published documents over a store, with as many processes as a test wants.
 *
 * @module
 */
import { ulidSource } from "../../../kv/context.ts";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState, Status } from "../../../kv/model/entities/document.ts";
import type { FieldDefinition, FieldTypeName } from "../../../kv/model/fields/field_definition.ts";
import { type CompactionContext, compactSearch } from "../../../kv/search/segments/compaction.ts";
import { readManifest } from "../../../kv/search/segments/manifest.ts";
import {
  postedDocument,
  recordPosting,
  recordRemoval,
} from "../../../kv/search/segments/posting.ts";
import { type DocumentSource, stepRebuild } from "../../../kv/search/segments/rebuild.ts";
import {
  type SearchAnswer,
  SearchIndex,
  type SearchIndexOptions,
  type SearchRequest,
} from "../../../kv/search/search_index.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { NOON } from "../harness/context.ts";

/** What a test document says. */
export interface Said {
  title: string;
  text?: string;
  rich?: string;
  /** Which of the site's collections, from 0. */
  collection?: number;
}

/** Documents in a store, and the search index over them. */
export class SearchSite implements Disposable {
  readonly #kv: Deno.Kv;
  readonly newId = ulidSource();
  readonly collections: Collection[];
  /** Every document that was ever published. */
  readonly documents = new Map<string, DocumentState>();
  ms = NOON;
  /** The first process. */
  readonly context: CompactionContext;
  readonly index: SearchIndex;

  private constructor(
    kv: Deno.Kv,
    collections: number,
    private readonly options: Partial<SearchIndexOptions>,
  ) {
    this.#kv = kv;
    this.collections = Array.from({ length: collections }, (_, n) => this.#collection(n));
    this.context = this.contextOf(new Store(new DenoKvDriver(kv)));
    this.index = this.indexOver(this.context.store);
  }

  static async open(
    collections = 1,
    options: Partial<SearchIndexOptions> = {},
  ): Promise<SearchSite> {
    return new SearchSite(await Deno.openKv(":memory:"), collections, options);
  }

  [Symbol.dispose](): void {
    this.#kv.close();
  }

  /** Another process over the same database. */
  process(): { context: CompactionContext; index: SearchIndex } {
    const store = new Store(new DenoKvDriver(this.#kv));
    return { context: this.contextOf(store), index: this.indexOver(store) };
  }

  contextOf(store: Store): CompactionContext {
    return { store, now: () => this.ms, newId: this.newId };
  }

  indexOver(store: Store): SearchIndex {
    const loadDocuments = (ids: string[]) => this.load(ids);
    return new SearchIndex({ store, loadDocuments, ...this.options });
  }

  load(ids: string[]) {
    return ids.flatMap((id) => {
      const state = this.documents.get(id);
      if (state === undefined) return [];
      return [{ state, collection: this.collectionOf(state) }];
    });
  }

  collectionOf(state: DocumentState): Collection {
    return this.collections.find(({ id }) => id === state.collectionId)!;
  }

  /** Publishes a document, new or again, as the last step of its job does. */
  async publish(said: Said, id = this.newId(this.ms), language?: string): Promise<string> {
    const own = this.#state(id, said);
    const state = language === undefined ? own : { ...own, originalLanguage: language };
    this.documents.set(id, state);
    for (;;) {
      const operation = new Operation();
      const manifest = await readManifest(this.context.store);
      recordPosting(operation, manifest, postedDocument(this.collectionOf(state), state));
      if ((await this.context.store.commit(operation)).ok) return id;
    }
  }

  /** Takes a document off the site. */
  async remove(id: string, status: Status = "draft"): Promise<void> {
    const state = this.documents.get(id)!;
    this.documents.set(id, { ...state, status });
    const operation = new Operation();
    recordRemoval(operation, state.collectionId, id);
    await this.context.store.commit(operation);
  }

  /** Compacts until nothing is left to do. */
  async compact(pendingMin = 1): Promise<void> {
    while (await compactSearch(this.context, { pendingMin }));
  }

  /** Rebuilds the index from beginning to end. */
  async rebuild(): Promise<void> {
    const id = this.newId(this.ms);
    while (!(await stepRebuild(this.context, this.source(), id)).isDone);
  }

  /** The documents in order of id, some at a time. */
  source(limitMax = 1_000): DocumentSource {
    return (cursor, limit) => {
      const ids = [...this.documents.keys()].sort().filter((id) => cursor === null || id > cursor);
      const some = ids.slice(0, Math.min(limit, limitMax));
      return Promise.resolve({
        documents: this.load(some),
        cursor: some.length < ids.length ? some.at(-1)! : null,
      });
    };
  }

  search(text: string, more: Partial<SearchRequest> = {}): Promise<SearchAnswer> {
    return this.index.search({ text, ...this.request(more) });
  }

  /** A request for the first page over all collections, with changes. */
  request(more: Partial<SearchRequest> = {}): Omit<SearchRequest, "text"> {
    return { collectionIds: this.collections.map(({ id }) => id), page: 1, perPage: 20, ...more };
  }

  /** The titles that a search finds, best first. */
  async titles(text: string, more: Partial<SearchRequest> = {}): Promise<string[]> {
    return (await this.search(text, more)).hits.map(({ title }) => title);
  }

  #state(id: string, said: Said): DocumentState {
    const { title, text, rich, collection = 0 } = said;
    return {
      id,
      collectionId: this.collections[collection]!.id,
      slug: id.toLowerCase(),
      title,
      status: "published",
      createdAt: 0,
      updatedAt: 0,
      publishedAt: 0,
      publishAt: null,
      data: {
        ...(text !== undefined && { k1: text }),
        ...(rich !== undefined && { k2: richText(rich) }),
      },
      blocks: [],
    };
  }

  #collection(n: number): Collection {
    const id = this.newId(this.ms);
    const field = (key: string, type: FieldTypeName): FieldDefinition => ({
      id: this.newId(this.ms),
      collectionId: id,
      key,
      name: key,
      label: key,
      type,
      required: false,
      unique: false,
      indexed: false,
      sortable: false,
      help: "",
      options: {},
      position: 0,
      createdAt: 0,
      updatedAt: 0,
    });
    return {
      id,
      slug: `collection-${n}`,
      name: `Collection ${n}`,
      description: "",
      exposed: true,
      createdAt: 0,
      updatedAt: 0,
      fields: [field("k1", "text"), field("k2", "rich_text"), field("k3", "number")],
    };
  }
}

/** One paragraph per line; those that begin as headings of Markdown do are some. */
export function richText(text: string) {
  return text.split("\n").map((line, n) => {
    const [mark = "", level = ""] = /^(#{1,6}) /.exec(line) ?? [];
    return {
      _type: "block",
      _key: `b${n}`,
      style: level === "" ? "normal" : `h${level.length}`,
      markDefs: [],
      children: [{ _type: "span", _key: "s", text: line.slice(mark.length), marks: [] }],
    };
  });
}
