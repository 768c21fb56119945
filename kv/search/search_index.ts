/**
 * Full-text search over the published documents: finds, ranks, and cuts snippets.
 *
 * @module
 */
import { SegmentGone } from "../segments/segment_set.ts";
import type { BlockDefinition, Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Store } from "../store/store.ts";
import { SEARCH_ATTEMPTS_MAX } from "../tuning.ts";
import { findCorrected } from "./query/correction.ts";
import { expanded } from "./query/expansion.ts";
import type { FoundDocument } from "./query/found_document.ts";
import { MatchBuffers } from "./query/match_buffers.ts";
import { idOf, joinedReader, type SearchReader } from "./search_reader.ts";
import {
  type OpenedSearch,
  type OpenOptions,
  SearchReaders,
  type SearchReadersOptions,
} from "./search_readers.ts";
import { type ListedMatches, ListSearches } from "./list_searches.ts";
import { NormalizedText } from "./analysis/normalized_text.ts";
import { SearchMemory, shownName } from "./search_memory.ts";
import { type Clause, parseQuery, queryText } from "./query/search_query.ts";
import { searchable } from "./analysis/searched_text.ts";
import { Highlighter, type ShownText, shownTexts, textBytes } from "./analysis/snippet.ts";
import { languageOfFound, onceEach } from "./languages/shown_languages.ts";
import { type Unpublished, UnpublishedDocuments } from "./query/unpublished.ts";
import { type LoadShown, VisibleMatches } from "./query/visible_matches.ts";

/** Bytes of postings, terms and texts that are kept in memory. */
const SEARCH_MEMORY_BYTES = 96_000_000;

/** The text, collections and page of a search. */
export interface SearchRequest {
  text: string;
  /** Only documents of these collections are found and counted. */
  collectionIds: readonly string[];
  /** From 1. */
  page: number;
  perPage: number;
  /** Whether words are found only as they are asked for, in no other form or spelling. */
  exact?: boolean;
  /** Whether what is found is counted by collection. */
  counts?: boolean;
  /** The present schema: texts whose definitions are gone are neither found nor shown. */
  schema?: Schema;
  /** Documents as languages show them, below the ids of {@linkcode idInLanguage}; each is found once. */
  shown?: readonly Unpublished[];
  /** The languages whose postings are searched. */
  inLanguages?: SearchedInLanguages;
}

/** A search of the index of languages. */
export interface SearchedInLanguages {
  /** Whether a document may be found in several languages; it is then found in the one that matches best. */
  areSeveral: boolean;
  load: LoadShown;
}

/** A request, with the language whose documents rank first. */
type RankedRequest = SearchRequest & { language: string };

/**
 * A document that was found. A class, because of objects that are written as literals V8 learns that they
 * live long once a cache has kept some, and then makes all of them in the old generation, where they and
 * the texts in them stay until the next full collection.
 */
export class SearchHit {
  constructor(
    readonly documentId: string,
    readonly collectionId: string,
    readonly title: string,
    /** HTML: escaped text, with matches between `<mark>` and `</mark>`. */
    readonly snippet: string,
    /** Higher is better. */
    readonly rank: number,
  ) {}
}

/** One page of what was found. */
export interface SearchAnswer {
  total: number;
  /** The corrected query that was searched for, because the original matched nothing. */
  corrected?: string;
  /** Matches by collection, if the request asked for them. */
  counts: ReadonlyMap<string, number>;
  hits: SearchHit[];
}

/** A document with its collection. */
export interface LoadedDocument {
  state: DocumentState;
  collection: Collection;
  /** Block definitions by name, for the texts inside blocks. */
  blocks?: ReadonlyMap<string, BlockDefinition>;
}

/** Options of a search index. */
export interface SearchIndexOptions extends SearchReadersOptions {
  store: Store;
  /**
   * Loads documents for their titles and snippets, in any order; those that are gone may be left out. One is
   * let go before the next is taken.
   */
  loadDocuments: (ids: string[]) => AsyncIterable<LoadedDocument> | Iterable<LoadedDocument>;
  memoryBytesMax?: number;
}

interface SnippetSource {
  documentId: string;
  collectionId: string;
  title: string;
  texts: ShownText[];
  /** The schema that it was loaded under. */
  schema: string | null | undefined;
}

/** Answers search requests. */
export class SearchIndex {
  readonly #readers: SearchReaders;
  readonly #memory: SearchMemory;
  readonly #normalizedText = new NormalizedText();
  readonly #matches: VisibleMatches;
  readonly #unpublished: UnpublishedDocuments;
  readonly #lists: ListSearches;
  readonly #loadDocuments: SearchIndexOptions["loadDocuments"];

  constructor(
    { store, loadDocuments, memoryBytesMax = SEARCH_MEMORY_BYTES, ...options }: SearchIndexOptions,
  ) {
    this.#memory = new SearchMemory(memoryBytesMax);
    this.#readers = new SearchReaders(store, this.#memory, options);
    this.#loadDocuments = loadDocuments;
    this.#unpublished = new UnpublishedDocuments(this.#memory);
    const buffers = new MatchBuffers();
    this.#matches = new VisibleMatches({ memory: this.#memory, buffers, loadDocuments });
    this.#lists = new ListSearches({
      readers: this.#readers,
      memory: this.#memory,
      matches: this.#matches,
      unpublished: this.#unpublished,
    });
  }

  /** The index as it is now, for {@linkcode search}: lets its read go out with others of a request. */
  open(options?: OpenOptions): Promise<OpenedSearch> {
    return this.#readers.open(options);
  }

  /** What was opened, for documents in a language. */
  shownIn(opened: OpenedSearch, shown: string): Promise<OpenedSearch> {
    return this.#readers.shownIn(opened, shown);
  }

  /** Whether the opened index of languages is built for a schema; if not, its rebuild is requested. */
  areLanguagesCurrent(opened: OpenedSearch, schema: Schema): Promise<boolean> {
    return this.#readers.areLanguagesCurrent(opened, schema);
  }

  /** Searches the index as it is at the time of the call, or as it was opened before. */
  async search(request: SearchRequest, opened?: OpenedSearch): Promise<SearchAnswer> {
    const clauses = parseQuery(request.text);
    if (clauses.length === 0 || request.collectionIds.length === 0) return NOTHING;
    let index = opened;
    const reopening = {
      ...(opened?.shown !== undefined && { shown: opened.shown }),
      languages: request.inLanguages !== undefined,
    };
    for (let attempt = 1;; attempt++) {
      try {
        index ??= await this.open(reopening);
        const { stem } = index;
        const reader = await this.#readerFor(index, request);
        const wanted = stem === null || request.exact
          ? clauses
          : await expanded(reader, clauses, stem);
        return await this.#keptAnswer(reader, wanted, { ...request, language: index.language });
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt === SEARCH_ATTEMPTS_MAX) throw error;
        if (index !== undefined) this.#readers.forget(index);
        index = undefined;
      }
    }
  }

  async #readerFor(
    { reader, languages }: OpenedSearch,
    { schema, shown, inLanguages }: SearchRequest,
  ): Promise<SearchReader> {
    if (inLanguages !== undefined && languages !== undefined) {
      return joinedReader(reader, languages);
    }
    if (schema === undefined || shown === undefined) return reader;
    return await this.#unpublished.addedTo(reader, schema, shown);
  }

  /** Every document of a collection that matches, for lists that select further. */
  matches(...request: Parameters<ListSearches["matches"]>): Promise<ListedMatches> {
    return this.#lists.matches(...request);
  }

  /** The same among the postings of languages. */
  matchesInLanguage(
    ...request: Parameters<ListSearches["matchesInLanguage"]>
  ): Promise<ListedMatches> {
    return this.#lists.matchesInLanguage(...request);
  }

  /** Documents of which each word is in some posting. */
  candidates(...request: Parameters<ListSearches["candidates"]>): Promise<Set<string>> {
    return this.#lists.candidates(...request);
  }

  /** The snippet of a document for what was searched for. */
  snippet(
    clauses: readonly Clause[],
    { state, collection, blocks }: LoadedDocument,
  ): string {
    const found = searchable(collection, state, blocks);
    return new Highlighter(clauses, this.#normalizedText).snippet(found.title, shownTexts(found));
  }

  /** The answer, which is the same until the index changes. */
  async #keptAnswer(
    reader: SearchReader,
    clauses: Clause[],
    request: RankedRequest,
  ): Promise<SearchAnswer> {
    const { collectionIds, page, perPage, exact, counts, schema, shown = [] } = request;
    const names = shown.map(({ name }) => name);
    const versions = [reader.version, schema?.stamp, request.language, ...names];
    const name = JSON.stringify([versions, clauses, collectionIds, page, perPage, exact, counts]);
    const { answers } = this.#memory;
    const known = answers.get<SearchAnswer>(name);
    if (known !== undefined) return known;
    const answer = await this.#answer(reader, clauses, request);
    return this.#memory.isAskedAgain(name)
      ? answers.set(name, answer, answerBytes(answer))
      : answer;
  }

  async #answer(
    reader: SearchReader,
    clauses: Clause[],
    request: RankedRequest,
  ): Promise<SearchAnswer> {
    const { collectionIds, page, perPage, exact = false, counts = false, schema } = request;
    const { shown: scanned = [], inLanguages, language } = request;
    const areSeveral = inLanguages?.areSeveral ?? scanned.length > 1;
    const wanted = new Set(collectionIds);
    const range = { from: (page - 1) * perPage, to: page * perPage };
    // A document that matches in several languages is found in the one that matches best.
    const find = async (clauses: Clause[]) => {
      const matched = { clauses, collectionIds: wanted, counts, language };
      if (!areSeveral) {
        return this.#matches.find(reader, schema, { ...matched, ...range }, inLanguages?.load);
      }
      const all = { ...matched, from: 0, to: Number.MAX_SAFE_INTEGER };
      const found = await this.#matches.find(reader, schema, all, inLanguages?.load);
      return onceEach(found, range);
    };
    let visible = await find(clauses);
    let used = clauses;
    if (visible.found.total === 0 && !exact) {
      const correction = await findCorrected(reader, clauses, find);
      if (correction !== null) ({ clauses: used, ...visible } = correction);
    }
    const { found } = visible;
    const shown = await this.#shown(visible.reader, found.documents, request);
    const highlighter = new Highlighter(used, this.#normalizedText);
    const hits = found.documents.flatMap(({ score }, at) => {
      const document = shown[at];
      if (document === undefined) return [];
      const { documentId, collectionId, title, texts } = document;
      const snippet = highlighter.snippet(title, texts);
      const rank = Math.round(score * 10_000) / 10_000;
      return new SearchHit(documentId, collectionId, title, snippet, rank);
    });
    const corrected = used === clauses ? {} : { corrected: queryText(used) };
    return { total: found.total, ...corrected, counts: found.counts, hits };
  }

  /** The snippet sources of documents; undefined for a document that was deleted after the search. */
  async #shown(
    reader: SearchReader,
    documents: readonly FoundDocument[],
    { schema: present, shown: scanned = [], inLanguages }: SearchRequest,
  ): Promise<(SnippetSource | undefined)[]> {
    const schema = present?.stamp;
    const names = documents.map((document) => nameOf(reader, document));
    const shown = names.map((name) => {
      const known = this.#memory.shown.get<SnippetSource>(name);
      return known?.schema === schema ? known : undefined;
    });
    const missing = new Map<string, number>();
    documents.forEach((document, at) => {
      if (shown[at] === undefined) missing.set(idOf(reader, document), at);
    });
    if (missing.size === 0) return shown;
    const ids = Map.groupBy(missing.keys(), (id) => {
      const document = documents[missing.get(id) ?? -1];
      return document && languageOfFound(reader, document);
    });
    const idsIn = (code?: string) => ids.get(code) ?? [];
    const posted = inLanguages === undefined
      ? []
      : [...ids].flatMap(([code, own]) => code === undefined ? [] : [inLanguages.load(code, own)]);
    const loads = [
      this.#loadDocuments(idsIn()),
      ...scanned.map(({ load, language }) => load(idsIn(language?.code))),
      ...posted,
    ];
    for await (const document of oneAfterAnother(loads)) {
      const at = missing.get(document.state.id);
      const name = names[at ?? -1];
      if (document.state.status !== "published" || at === undefined || name === undefined) continue;
      shown[at] = this.#keepShown(name, document, schema);
    }
    return shown;
  }

  #keepShown(
    name: number,
    { state, collection, blocks }: LoadedDocument,
    schema: string | null | undefined,
  ): SnippetSource {
    const found = searchable(collection, state, blocks);
    const { title } = found;
    const kept: SnippetSource = {
      documentId: state.id,
      collectionId: collection.id,
      title,
      texts: shownTexts(found),
      schema,
    };
    const bytes = kept.texts.reduce((sum, text) => sum + textBytes(text), 2 * title.length);
    return this.#memory.shown.set(name, kept, 400 + bytes);
  }
}

async function* oneAfterAnother<T>(
  all: readonly (AsyncIterable<T> | Iterable<T>)[],
): AsyncIterable<T> {
  for (const one of all) yield* one;
}

const NOTHING: SearchAnswer = { total: 0, counts: new Map(), hits: [] };

function answerBytes({ hits }: SearchAnswer): number {
  return hits.reduce(
    (sum, { title, snippet }) => sum + 200 + 2 * (title.length + snippet.length),
    200,
  );
}

/** A name that identifies one posting, so that its text stays cached until the document is published again. */
function nameOf({ layers, delta }: SearchReader, { source, ordinal }: FoundDocument): number {
  const layer = layers[source];
  return layer === undefined
    ? shownName(delta[ordinal]?.cacheNumber ?? -1, 0)
    : shownName(layer.segment.cacheNumber, ordinal);
}
