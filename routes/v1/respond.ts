/**
 * The frame of every `/api/v1` answer: headers that are always there, and refusals in the envelope.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Deps } from "../deps/deps.ts";
import { asRefusal, refusalResponse } from "../answers/refusal_response.ts";
import { logFault } from "../middleware/request_log.ts";

/** Response headers, collected while the request is processed; error responses have them, too. */
export type V1Headers = Record<string, string>;

/** Runs `work` and responds with its result or error. */
export async function respond(
  deps: Deps,
  http: HttpContext,
  work: (headers: V1Headers) => Promise<Response>,
): Promise<Response> {
  const headers: V1Headers = { "vary": "Origin", "x-content-type-options": "nosniff" };
  try {
    return await work(headers);
  } catch (error) {
    const refusal = asRefusal(error, http.req.url);
    logFault(deps.content.context.log, http, refusal);
    return refusalResponse(refusal, headers);
  }
}

/** A JSON answer for the holder of a token: it may be kept, but not shared or used unasked. */
export function json(
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
  headers: V1Headers,
  more: Record<string, string> = {},
  status = 200,
): Response {
  return new Response(body, {
    status,
    headers: {
      ...headers,
      "content-type": "application/json",
      "cache-control": "private, no-cache",
      ...more,
    },
  });
}

/** The header that tells how many documents and media were looked up, whether or not they exist. */
export function readHeader(count: number): Record<string, string> {
  return { "x-documents-read": String(count) };
}

/** 304 with the headers that a 200 would have had. */
export function notModified(headers: V1Headers, more: Record<string, string>): Response {
  return new Response(null, {
    status: 304,
    headers: { ...headers, "cache-control": "private, no-cache", ...more },
  });
}
