/**
 * Full-text search over the published documents: finds, ranks, and cuts snippets.
 *
 * @module
 */
import { readId } from "../index/id_words.ts";
import { SegmentGone } from "../index/manifest.ts";
import type { Collection } from "../model/collection.ts";
import type { DocumentState } from "../model/document.ts";
import type { Store } from "../store/store.ts";
import { findCorrected } from "./correction.ts";
import { findMatches, type Found } from "./find_matches.ts";
import type { Picture } from "./picture.ts";
import { Pictures } from "./pictures.ts";
import { searchable } from "./posting.ts";
import { SearchMemory } from "./search_memory.ts";
import { type Clause, parseQuery, queryText } from "./search_query.ts";
import { Highlighter, type ShownText, shownText } from "./snippet.ts";
import { type Place, topHits } from "./top_hits.ts";

/** Bytes of postings, terms and texts that are kept in memory. */
export const SEARCH_MEMORY_BYTES = 64_000_000;
const LATIN1 = /^[\x00-\xff]*$/;
/** How often a query starts again because a compaction deleted what it was reading. */
const ATTEMPTS_MAX = 4;
/** Documents that are in memory whole at the same time; of each only what is shown stays. */
const LOADED_TOGETHER_MAX = 10;

/** What is searched. */
export interface SearchRequest {
  text: string;
  /** Only documents of these collections are found and counted. */
  collectionIds: readonly string[];
  /** From 1. */
  page: number;
  perPage: number;
}

/** A document that was found. */
export interface SearchHit {
  documentId: string;
  collectionId: string;
  title: string;
  /** HTML: escaped text, with matches between `<mark>` and `</mark>`. */
  snippet: string;
  /** Higher is better. */
  rank: number;
}

/** One page of what was found. */
export interface SearchAnswer {
  total: number;
  /** What was searched for instead, because nothing matched. */
  corrected?: string;
  hits: SearchHit[];
}

/** A document with its collection. */
export interface LoadedDocument {
  state: DocumentState;
  collection: Collection;
}

/** What a search index needs. */
export interface SearchIndexOptions {
  store: Store;
  /** Loads documents for their titles and snippets; those that are gone may be left out. */
  loadDocuments: (ids: string[]) => Promise<LoadedDocument[]>;
  memoryBytesMax?: number;
}

interface Shown {
  collectionId: string;
  title: string;
  texts: ShownText[];
}

/** Answers search requests. */
export class SearchIndex {
  readonly #pictures: Pictures;
  readonly #memory: SearchMemory;
  readonly #loadDocuments: SearchIndexOptions["loadDocuments"];

  constructor({ store, loadDocuments, memoryBytesMax = SEARCH_MEMORY_BYTES }: SearchIndexOptions) {
    this.#memory = new SearchMemory(memoryBytesMax);
    this.#pictures = new Pictures(store, this.#memory);
    this.#loadDocuments = loadDocuments;
  }

  /** The index as it is now, for {@linkcode search}: lets its read go out with others of a request. */
  open(): Promise<Picture> {
    return this.#pictures.current();
  }

  /** Searches the index as it is at the time of the call, or as it was opened before. */
  async search(request: SearchRequest, opened?: Picture): Promise<SearchAnswer> {
    const clauses = parseQuery(request.text);
    if (clauses.length === 0 || request.collectionIds.length === 0) return { total: 0, hits: [] };
    let picture = opened;
    for (let attempt = 1;; attempt++) {
      try {
        picture ??= await this.open();
        return await this.#keptAnswer(picture, clauses, request);
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt === ATTEMPTS_MAX) throw error;
        if (picture !== undefined) this.#pictures.forget(picture);
        picture = undefined;
      }
    }
  }

  /** The answer, which is the same until the index changes. */
  async #keptAnswer(
    picture: Picture,
    clauses: Clause[],
    request: SearchRequest,
  ): Promise<SearchAnswer> {
    const { collectionIds, page, perPage } = request;
    const name = JSON.stringify([picture.stamp, clauses, collectionIds, page, perPage]);
    const { answers } = this.#memory;
    const known = answers.get<SearchAnswer>(name);
    if (known !== undefined) return known;
    const answer = await this.#answer(picture, clauses, request);
    return answers.set(name, answer, answerBytes(answer));
  }

  async #answer(
    picture: Picture,
    clauses: Clause[],
    { collectionIds, page, perPage }: SearchRequest,
  ): Promise<SearchAnswer> {
    const wanted = new Set(collectionIds);
    let found = await findMatches(picture, clauses, wanted);
    let used = clauses;
    if (found.total === 0) {
      const correction = await findCorrected(picture, clauses, wanted);
      if (correction !== null) ({ found, clauses: used } = correction);
    }
    const places = topHits(found.sources, (page - 1) * perPage, page * perPage);
    const hits = await this.#hits(picture, used, found, places);
    return {
      total: found.total,
      ...(used === clauses ? {} : { corrected: queryText(used) }),
      hits,
    };
  }

  async #hits(
    picture: Picture,
    clauses: Clause[],
    { sources }: Found,
    places: readonly Place[],
  ): Promise<SearchHit[]> {
    const names = places.map((place) => shownName(picture, sources, place));
    const ids = places.map(({ source, row }) =>
      readId(sources[source]!.ids, sources[source]!.ordinals[row]!)
    );
    const shown = await this.#shown(names, ids);
    const highlighter = new Highlighter(clauses);
    return places.flatMap(({ source, row }, at) => {
      const document = shown[at];
      if (document === undefined) return [];
      const { collectionId, title, texts } = document;
      const rank = Math.round(sources[source]!.scores[row]! * 10_000) / 10_000;
      const snippet = highlighter.snippet(title, texts);
      return [{ documentId: ids[at]!, collectionId, title, snippet, rank }];
    });
  }

  /** What is shown of documents; undefined for those that have gone meanwhile. */
  async #shown(names: string[], ids: string[]): Promise<(Shown | undefined)[]> {
    const known = names.map((name) => this.#memory.decoded.get<Shown>(name));
    const missing = ids.flatMap((id, at) => known[at] === undefined ? [{ id, at }] : []);
    for (let from = 0; from < missing.length; from += LOADED_TOGETHER_MAX) {
      const group = missing.slice(from, from + LOADED_TOGETHER_MAX);
      const places = new Map(group.map(({ id, at }) => [id, at]));
      for (const document of await this.#loadDocuments([...places.keys()])) {
        const at = places.get(document.state.id)!;
        if (document.state.status === "published") {
          known[at] = this.#keepShown(names[at]!, document);
        }
      }
    }
    return known;
  }

  #keepShown(name: string, { state, collection }: LoadedDocument): Shown {
    const { title, texts, rich } = searchable(collection, state);
    const kept: Shown = {
      collectionId: collection.id,
      title,
      texts: [...texts, rich].map(shownText).filter(({ text }) => text !== ""),
    };
    const bytes = kept.texts.reduce((sum, { text }) => sum + bytesOf(text), bytesOf(title));
    return this.#memory.decoded.set(name, kept, 400 + bytes);
  }
}

function answerBytes({ hits }: SearchAnswer): number {
  return hits.reduce((sum, { title, snippet }) => sum + 200 + bytesOf(title + snippet), 200);
}

/** Bytes that the engine keeps a text in. */
function bytesOf(text: string): number {
  return LATIN1.test(text) ? text.length : text.length * 2;
}

/** A name that stands for one posting, so that a text is kept until the document is published again. */
function shownName(picture: Picture, sources: Found["sources"], { source, row }: Place): string {
  const ordinal = sources[source]!.ordinals[row]!;
  const layer = picture.layers[source];
  if (layer !== undefined) return `${layer.segment.cacheName}/shown/${ordinal}`;
  const { documentId, versionstamp } = picture.delta[ordinal]!;
  return `delta/${documentId}/${versionstamp}`;
}
