/**
 * A request whose large body goes out in small pieces, as fast as the other side takes them. `fetch` keeps
 * several whole copies of a body until the collector comes by, which costs 40 MB for an upload of 25.
 *
 * @module
 */
import type { Buffer } from "node:buffer";
import type { ClientRequest, IncomingMessage } from "node:http";
import { UPLOAD_ANSWER_BYTES_MAX } from "../tuning.ts";
import { joinBytes } from "./object_bytes.ts";

/** A request, as the AWS client spells it. */
export interface PiecewiseRequest {
  method: string;
  protocol: string;
  hostname: string;
  port?: number;
  path: string;
  query?: Record<string, string | string[] | null>;
  headers: Record<string, string>;
  body: Uint8Array;
}

/** An answer, as the AWS client reads it; the body is there as a whole. */
export interface WholeAnswer {
  statusCode: number;
  headers: Record<string, string>;
  body: ReadableStream<Uint8Array>;
}

/** Bytes of one piece. */
const PIECE_BYTES = 65_536;

/** Nothing moved for too long. */
class Standstill extends Error {
  /** By this name the client knows that another attempt makes sense. */
  override name = "TimeoutError";
}

/** Sends a request; fails when nothing moves for `ms`, or when `signal` says so. */
export async function sendInPieces(
  sent: PiecewiseRequest,
  { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
): Promise<WholeAnswer> {
  const { request } = sent.protocol === "https:"
    ? await import("node:https")
    : await import("node:http");
  const outgoing = request({
    method: sent.method,
    protocol: sent.protocol,
    hostname: sent.hostname,
    ...(sent.port !== undefined && { port: sent.port }),
    path: sent.path + queryText(sent.query ?? {}),
    headers: { ...sent.headers, "content-length": sent.body.byteLength },
    // A connection of its own: nothing is left open, and nothing breaks that belongs to another request.
    agent: false,
  });
  const ended = Promise.withResolvers<WholeAnswer>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ended.reject(new Standstill(`Nothing moved for ${ms} ms`)), ms);
  };
  const aborted = () => ended.reject(new DOMException("The request was aborted", "AbortError"));
  signal?.addEventListener("abort", aborted);
  // The listener stays: an error that comes when all is over must not end the process.
  outgoing.on("error", (cause) => ended.reject(broken(cause)));
  outgoing.on("response", (answer) => receive(answer, moved).then(ended.resolve, ended.reject));
  moved();
  write(outgoing, sent.body, moved);
  try {
    return await ended.promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", aborted);
    outgoing.destroy();
  }
}

/** Writes a body piece by piece, whenever there is room. */
function write(outgoing: ClientRequest, body: Uint8Array, moved: () => void): void {
  let at = 0;
  const go = () => {
    moved();
    while (at < body.byteLength) {
      const piece = body.subarray(at, at + PIECE_BYTES);
      at += piece.byteLength;
      if (!outgoing.write(piece)) return void outgoing.once("drain", go);
    }
    outgoing.end();
  };
  go();
}

function receive(answer: IncomingMessage, moved: () => void): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    answer.on("data", (piece: Buffer) => {
      moved();
      bytes += piece.byteLength;
      if (bytes > UPLOAD_ANSWER_BYTES_MAX) reject(new Error("The answer is too long"));
      else pieces.push(piece);
    });
    answer.on("error", (cause) => reject(broken(cause)));
    answer.on("close", () => reject(broken(new Error("The answer broke off"))));
    answer.on("end", () => {
      const length = answer.headers["content-length"];
      // Not every runtime tells by itself that an answer is not complete.
      if (length !== undefined && Number(length) !== bytes) return answer.emit("close");
      const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
      resolve({
        statusCode: answer.statusCode!,
        headers: Object.fromEntries(headers),
        body: new Blob([joinBytes(pieces)]).stream(),
      });
    });
  });
}

/** Marks a connection that failed as worth another attempt. */
function broken(cause: Error): Error {
  return Object.assign(new Error(cause.message, { cause }), { $retryable: {} });
}

/** Whether a request failed because there was no connection, or none any more. */
export function isBroken(error: unknown): boolean {
  return error instanceof Error && "$retryable" in error;
}

/** A query as signatures spell it: whatever is not unreserved is escaped. */
function queryText(query: Record<string, string | string[] | null>): string {
  const parts = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => one === null ? escaped(name) : `${escaped(name)}=${escaped(one)}`)
  );
  return parts.length === 0 ? "" : `?${parts.join("&")}`;
}

function escaped(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
