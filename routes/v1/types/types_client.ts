/**
 * The client in the types module: documents, their versions and translations, search, changes and bulk writes.
 *
 * @module
 */

/** The client. */
export const CLIENT_SOURCE = `/** A version of a document. */
export interface DocumentVersion {
  version: number;
  changedAt: number;
  /** User ID; null if a token or the service made the change. */
  changedBy: string | null;
  summary: string | null;
  status: Status;
}

/** A language of a document and the state of its translation. */
export interface TranslationState {
  language: TranslationLanguage;
  slug: string | null;
  title: string | null;
  status: Status | null;
  publishedAt: number | null;
  updatedAt: number | null;
  /** Null for the original; absent without the read-drafts scope. */
  state?: "complete" | "incomplete" | "outdated" | "missing" | null;
  missing?: string[] | null;
  outdated?: { field: string; since: number }[] | null;
}

/** The own values of a translation. */
export type TranslationOf<S extends keyof Collections> =
  & Pick<Framing, "id" | "slug" | "title" | "status" | "createdAt" | "updatedAt" | "publishedAt">
  & Partial<Omit<Collections[S]["document"], keyof Framing>>
  & { _language: TranslationLanguage };

/** Requests for the translations of a collection's documents. */
export interface TranslationClient<S extends keyof Collections> {
  /** The original first. */
  list(id: string): Promise<TranslationState[]>;
  get(id: string, language: TranslationLanguage): Promise<TranslationOf<S>>;
  /** Creates the translation or replaces its values. */
  put(
    id: string,
    language: TranslationLanguage,
    body: Collections[S]["create"],
    options?: WriteOptions,
  ): Promise<TranslationOf<S>>;
  /** Creates the translation or changes some of its values. */
  update(
    id: string,
    language: TranslationLanguage,
    patch: Collections[S]["patch"],
    options?: WriteOptions,
  ): Promise<TranslationOf<S>>;
  delete(id: string, language: TranslationLanguage, options?: WriteOptions): Promise<void>;
}

/** Requests for one collection. */
export interface CollectionClient<S extends keyof Collections> {
  list<
    const F extends FieldName<S> | keyof SearchMatch = never,
    const I extends IncludesOf<S> = readonly [],
    const X extends keyof Collections[S]["facets"] & string = never,
    const R extends RichTextForm = never,
  >(query?: ListQuery<S, F, I, X, R>): Promise<List<S, ReadResult<S, F, I, R>, X>>;
  /** Iterates over all documents of a list; documents that do not change appear exactly once. */
  all<
    const F extends FieldName<S> | keyof SearchMatch = never,
    const I extends IncludesOf<S> = readonly [],
    const R extends RichTextForm = never,
  >(
    query?: Omit<ListQuery<S, F, I, never, R>, "page" | "cursor" | "facets">,
  ): AsyncGenerator<ReadResult<S, F, I, R>, void, void>;
  get<
    const F extends FieldName<S> = never,
    const I extends IncludesOf<S> = readonly [],
    const R extends RichTextForm = never,
  >(id: string, query?: ReadQuery<F, I, R>): Promise<ReadResult<S, F, I, R>>;
  getBySlug<
    const F extends FieldName<S> = never,
    const I extends IncludesOf<S> = readonly [],
    const R extends RichTextForm = never,
  >(slug: string, query?: ReadQuery<F, I, R>): Promise<ReadResult<S, F, I, R>>;
  /** Gets a document with its ETag, for \`ifMatch\`. */
  getTagged(id: string): Promise<{ document: Collections[S]["document"]; etag: string }>;
  create(
    body: Collections[S]["create"],
    options?: CreateOptions,
  ): Promise<Collections[S]["document"]>;
  update(
    id: string,
    patch: Collections[S]["patch"],
    options?: WriteOptions,
  ): Promise<Collections[S]["document"]>;
  /** Creates the document with this slug, or changes it. */
  putBySlug(
    slug: string,
    body: Collections[S]["patch"],
    options?: WriteOptions & {
      /** "*": only if there is none yet. */
      ifNoneMatch?: "*" | undefined;
    },
  ): Promise<Collections[S]["document"]>;
  delete(id: string, options?: WriteOptions): Promise<void>;
  /** The versions of a document, newest first; requires the read-history scope. */
  versions(
    id: string,
    query?: { page?: number | undefined; perPage?: number | undefined },
  ): Promise<Page<DocumentVersion>>;
  /** A document as one version has it. */
  version(id: string, version: number): Promise<Collections[S]["document"]>;
  translations: TranslationClient<S>;
}

/** The API. */
export interface Client {
  collection<S extends keyof Collections>(slug: S): CollectionClient<S>;
  media: MediaClient;
  search(query: SearchQuery): Promise<Page<SearchHit>>;
  /** Follows changes: first all documents that the token can see, then every change. Apply the batches in order. */
  sync(query?: SyncQuery): AsyncGenerator<SyncBatch, void, void>;
  /** Writes many documents, in order. Repeating an interrupted upload with the same key writes nothing twice. */
  upload<S extends keyof Collections>(
    slug: S,
    lines: Iterable<UploadLine<S>> | AsyncIterable<UploadLine<S>>,
    options?: UploadOptions,
  ): AsyncGenerator<UploadAnswer, void, void>;
}

/** Creates a client. */
export function createClient(options: ClientOptions): Client {
  const call = callerOf(options);
  const json = jsonOf(call);

  function translationsOf<S extends keyof Collections>(
    at: (id: string) => string,
  ): TranslationClient<S> {
    const of = (id: string, language: string) => at(id) + "/translations/" + encodeURIComponent(language);
    return {
      list: async (id) => (await json("GET", at(id) + "/translations")).data,
      get: (id, language) => json("GET", of(id, language)),
      put: (id, language, body, write = {}) =>
        json("PUT", of(id, language), { ...settingsOf(write), body }),
      update: (id, language, patch, write = {}) =>
        json("PATCH", of(id, language), { ...settingsOf(write), body: patch }),
      async delete(id, language, write = {}) {
        await call("DELETE", of(id, language), settingsOf(write));
      },
    };
  }

  function collection<S extends keyof Collections>(slug: S): CollectionClient<S> {
    const base = encodeURIComponent(slug as string);
    const at = (id: string) => base + "/" + encodeURIComponent(id);
    const bySlug = (name: string) => base + "/by-slug/" + encodeURIComponent(name);
    const read = (path: string, query: object = {}) =>
      json("GET", path, { query: parametersOf(query) });
    return {
      list: (query) => read(base, query),
      async *all(query = {}) {
        let cursor: string | null = "";
        while (cursor !== null) {
          const { data, meta } = await read(base, { perPage: 100, ...query, cursor });
          yield* data;
          cursor = meta.nextCursor;
        }
      },
      get: (id, query) => read(at(id), query),
      getBySlug: (name, query) => read(bySlug(name), query),
      async getTagged(id) {
        const response = await call("GET", at(id));
        return { document: await response.json(), etag: response.headers.get("etag") ?? "" };
      },
      create: (body, write = {}) => json("POST", base, { ...settingsOf(write), body }),
      update: (id, patch, write = {}) => json("PATCH", at(id), { ...settingsOf(write), body: patch }),
      putBySlug: (name, body, write = {}) => json("PUT", bySlug(name), { ...settingsOf(write), body }),
      async delete(id, write = {}) {
        await call("DELETE", at(id), settingsOf(write));
      },
      versions: (id, query) => read(at(id) + "/versions", query),
      version: (id, version) => read(at(id) + "/versions/" + version),
      translations: translationsOf<S>(at),
    };
  }

  return {
    collection,
    media: mediaOf(call, options),
    sync: (query = {}) =>
      syncOf(
        (path, parameters, signal) => call("GET", path, { query: parametersOf(parameters), signal }),
        query,
      ),
    upload: (slug, lines, settings = {}) =>
      uploadOf((path, text, key) => call("POST", path, { lines: text, key }), slug, lines, settings),
    async search({ q, collection: slugs = [], ...others }) {
      const query = new URLSearchParams({ q });
      for (const slug of slugs) query.append("collection", slug as string);
      for (const [name, value] of Object.entries(others)) {
        if (value !== undefined) query.set(name, String(value));
      }
      return await json("GET", "search", { query, open: true });
    },
  };
}`;
