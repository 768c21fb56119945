/**
 * The JSON body of a request, read within its limits: refused by its announced length before a byte is
 * read, and by its true length while reading.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/json_object.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "../../kv/limits.ts";
import type { Json } from "../../kv/model/entity.ts";
import { Refusal } from "../../kv/refusals.ts";
import { DIGITS_MAX } from "../limits.ts";
import { Arrival } from "./arrival.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const decoder = new TextDecoder("utf-8", { fatal: true });
/** So many digits may be more than a number holds. */
const LONG_DIGITS = /\d{16}/;

/** Reads the body as a JSON object. The keys are as sent: `__proto__` is a key like any other. */
export async function readJsonObject(request: Request): Promise<Record<string, Json>> {
  return parseJsonObject(await readJsonBytes(request));
}

/** The same for a route whose body may be left out: an empty one says nothing. */
export async function readOptionalObject(request: Request): Promise<Record<string, Json>> {
  const bytes = await readJsonBytes(request);
  return bytes.byteLength === 0 ? {} : parseJsonObject(bytes);
}

/** The bytes of a JSON body, accepted by their size and announced type alone; none when there is no body. */
export async function readJsonBytes(request: Request): Promise<Uint8Array> {
  refuseLength(request.headers.get("content-length"));
  const announced = isJson(request.headers);
  if (announced === false) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  const bytes = await readBytes(request);
  if (bytes.byteLength > 0 && announced === undefined) throw new Refusal("UNSUPPORTED_MEDIA_TYPE");
  return bytes;
}

/** The JSON object that the bytes of a body spell. */
export function parseJsonObject(bytes: Uint8Array): Record<string, Json> {
  if (bytes.byteLength === 0) throw bodyInvalid("it is missing");
  if (depthOf(bytes) > BODY_DEPTH_MAX) throw bodyInvalid(`it has over ${BODY_DEPTH_MAX} levels`);
  const body = parse(bytes);
  if (!isJsonObject(body)) throw bodyInvalid("it is not an object");
  if (!isFinite(body)) throw bodyInvalid("a number is out of range");
  return body;
}

function bodyInvalid(about: string): Refusal {
  return new Refusal("BODY_INVALID", { about });
}

function refuseLength(contentLength: string | null): void {
  if (contentLength !== null && Number(contentLength) > BODY_BYTES_MAX) {
    throw new Refusal("PAYLOAD_TOO_LARGE");
  }
}

/** Whether the headers announce UTF-8 JSON; undefined when they say nothing. */
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

async function readBytes(request: Request): Promise<Uint8Array> {
  // The server ends a body at its announced length. Where nothing reads it piece by piece, no buffers for
  // pieces are made: on Deno 2.5 they have 64 kB each, however short the body is.
  if (isAnnounced(request.headers)) return await readWhole(request);
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
    if (size > BODY_BYTES_MAX) {
      // The rest is not wanted; whether the sender hears of it does not matter.
      reader.cancel().catch(() => {});
      throw new Refusal("PAYLOAD_TOO_LARGE");
    }
    pieces.push(value);
  }
  if (pieces.length === 1) return pieces[0]!;
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

async function readWhole(request: Request): Promise<Uint8Array> {
  const arrival = new Arrival();
  arrival.count(Number(request.headers.get("content-length")));
  const bytes = await arrival.wait(() => request.bytes().catch(refuseCut));
  if (bytes.byteLength > BODY_BYTES_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
  return bytes;
}

function refuseCut(cause: unknown): never {
  throw new Refusal("BODY_INVALID", { about: "it ended too soon" }, { cause });
}

/** A read that is given up is not cancelled: Deno would then never close the connection. */
async function readInTime(reader: ReadableStreamDefaultReader<Uint8Array>, arrival: Arrival) {
  return await arrival.wait(() => reader.read().catch(refuseCut));
}

/** Levels of nesting; found before parsing, which would build what is about to be refused. */
function depthOf(bytes: Uint8Array): number {
  let depth = 0;
  let deepest = 0;
  for (let position = 0; position < bytes.length; position++) {
    switch (bytes[position]) {
      case QUOTE:
        position = endOfText(bytes, position);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
    }
  }
  return deepest;
}

/** Where the text ends that begins at a position; where the bytes do when it does not end. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = start + 1;; end++) {
    end = bytes.indexOf(QUOTE, end);
    if (end === -1) return bytes.length;
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
}

function parse(bytes: Uint8Array): Json {
  let text: string;
  let value: Json;
  try {
    text = decoder.decode(bytes);
    value = JSON.parse(text);
  } catch (cause) {
    throw new Refusal("BODY_INVALID", { about: "it is not JSON" }, { cause });
  }
  if (LONG_DIGITS.test(text)) refuseRounded(text);
  return value;
}

/** Refuses a whole number that would come back as another one, as 2 to the power of 53 and one does. */
function refuseRounded(text: string): void {
  JSON.parse(text, (_key, value, { source = "" }: { source?: string } = {}) => {
    const digits = /^-?(\d{16,})$/.exec(source)?.[1];
    if (digits !== undefined && !isHeld(digits, value)) {
      throw bodyInvalid(`no number holds ${source.slice(0, 40)} exactly, a text would`);
    }
    return value;
  });
}

/** Whether a number is the one that its digits say, or is spelled by them but for zeros at the end. */
function isHeld(digits: string, value: number): boolean {
  if (digits.length > DIGITS_MAX) return false;
  if (BigInt(Math.abs(value)) === BigInt(digits)) return true;
  const [mantissa] = Math.abs(value).toString().split("e") as [string];
  const significant = (text: string) => text.replace(/0+$/, "");
  return significant(digits) === significant(mantissa.replace(".", ""));
}

/** Whether every number is one: `1e999` is read as infinite. */
function isFinite(value: Json): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isFinite);
}
