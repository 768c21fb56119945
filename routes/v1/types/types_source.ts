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
  blocks: AnyBlock[];
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

/** What every request of the client needs. */
export const REQUEST_SOURCE = `/** A page of results. */
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

/** Options of a write. */
export interface CreateOptions {
  /** Repeating the write with the same key within 24 hours returns the first result; one is made by default. */
  idempotencyKey?: string | undefined;
  /** Check the write and return what it would result in, without writing anything. */
  dryRun?: boolean | undefined;
}

/** Options of a change. */
export interface WriteOptions extends CreateOptions {
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
  /** A form to send as the body. */
  form?: FormData;
  ifMatch?: string | undefined;
  /** "*": only if there is none yet. */
  ifNoneMatch?: string | undefined;
  key?: string | undefined;
  open?: boolean;
  signal?: AbortSignal | undefined;
}

type ClientCall = (method: string, path: string, settings?: CallSettings) => Promise<Response>;

/** The URL of a path of the API. */
function urlOf({ baseUrl }: ClientOptions, path: string): string {
  return baseUrl.replace(/\\/+$/, "") + "/api/v1/" + path;
}

/** The headers of every request; those that anyone may send need no token. */
function headersOf({ token }: ClientOptions, isOpen = false): Headers {
  const headers = new Headers({ accept: "application/json" });
  if (token !== undefined && !isOpen) headers.set("authorization", "Bearer " + token);
  return headers;
}

/** A response that is no error. */
async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({})) as { error?: { code?: string } };
  throw new ApiError(response, answer.error ?? {});
}

/** Sends requests; throws ApiError for error responses. */
function callerOf(options: ClientOptions): ClientCall {
  const send = retrying(
    options.fetch ?? ((request: Request) => fetch(request)),
    options.retries ?? 4,
  );

  return async (method, path, settings = {}) => {
    const headers = headersOf(options, settings.open);
    if (settings.ifMatch !== undefined) headers.set("if-match", settings.ifMatch);
    if (settings.ifNoneMatch !== undefined) headers.set("if-none-match", settings.ifNoneMatch);
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
    if (settings.form !== undefined) init.body = settings.form;
    const query = settings.query?.toString() ?? "";
    const url = urlOf(options, path) + (query === "" ? "" : "?" + query);
    return await accepted(await send(new Request(url, init)));
  };
}

/** The JSON that requests return. */
function jsonOf(call: ClientCall) {
  return async (method: string, path: string, settings: CallSettings = {}) =>
    await (await call(method, path, settings)).json();
}

/** The parts of a request that the options of a write decide. */
function settingsOf(options: WriteOptions & { ifNoneMatch?: "*" | undefined }): CallSettings {
  const { ifMatch, ifNoneMatch, idempotencyKey, dryRun } = options;
  const query = new URLSearchParams(dryRun === true ? { dryRun: "true" } : {});
  return { ifMatch, ifNoneMatch, key: idempotencyKey, query };
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
