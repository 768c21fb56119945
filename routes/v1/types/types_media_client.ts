/**
 * Media in the client of the types module: listing, uploads with progress, changes, signed URLs.
 *
 * @module
 */

/** The client of media. */
export const MEDIA_CLIENT_SOURCE = `/** Options for listing media. */
export interface MediaQuery {
  page?: number | undefined;
  perPage?: number | undefined;
  /** Use instead of \`page\`: empty for the first page, then \`meta.nextCursor\`. */
  cursor?: string | undefined;
  mime?: readonly string[] | undefined;
  /** Text in the file name, title or alt text. */
  q?: string | undefined;
  /** Field to sort by; prefix with "-" for descending order. */
  sort?: string | undefined;
}

/** A list of media. */
export interface MediaList {
  data: Medium[];
  meta: { page?: number; perPage: number; total: number; nextCursor?: string | null };
}

/** What is said of a file that is added. */
export interface NewMedium {
  alt?: string | undefined;
  filename?: string | undefined;
  /** Its URL has to be signed. */
  private?: boolean | undefined;
  idempotencyKey?: string | undefined;
}

/** Bytes that have been sent. */
export interface FileProgress {
  sent: number;
  total: number;
}

/** Options of an upload. */
export interface FileOptions extends NewMedium {
  /** Called as bytes are sent. In browsers without streaming uploads it takes their XMLHttpRequest. */
  onProgress?: ((progress: FileProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
}

/** A change of a medium. */
export interface MediumPatch {
  alt?: string | undefined;
  alts?: { [language: string]: string } | undefined;
  filename?: string | undefined;
  focus?: { x: number; y: number } | null | undefined;
  private?: boolean | undefined;
}

/** How a signed URL transforms an image, and how long it is valid. */
export interface SignOptions {
  /** Seconds; default 3,600, at most a week. */
  ttl?: number | undefined;
  w?: number | undefined;
  h?: number | undefined;
  q?: number | undefined;
  fit?: "cover" | "contain" | "scale-down" | undefined;
  format?: "auto" | "webp" | "avif" | "jpeg" | "png" | undefined;
  crop?: string | undefined;
}

/** Requests for media. */
export interface MediaClient {
  list(query?: MediaQuery): Promise<MediaList>;
  get(id: string): Promise<Medium>;
  /** Uploads a file; a File brings its name. */
  upload(file: Blob, options?: FileOptions): Promise<Medium>;
  /** Imports a file from a public URL. */
  importFrom(url: string, options?: NewMedium): Promise<Medium>;
  update(id: string, patch: MediumPatch, options?: Omit<WriteOptions, "dryRun">): Promise<Medium>;
  delete(id: string, options?: Omit<WriteOptions, "dryRun">): Promise<void>;
  /** Signs the URL of a private file; its path is relative to the site. */
  sign(id: string, options?: SignOptions): Promise<{ url: string; expiresAt: number }>;
}

function mediaOf(call: ClientCall, options: ClientOptions): MediaClient {
  const at = (id: string) => "media/" + encodeURIComponent(id);
  const json = jsonOf(call);
  return {
    list: (query = {}) => json("GET", "media", { query: parametersOf(query) }),
    get: (id) => json("GET", at(id)),
    async upload(file, { onProgress, signal, ...about } = {}) {
      const form = new FormData();
      if (about.alt !== undefined) form.set("alt", about.alt);
      if (about.private !== undefined) form.set("private", String(about.private));
      const own = "name" in file && typeof file.name === "string" ? file.name : "file";
      form.set("file", file, about.filename ?? own);
      const key = about.idempotencyKey ?? crypto.randomUUID();
      if (onProgress === undefined) return await json("POST", "media", { form, key, signal });
      return await (await sendWithProgress(options, form, key, onProgress, signal)).json();
    },
    importFrom: (url, { idempotencyKey, ...about } = {}) =>
      json("POST", "media", { body: { url, ...about }, key: idempotencyKey }),
    update: (id, patch, write = {}) => json("PATCH", at(id), { ...settingsOf(write), body: patch }),
    async delete(id, write = {}) {
      await call("DELETE", at(id), settingsOf(write));
    },
    sign: (id, how = {}) => json("POST", at(id) + "/sign", { body: how }),
  };
}

/** Sends a form once and reports its progress; throws ApiError for error responses. */
async function sendWithProgress(
  options: ClientOptions,
  form: FormData,
  key: string,
  onProgress: (progress: FileProgress) => void,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const url = urlOf(options, "media");
  const headers = headersOf(options);
  headers.set("idempotency-key", key);
  const isBrowser = options.fetch === undefined && "XMLHttpRequest" in globalThis;
  return await accepted(
    isBrowser
      ? await sendByXhr(url, headers, form, onProgress, signal)
      : await sendByStream(options, url, headers, form, onProgress, signal),
  );
}

async function sendByStream(
  options: ClientOptions,
  url: string,
  headers: Headers,
  form: FormData,
  onProgress: (progress: FileProgress) => void,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const encoded = new Request(url, { method: "POST", body: form });
  // Before the body is read: Bun knows the type of a form no longer afterwards.
  headers.set("content-type", encoded.headers.get("content-type") ?? "");
  const bytes = new Uint8Array(await encoded.arrayBuffer());
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === bytes.length) return controller.close();
      const piece = bytes.subarray(sent, sent + 65_536);
      sent += piece.length;
      controller.enqueue(piece);
      onProgress({ sent, total: bytes.length });
    },
  }, { highWaterMark: 0 });
  const init = { method: "POST", headers, body, duplex: "half", ...(signal && { signal }) };
  const send = options.fetch ?? ((request: Request) => fetch(request));
  return await send(new Request(url, init as RequestInit));
}

/** The part of XMLHttpRequest that an upload needs; not every platform has its type. */
interface UploadRequest {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getResponseHeader(name: string): string | null;
  send(body: FormData): void;
  abort(): void;
  readonly status: number;
  readonly responseText: string;
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
  readonly upload: { onprogress: ((event: { loaded: number; total: number }) => void) | null };
}

function sendByXhr(
  url: string,
  headers: Headers,
  form: FormData,
  onProgress: (progress: FileProgress) => void,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const { XMLHttpRequest } = globalThis as unknown as { XMLHttpRequest: new () => UploadRequest };
  return new Promise((resolve, reject) => {
    const aborted = () => reject(new DOMException("The upload was aborted", "AbortError"));
    if (signal?.aborted === true) return aborted();
    const request = new XMLHttpRequest();
    request.open("POST", url);
    headers.forEach((value, name) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => onProgress({ sent: loaded, total });
    request.onload = () => {
      const kept = ["x-request-id", "retry-after"].flatMap((name) => {
        const value = request.getResponseHeader(name);
        return value === null ? [] : [[name, value] as [string, string]];
      });
      resolve(new Response(request.responseText, { status: request.status, headers: kept }));
    };
    request.onerror = () => reject(new TypeError("The upload failed"));
    request.onabort = aborted;
    signal?.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}`;
