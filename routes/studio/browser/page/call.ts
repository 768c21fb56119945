/**
 * Runs in the browser. One request to the admin API, and its failure in words that help.
 *
 * @module
 */
/// <reference lib="dom" />

/** One invalid field, as the API reports it. */
export interface Detail {
  field: string;
  code: string;
  message: string;
}

/** The status and headers of a reply, and its error. */
interface ReplyFacts {
  /** 0 if there was no response. */
  status: number;
  headers: Headers;
  /** The error message for people; empty if it is `ok`. */
  message: string;
  details: Detail[];
  /** The error code of the API; null if it is `ok`, or the response has none. */
  code: string | null;
}

/** A successful reply with the served body. */
interface Success<T> extends ReplyFacts {
  ok: true;
  body: T;
}

interface Failure extends ReplyFacts {
  ok: false;
  body: null;
}

/** The reply to a request; `T` is the type that the route serves. */
export type Reply<T = unknown> = Success<T> | Failure;

/** The body of a list. */
export interface ListBody<T> {
  data: T[];
  meta: { total: number; nextCursor?: string | null };
}

/** The body of a request that has started a job. */
export interface JobStarted {
  jobId: string;
}

/** A body whose members fill the placeholders of an address. */
export type Placeholders = Record<string, string>;

/** How a request is made. */
export interface CallOptions {
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** The error code of a sensitive act that requires the password again. */
export const PROOF_REQUIRED = "PROOF_REQUIRED";

/** Asks the user for their password; `why` names the reason. False if they cancel. */
type Prove = (why: string) => Promise<boolean>;
let prove: Prove | null = null;

/** Sets how the user is asked for their password. */
export function provideProof(given: Prove): void {
  prove = given;
}

/** Asks the API; a failure is an answer too. A sensitive act asks for the password first, and is tried again. */
export async function call<T = unknown>(
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Reply<T>> {
  const reply = await attempt<T>(method, path, options);
  if (reply.code !== PROOF_REQUIRED || prove === null) return reply;
  return await prove(reply.message) ? await attempt<T>(method, path, options) : reply;
}

/** One request. */
export async function attempt<T = unknown>(
  method: string,
  path: string,
  { body, headers = {}, signal }: CallOptions = {},
): Promise<Reply<T>> {
  const isRaw = body instanceof FormData || body instanceof Blob;
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        ...(body !== undefined && !isRaw && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    const message = "Can't reach the server. Your input is still here. Try again.";
    return {
      ok: false,
      status: 0,
      body: null,
      headers: new Headers(),
      message,
      details: [],
      code: null,
    };
  }
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  const parsed = isJson ? JSON.parse(text) : null;
  const { status, headers: received } = response;
  if (response.ok) {
    return {
      ok: true,
      status,
      body: parsed,
      headers: received,
      message: "",
      details: [],
      code: null,
    };
  }
  const error = parsed?.error ?? {};
  const { details = [], code = null } = error;
  const message = wordsFor(response, error, path);
  return { ok: false, status, body: null, headers: received, message, details, code };
}

/** A request written as `METHOD /path`. */
export function callLine<T = unknown>(
  line: string,
  options?: CallOptions,
): Promise<Reply<T>> {
  const space = line.indexOf(" ");
  return call<T>(line.slice(0, space), line.slice(space + 1), options);
}

function wordsFor(
  { status, headers }: Response,
  { code = "", message = "" }: { code?: string; message?: string },
  path: string,
): string {
  if (code === PROOF_REQUIRED) return sentence(message.replace(/^[^:]*: /, ""));
  if (path === "/api/admin/session/prove" && status === 401) return "Wrong password.";
  if (status === 401) {
    return path === "/api/admin/session" || path.includes("/password-reset")
      ? "Wrong email or password."
      : "Your session has ended. Sign in again in another tab, then try again here.";
  }
  if (status === 403) {
    return path === "/api/admin/setup"
      ? "Wrong setup code. The service printed it when it started."
      : "Your role does not allow this.";
  }
  if (status === 412) {
    return "Another user changed this in the meantime. Reload the page and try again.";
  }
  if (status === 413) return "This is too large to save.";
  if (status === 429) {
    const wait = Math.ceil(Number(headers.get("retry-after") ?? 60) / 60);
    return `Too many attempts. Try again in ${wait === 1 ? "a minute" : `${wait} minutes`}.`;
  }
  if (status === 503) return "The database is not responding. Try again in a few seconds.";
  if (status >= 500) {
    return `Something went wrong on our side (request ${headers.get("x-request-id") ?? "?"}).`;
  }
  if (status === 422 && message === "Validation failed") return "Fix the highlighted fields.";
  return sentence(message.replace(/^The change conflicts with the current state: /, ""));
}

function sentence(text: string): string {
  return text === ""
    ? "Something went wrong. Try again."
    : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
