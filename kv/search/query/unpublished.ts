/**
 * Documents that are not public and so not in the search index: analyzed when a user with access searches, and
 * cached by version.
 *
 * @module
 */
import type { Schema } from "../../model/entities/collection.ts";
import type { DeltaDocument } from "../delta/delta_document.ts";
import type { LoadedDocument } from "../search_index.ts";
import type { SearchMemory } from "../search_memory.ts";
import { Scorer } from "./scoring.ts";
import {
  corpusOf,
  type SearchReader,
  withDocuments,
  withoutPostings,
  withoutSome,
} from "../search_reader.ts";
import { analyzeCached } from "../analysis/analysis_cache.ts";

/** A document at a version. */
export interface DocumentVersion {
  id: string;
  n: number;
}

/** The language that searched documents are shown in. */
export interface ShownLanguage {
  code: string;
  /** Identifies the language and what stands in for it in cache keys. */
  seenAs: string;
  /** The postings that a document takes the place of; without it, no postings are searched at all. */
  postingsOf?: (id: string) => readonly string[];
}

/** Documents that are searched besides those of the index. */
export interface Unpublished {
  /** Identifies them in cache keys. */
  name: string;
  /** The language that they are shown in, where that is what is searched. */
  language?: ShownLanguage;
  documents: readonly DocumentVersion[];
  /** Reads some of them, in any order; documents that change at the same time may be left out. */
  load(ids: readonly string[]): AsyncIterable<LoadedDocument>;
  /** Lets others have their turn. */
  pause(): Promise<void>;
}

/** Documents that are taken apart between two pauses. */
const TAKEN_AT_ONCE = 10;
/** Cache numbers of documents that are in no index; all others are smaller. */
const FIRST_NUMBER = 2 ** 27;

const NO_LANGUAGE: Partial<ShownLanguage> = {};

/** Readers with documents added that are kept for each reader of the index. */
const KEPT_READERS = 4;

/** Adds documents to readers of the index. */
export class UnpublishedDocuments {
  readonly #memory: SearchMemory;
  readonly #kept = new WeakMap<SearchReader, Map<string, SearchReader>>();
  #numbers = FIRST_NUMBER;

  constructor(memory: SearchMemory) {
    this.#memory = memory;
  }

  /**
   * The same reader, which has these documents as well; those that it has already stay as they are. With `alone` it
   * has no others.
   */
  async addedTo(
    reader: SearchReader,
    schema: Schema,
    all: readonly Unpublished[],
    { alone = false } = {},
  ): Promise<SearchReader> {
    const kept = this.#kept.get(reader) ?? new Map<string, SearchReader>();
    this.#kept.set(reader, kept);
    const name = JSON.stringify([schema.stamp, alone, all.map((one) => one.name)]);
    const known = kept.get(name);
    if (known !== undefined) return known;
    const replaced = all.flatMap(({ documents, language: { postingsOf } = NO_LANGUAGE }) =>
      postingsOf === undefined ? [] : documents.flatMap(({ id }) => postingsOf(id))
    );
    const base = alone ? withoutPostings(reader) : withoutSome(reader, replaced);
    const found: DeltaDocument[] = [];
    for (const one of all) found.push(...await this.#analyzed(schema, one));
    const nameIn = ({ collectionId, documentId }: DeltaDocument) => `${collectionId}/${documentId}`;
    const held = new Set(base.delta.map(nameIn));
    const more = withDocuments(base, found.filter((one) => !held.has(nameIn(one))));
    const whole = { ...more, scorer: new Scorer(corpusOf(more.layers, more.delta)) };
    const wanted = all.reduce((sum, { documents }) => sum + documents.length, 0);
    // What could not be read now is tried again.
    if (found.length === wanted) {
      if (kept.size >= KEPT_READERS) kept.delete(kept.keys().next().value ?? "");
      kept.set(name, whole);
    }
    return whole;
  }

  /** The documents, each analyzed once per version. */
  async #analyzed(
    schema: Schema,
    { documents, load, pause, language }: Unpublished,
  ): Promise<DeltaDocument[]> {
    const { lists } = this.#memory;
    const seenAs = language?.seenAs ?? "";
    const nameOf = ({ id, n }: DocumentVersion) =>
      `unpublished/${seenAs}/${id}/${n}/${schema.stamp}`;
    const found: DeltaDocument[] = [];
    const missing: DocumentVersion[] = [];
    for (const one of documents) {
      const known = lists.get<DeltaDocument>(nameOf(one));
      if (known === undefined) missing.push(one);
      else found.push(known);
    }
    const versions = new Map(missing.map((one) => [one.id, one]));
    let taken = 0;
    for await (const loaded of missing.length === 0 ? [] : load(missing.map(({ id }) => id))) {
      const version = versions.get(loaded.state.id);
      if (version === undefined) continue;
      const name = nameOf(version);
      const document = analyzeCached(lists, name, loaded, this.#numbers++);
      found.push(document);
      if (++taken % TAKEN_AT_ONCE === 0) await pause();
    }
    return found;
  }
}
