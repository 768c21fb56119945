/**
 * The parts of the types module that are the same for every site.
 *
 * @module
 */

/** Types that the collections' types build on. */
export const SHARED_TYPES = `/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** A Portable Text block. */
export interface PortableTextBlock {
  _type: string;
  [key: string]: unknown;
}

/** A block in a block field or in the block tree. */
export interface Block {
  type: string;
  id: string;
  data: { [name: string]: Json };
}

/** The status of a document. */
export type Status = "draft" | "published" | "scheduled" | "archived" | "trashed";

/** Properties of every document. Times are Unix epoch seconds. */
export interface Framing {
  id: string;
  slug: string;
  title: string;
  status: Status;
  createdAt: number;
  updatedAt: number;
  publishedAt: number | null;
  blocks: Block[];
}

/** Ignored in request bodies, so that you can send back a document as you received it. */
export interface ReadOnlyProperties {
  id?: unknown;
  createdAt?: unknown;
  updatedAt?: unknown;
  publishedAt?: unknown;
  blocks?: unknown;
}

/** Properties to create any document with. */
export interface CreateFraming extends ReadOnlyProperties {
  title: string;
  /** Derived from the title if omitted. */
  slug?: string | null | undefined;
  /** Default: draft. */
  status?: "draft" | "published" | "scheduled" | undefined;
}

/** Properties that can be changed in any document. */
export interface PatchFraming extends ReadOnlyProperties {
  title?: string | undefined;
  slug?: string | undefined;
  /** Only the current status is accepted. */
  status?: Status | undefined;
}`;

/** The client. */
export const CLIENT_SOURCE = `/** A page of results. */
export interface Page<T> {
  data: T[];
  meta: {
    page: number;
    perPage: number;
    total: number;
    /** Documents omitted from this page because they cannot be read at the moment. */
    unavailable?: string[];
  };
}

/** One search result. */
export interface SearchHit {
  documentId: string;
  collectionSlug: keyof Collections;
  title: string;
  /** HTML with matches in mark elements. */
  snippet: string;
  rank: number;
}

/** Search options. */
export interface SearchQuery {
  q: string;
  collection?: readonly (keyof Collections)[] | undefined;
  page?: number | undefined;
  perPage?: number | undefined;
}

/** Write options. */
export interface WriteOptions {
  /** Change the document only if this is still its ETag. */
  ifMatch?: string | undefined;
}

/** A failed request. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly details: { field: string; code: string; message: string }[];
  readonly requestId: string | null;
  /** Seconds to wait before retrying. */
  readonly retryAfter: number | null;

  constructor(response: Response, error: { code?: string; message?: string; details?: ApiError["details"] }) {
    super(error.message ?? \`HTTP \${response.status}\`);
    this.status = response.status;
    this.code = error.code ?? "UNKNOWN";
    this.details = error.details ?? [];
    this.requestId = response.headers.get("x-request-id");
    const retryAfter = response.headers.get("retry-after");
    this.retryAfter = retryAfter === null ? null : Number(retryAfter);
  }
}

/** Requests for one collection. */
export interface CollectionClient<S extends keyof Collections> {
  list<
    const F extends FieldName<S> | keyof SearchMatch = never,
    const I extends IncludePath<S> = never,
    const X extends keyof Collections[S]["facets"] & string = never,
    const R extends RichTextForm = never,
  >(query?: ListQuery<S, F, I, X, R>): Promise<List<S, ReadResult<S, F, I, R>, X>>;
  /** Iterates over all documents of a list; documents that do not change appear exactly once. */
  all<
    const F extends FieldName<S> | keyof SearchMatch = never,
    const I extends IncludePath<S> = never,
    const R extends RichTextForm = never,
  >(
    query?: Omit<ListQuery<S, F, I, never, R>, "page" | "cursor" | "facets">,
  ): AsyncGenerator<ReadResult<S, F, I, R>, void, void>;
  get<
    const F extends FieldName<S> = never,
    const I extends IncludePath<S> = never,
    const R extends RichTextForm = never,
  >(id: string, query?: ReadQuery<F, I, R>): Promise<ReadResult<S, F, I, R>>;
  getBySlug<
    const F extends FieldName<S> = never,
    const I extends IncludePath<S> = never,
    const R extends RichTextForm = never,
  >(slug: string, query?: ReadQuery<F, I, R>): Promise<ReadResult<S, F, I, R>>;
  /** Gets a document with its ETag, for \`ifMatch\`. */
  getTagged(id: string): Promise<{ document: Collections[S]["document"]; etag: string }>;
  create(body: Collections[S]["create"]): Promise<Collections[S]["document"]>;
  update(
    id: string,
    patch: Collections[S]["patch"],
    options?: WriteOptions,
  ): Promise<Collections[S]["document"]>;
  delete(id: string, options?: WriteOptions): Promise<void>;
}

/** The API. */
export interface Client {
  collection<S extends keyof Collections>(slug: S): CollectionClient<S>;
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

/** Options of the client. */
export interface ClientOptions {
  /** URL of the site, without "/api/v1". */
  baseUrl: string;
  /** API token; sent with every request except search. */
  token?: string | undefined;
  fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How often to retry a request after a network error, 429, 502, 503 or 504: 0 to 4, default 4. */
  retries?: number | undefined;
}

/** A request. */
interface CallSettings {
  query?: URLSearchParams;
  body?: unknown;
  /** NDJSON to send as the body. */
  lines?: string;
  ifMatch?: string | undefined;
  key?: string | undefined;
  open?: boolean;
  signal?: AbortSignal | undefined;
}

type ClientCall = (method: string, path: string, settings?: CallSettings) => Promise<Response>;

/** Sends requests; throws ApiError for error responses. */
function callerOf(options: ClientOptions): ClientCall {
  const root = options.baseUrl.replace(/\\/+$/, "") + "/api/v1/";
  const send = retrying(
    options.fetch ?? ((request: Request) => fetch(request)),
    options.retries ?? 4,
  );

  return async (method, path, settings = {}) => {
    const headers = new Headers({ accept: "application/json" });
    if (options.token !== undefined && settings.open !== true) {
      headers.set("authorization", "Bearer " + options.token);
    }
    if (settings.ifMatch !== undefined) headers.set("if-match", settings.ifMatch);
    if (method !== "GET") headers.set("idempotency-key", settings.key ?? crypto.randomUUID());
    const init: RequestInit = { method, headers };
    if (settings.signal !== undefined) init.signal = settings.signal;
    if (settings.lines !== undefined) {
      headers.set("content-type", "application/x-ndjson");
      init.body = settings.lines;
    }
    if (settings.body !== undefined) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(settings.body);
    }
    const query = settings.query?.toString() ?? "";
    const response = await send(new Request(root + path + (query === "" ? "" : "?" + query), init));
    if (response.ok) return response;
    const answer = await response.json().catch(() => ({})) as { error?: { code?: string } };
    throw new ApiError(response, answer.error ?? {});
  };
}

/** Creates a client. */
export function createClient(options: ClientOptions): Client {
  const call = callerOf(options);

  function collection<S extends keyof Collections>(slug: S): CollectionClient<S> {
    const base = encodeURIComponent(slug as string);
    const at = (id: string) => base + "/" + encodeURIComponent(id);
    const read = async (path: string, query: object = {}) =>
      await (await call("GET", path, { query: parametersOf(query) })).json();
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
      getBySlug: (name, query) => read(base + "/by-slug/" + encodeURIComponent(name), query),
      async getTagged(id) {
        const response = await call("GET", at(id));
        return { document: await response.json(), etag: response.headers.get("etag") ?? "" };
      },
      create: async (body) => await (await call("POST", base, { body })).json(),
      update: async (id, patch, write = {}) =>
        await (await call("PATCH", at(id), { body: patch, ifMatch: write.ifMatch })).json(),
      async delete(id, write = {}) {
        await call("DELETE", at(id), { ifMatch: write.ifMatch });
      },
    };
  }

  return {
    collection,
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
      return await (await call("GET", "search", { query, open: true })).json();
    },
  };
}

function parametersOf(query: object): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    const isJson = typeof value === "object" && !Array.isArray(value);
    parameters.set(name, isJson ? JSON.stringify(value) : String(value));
  }
  return parameters;
}`;
