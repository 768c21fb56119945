/**
 * The readers of both indexes, that of originals and that of languages, with what a search needs besides.
 *
 * @module
 */
import type { Schema } from "../model/entities/collection.ts";
import type { Store } from "../store/store.ts";
import { type Stemmer, stemmerFor } from "./analysis/stemmers.ts";
import { languageStamp } from "./languages/language_stamp.ts";
import { ReaderManager } from "./reader_manager.ts";
import { LANGUAGES, ORIGINALS } from "./search_keys.ts";
import type { SearchMemory } from "./search_memory.ts";
import type { SearchReader } from "./search_reader.ts";

/** Cache numbers of the index of languages; those of the index of originals are smaller. */
const FIRST_LANGUAGES_NUMBER = 2 ** 25;

/** The index at one time, and the stemmer of the site; null where words are found as they are. */
export interface OpenedSearch {
  reader: SearchReader;
  stem: Stemmer | null;
  /** The language whose documents rank first; empty for none. */
  language: string;
  /** The language that was asked for. */
  shown?: string;
  /** The index of languages, if it was asked for. */
  languages?: SearchReader;
}

/** What is opened of the index. */
export interface OpenOptions {
  /** The language that documents are shown in: its forms of words are equated, and its documents rank first. */
  shown?: string;
  /** Whether the index of languages is opened, too. */
  languages?: boolean;
}

/** The sources of settings, and what is done about an index in need of work. */
export interface SearchReadersOptions {
  /** The language whose forms of words are equated, where the site wants that; else empty. */
  stemmedLanguage?: () => Promise<string>;
  /** The language whose documents rank first; empty for none. */
  siteLanguage?: () => Promise<string>;
  /** Called once when the delta has become long. */
  onLongDelta?: () => Promise<void>;
  /** Called once for each schema that the index of languages is not built for. */
  onStaleLanguages?: () => Promise<void>;
}

/** Opens the indexes. */
export class SearchReaders {
  readonly #originals: ReaderManager;
  readonly #languages: ReaderManager;
  readonly #stemmedLanguage: () => Promise<string>;
  readonly #siteLanguage: () => Promise<string>;
  readonly #onStaleLanguages: () => Promise<void>;
  readonly #stemmers = new Map<string, Promise<Stemmer>>();
  /** The schema for which a rebuild was requested last. */
  #staleFor = "";

  constructor(store: Store, memory: SearchMemory, {
    stemmedLanguage = () => Promise.resolve(""),
    siteLanguage = () => Promise.resolve(""),
    onLongDelta = () => Promise.resolve(),
    onStaleLanguages = () => Promise.resolve(),
  }: SearchReadersOptions) {
    const originals = { keys: ORIGINALS, firstNumber: 0, onLongDelta };
    const languages = { keys: LANGUAGES, firstNumber: FIRST_LANGUAGES_NUMBER, onLongDelta };
    this.#originals = new ReaderManager(store, memory, originals);
    this.#languages = new ReaderManager(store, memory, languages);
    this.#stemmedLanguage = stemmedLanguage;
    this.#siteLanguage = siteLanguage;
    this.#onStaleLanguages = onStaleLanguages;
  }

  /** The indexes as they are now. */
  async open({ shown, languages = false }: OpenOptions = {}): Promise<OpenedSearch> {
    const [reader, stem, language, languageReader] = await Promise.all([
      this.#originals.current(),
      this.#stemmer(shown),
      shown ?? this.#siteLanguage(),
      languages ? this.#languages.current() : undefined,
    ]);
    return {
      reader,
      stem,
      language,
      ...(shown !== undefined && { shown }),
      ...(languageReader && { languages: languageReader }),
    };
  }

  /** What was opened, for documents in a language. */
  async shownIn(opened: OpenedSearch, shown: string): Promise<OpenedSearch> {
    return { ...opened, stem: await this.#stemmer(shown), language: shown, shown };
  }

  /** Forgets readers whose segments turned out to be gone. */
  forget({ reader, languages }: OpenedSearch): void {
    this.#originals.forget(reader);
    if (languages !== undefined) this.#languages.forget(languages);
  }

  /** Whether the opened index of languages is built for a schema; if not, its rebuild is requested. */
  async areLanguagesCurrent({ languages }: OpenedSearch, schema: Schema): Promise<boolean> {
    if (languages === undefined) return false;
    const stamp = languageStamp(schema);
    if (languages.builtFor === stamp) return true;
    if (this.#staleFor !== stamp) {
      this.#staleFor = stamp;
      await this.#onStaleLanguages();
    }
    return false;
  }

  /** The stemmer of the language that documents are shown in; of the site's without one. */
  async #stemmer(shown?: string): Promise<Stemmer | null> {
    const site = await this.#stemmedLanguage();
    if (site === "") return null;
    const language = shown ?? site;
    let stemmer = this.#stemmers.get(language);
    if (stemmer === undefined) this.#stemmers.set(language, stemmer = stemmerFor(language));
    return await stemmer;
  }
}
