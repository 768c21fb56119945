/**
 * Searches within lists: every document that matches, for lists that select further.
 *
 * @module
 */
import { ID_WORDS, readId, writeId } from "../index/segments/id_words.ts";
import type { RankedMatches } from "../index/query/ranked.ts";
import { SegmentGone } from "../segments/segment_set.ts";
import type { Schema } from "../model/entities/collection.ts";
import { SEARCH_ATTEMPTS_MAX } from "../tuning.ts";
import { languageOfFound } from "./languages/shown_languages.ts";
import { expanded } from "./query/expansion.ts";
import { type Clause, parseQuery } from "./query/search_query.ts";
import type { Unpublished, UnpublishedDocuments } from "./query/unpublished.ts";
import type { LoadShown, VisibleMatches } from "./query/visible_matches.ts";
import type { SearchMemory } from "./search_memory.ts";
import { idOf, type SearchReader } from "./search_reader.ts";
import type { OpenedSearch, OpenOptions, SearchReaders } from "./search_readers.ts";

/** Matches for a list. */
export type ListedMatches = RankedMatches & {
  clauses: Clause[];
  /** The language of each; undefined for an original. */
  languages: (string | undefined)[];
};

/** What is searched of a language, and of those that stand in for it. */
export interface LanguageSearch {
  /** The language whose forms of words are equated, and that ranks first. */
  code: string;
  /** What the postings stand below. */
  collectionIds: readonly string[];
  /** Reads documents by what their postings should hold. */
  load: LoadShown;
  /** Documents that no posting holds as they are shown. */
  others?: readonly Unpublished[];
}

/** What is searched for a list. */
interface ListedSearch {
  collectionIds: readonly string[];
  schema: Schema;
  /** Identifies what is searched besides the index, or instead of it. */
  name: string | null;
  language: string;
  load?: LoadShown;
}

/** The parts of a search index that lists need. */
interface ListSearchesOptions {
  readers: SearchReaders;
  memory: SearchMemory;
  matches: VisibleMatches;
  unpublished: UnpublishedDocuments;
}

/** Answers the searches of lists. */
export class ListSearches {
  readonly #readers: SearchReaders;
  readonly #memory: SearchMemory;
  readonly #matches: VisibleMatches;
  readonly #unpublished: UnpublishedDocuments;

  constructor({ readers, memory, matches, unpublished }: ListSearchesOptions) {
    this.#readers = readers;
    this.#memory = memory;
    this.#matches = matches;
    this.#unpublished = unpublished;
  }

  /**
   * Every document of a collection that matches, best first, for lists that select further; `unpublished` ones
   * among them. Other spellings are not tried: who filters wants what they asked for.
   */
  async matches(
    text: string,
    collectionId: string,
    schema: Schema,
    unpublished: Unpublished | null = null,
  ): Promise<ListedMatches> {
    const shown = unpublished?.language;
    return await this.#attempted(shown && { shown: shown.code }, async ({ reader, ...opened }) => {
      const whole = unpublished === null
        ? reader
        : await this.#unpublished.addedTo(reader, schema, [unpublished], {
          alone: shown !== undefined,
        });
      const searched = { collectionIds: [collectionId], name: unpublished?.name ?? null };
      return await this.#listed(whole, text, opened, { ...searched, schema });
    });
  }

  /** The same among the postings of languages, and documents that none holds as they are shown. */
  async matchesInLanguage(
    text: string,
    schema: Schema,
    { code, others = [], ...searched }: LanguageSearch,
    first?: OpenedSearch,
  ): Promise<ListedMatches> {
    const options = { shown: code, languages: true };
    return await this.#attempted(options, async ({ languages, reader, ...opened }) => {
      const posted = languages ?? reader;
      const whole = others.length === 0
        ? posted
        : await this.#unpublished.addedTo(posted, schema, others);
      const name = JSON.stringify([code, others.map((one) => one.name)]);
      return await this.#listed(whole, text, opened, { ...searched, name, schema });
    }, first);
  }

  /**
   * Documents that have every word in some of the postings below `collectionIds`, not necessarily all words in one: those
   * that can match if values of one language complete those of another.
   */
  async candidates(
    text: string,
    schema: Schema,
    { code, collectionIds, load }: LanguageSearch,
    first?: OpenedSearch,
  ): Promise<Set<string>> {
    const options = { shown: code, languages: true };
    return await this.#attempted(options, async ({ languages, reader, stem, language }) => {
      const posted = languages ?? reader;
      const clauses = parseQuery(text);
      const wanted = stem === null ? clauses : await expanded(posted, clauses, stem);
      const name = `candidates ${code}`;
      const searched = { collectionIds, schema, name, language, load };
      let common: Set<string> | null = null;
      for (const clause of wanted) {
        const { ids } = await this.#keptMatches(posted, [clause], searched);
        const found = new Set<string>();
        for (let at = 0; at * ID_WORDS < ids.length; at++) found.add(readId(ids, at));
        common = common === null ? found : common.intersection(found);
      }
      return common ?? new Set<string>();
    }, first);
  }

  /** Opens the index for some work, and again if a segment was deleted in between. */
  async #attempted<T>(
    options: OpenOptions | undefined,
    work: (opened: OpenedSearch) => Promise<T>,
    first?: OpenedSearch,
  ): Promise<T> {
    for (let attempt = 1;; attempt++) {
      const opened = attempt === 1 && first !== undefined
        ? first
        : await this.#readers.open(options);
      try {
        return await work(opened);
      } catch (error) {
        if (!(error instanceof SegmentGone) || attempt === SEARCH_ATTEMPTS_MAX) throw error;
        this.#readers.forget(opened);
      }
    }
  }

  async #listed(
    reader: SearchReader,
    text: string,
    { stem, language }: Pick<OpenedSearch, "stem" | "language">,
    searched: Omit<ListedSearch, "language">,
  ): Promise<ListedMatches> {
    const clauses = parseQuery(text);
    const wanted = stem === null ? clauses : await expanded(reader, clauses, stem);
    return await this.#keptMatches(reader, wanted, { ...searched, language });
  }

  async #keptMatches(
    reader: SearchReader,
    clauses: Clause[],
    { collectionIds, schema, name: more, language, load }: ListedSearch,
  ): Promise<ListedMatches> {
    const versions = [reader.version, schema.stamp, more, language];
    const name = JSON.stringify(["matches", versions, clauses, ...collectionIds]);
    const { answers } = this.#memory;
    const known = answers.get<ListedMatches>(name);
    if (known !== undefined) return known;
    const range = { from: 0, to: Number.MAX_SAFE_INTEGER };
    const request = { clauses, collectionIds: new Set(collectionIds), language, ...range };
    const found = clauses.length === 0
      ? { documents: [], reader }
      : await this.#matches.find(reader, schema, request, load)
        .then((visible) => ({ documents: visible.found.documents, reader: visible.reader }));
    const ids = new Uint32Array(found.documents.length * ID_WORDS);
    const scores = new Float32Array(found.documents.length);
    const languages: ListedMatches["languages"] = [];
    found.documents.forEach((document, index) => {
      writeId(ids, index, idOf(found.reader, document));
      scores[index] = document.score;
      languages.push(languageOfFound(found.reader, document));
    });
    const matches = { ids, scores, name, clauses, languages };
    const bytes = 400 + ids.byteLength + scores.byteLength + 8 * languages.length;
    return answers.set(name, matches, bytes);
  }
}
