/**
 * The JSON body of a request, read within its limits: refused by its announced length before a byte is
 * read, and by its true length while reading.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import { BODY_BYTES_MAX } from "../../kv/limits/requests.ts";
import type { Json } from "../../kv/model/entities/entity.ts";
import { Refusal } from "../../kv/refusals.ts";
import { CREDENTIAL_BODY_BYTES_MAX } from "./limits.ts";
import { Arrival } from "./arrival.ts";
import { bodyInvalid, refuseUnstorable } from "./json_scan.ts";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Reads the body as a JSON object. The keys are as sent: `__proto__` is a key like any other. */
export async function readJsonObject(request: Request): Promise<Record<string, Json>> {
  return parseJsonObject(await readJsonBytes(request));
}

/** The same for a route that is open to anyone: credentials are short. */
export async function readCredentials(request: Request): Promise<Record<string, Json>> {
  return parseJsonObject(await readJsonBytes(request, CREDENTIAL_BODY_BYTES_MAX));
}

/** The same for a route whose body is optional; an empty body counts as `{}`. */
export async function readOptionalObject(request: Request): Promise<Record<string, Json>> {
  const bytes = await readJsonBytes(request);
  return bytes.byteLength === 0 ? {} : parseJsonObject(bytes);
}

/** The bytes of a JSON body, checked only by size and content type; empty without a body. */
export async function readJsonBytes(
  request: Request,
  max = BODY_BYTES_MAX,
): Promise<Uint8Array> {
  refuseLength(request.headers.get("content-length"), max);
  const announced = isJson(request.headers);
  if (announced === false) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  const bytes = await readBytes(request, max);
  if (bytes.byteLength > 0 && announced === undefined) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  return bytes;
}

/** The bytes of a body of any type. */
export async function readBody(request: Request, max: number): Promise<Uint8Array> {
  refuseLength(request.headers.get("content-length"), max);
  return await readBytes(request, max);
}

/** The JSON object that the bytes of a body spell. */
export function parseJsonObject(bytes: Uint8Array): Record<string, Json> {
  if (bytes.byteLength === 0) throw bodyInvalid("it is missing");
  refuseUnstorable(bytes);
  const body = parse(bytes);
  if (!isJsonObject(body)) throw bodyInvalid("it is not a JSON object");
  return body;
}

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch (cause) {
    throw bodyInvalid("it is not valid JSON", { cause });
  }
}

function refuseLength(contentLength: string | null, max: number): void {
  if (contentLength !== null && Number(contentLength) > max) {
    throw new Refusal("PAYLOAD_TOO_LARGE");
  }
}

/** Whether the headers declare UTF-8 JSON; undefined if they declare nothing. */
function isJson(headers: Headers): boolean | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") return false;
  const contentType = headers.get("content-type");
  if (contentType === null) return undefined;
  const [essence = "", ...parameters] = contentType.toLowerCase().split(";");
  if (!/^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json$/.test(essence.trim())) return false;
  const charsets = parameters.map((text) => text.trim()).filter((text) =>
    text.startsWith("charset=")
  );
  return charsets.every((text) => /^charset="?utf-?8"?$/.test(text));
}

async function readBytes(request: Request, max: number): Promise<Uint8Array> {
  // The server ends a body at its declared length. Reading it whole avoids buffers of 64 kB, which
  // Deno 2.5 allocates per piece however short the body is.
  if (isAnnounced(request.headers)) return await readWhole(request, max);
  if (request.body === null) return new Uint8Array();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  const arrival = new Arrival();
  for (;;) {
    const { value, done } = await readInTime(reader, arrival);
    if (done) break;
    size += value.byteLength;
    arrival.count(value.byteLength);
    if (size > max) {
      // The rest is not wanted; whether the sender hears of it does not matter.
      reader.cancel().catch(() => {});
      throw new Refusal("PAYLOAD_TOO_LARGE");
    }
    pieces.push(value);
  }
  const [first] = pieces;
  if (first !== undefined && pieces.length === 1) return first;
  const bytes = new Uint8Array(size);
  let position = 0;
  for (const piece of pieces) {
    bytes.set(piece, position);
    position += piece.byteLength;
  }
  return bytes;
}

/** Whether the whole length of the body is known before it is read. */
function isAnnounced(headers: Headers): boolean {
  return headers.has("content-length") && !headers.has("transfer-encoding");
}

async function readWhole(request: Request, max: number): Promise<Uint8Array> {
  const arrival = new Arrival();
  arrival.count(Number(request.headers.get("content-length")));
  const bytes = await arrival.wait(() => request.bytes().catch(refuseCut));
  if (bytes.byteLength > max) throw new Refusal("PAYLOAD_TOO_LARGE");
  return bytes;
}

function refuseCut(cause: unknown): never {
  throw new Refusal("BODY_INVALID", { about: "it ended prematurely" }, { cause });
}

/** A read that is given up is not cancelled: Deno would then never close the connection. */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, arrival: Arrival) {
  return await arrival.wait(() => reader.read().catch(refuseCut));
}
