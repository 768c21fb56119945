/**
 * An AVIF without its metadata. Its parts point at each other by their offsets in the file, so nothing is
 * left out: what is not the picture is written over, byte for byte. EXIF becomes one that says nothing,
 * which decoders that look at it accept.
 *
 * @module
 */
import { MEDIA_BYTES_MAX } from "../../limits/media.ts";
import { joinBytes } from "../../objects/object_bytes.ts";
import { malformedImage } from "../../model/values/malformed_image.ts";
import { AVIF_DEPTH_MAX, AVIF_DESCRIPTION_BYTES_MAX } from "../../tuning.ts";
import { boxesOf, type BoxHead, readBoxHead } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";
import type { CredentialsCollector } from "./content_credentials.ts";
import { CredentialsBox } from "../credentials_box.ts";
import { type ItemRange, metadataRanges } from "../avif_items.ts";

/** Boxes that are held whole, because they say what the others are. */
const DESCRIPTIONS = new Set(["meta", "moov"]);
/** Boxes of pictures. */
const PICTURES = new Set(["ftyp", "mdat"]);
/** Boxes inside descriptions that may say anything about a picture or film but how it looks. */
const METADATA = new Set([
  ...["udta", "uuid", "free", "skip", "xml ", "bxml"],
  ...["udes", "crtt", "mdft", "name", "titl", "auth"],
]);
/** Boxes inside descriptions in which others lie. */
const HOLDERS = new Set(["iprp", "ipco", "trak", "mdia", "minf", "stbl", "edts", "mvex"]);

/** An offset of 0, and a TIFF structure without an entry. */
const EMPTY_EXIF = Uint8Array.of(0, 0, 0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0);

/** Passes a file on with its metadata written over. */
export async function* scrubAvif(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  /** Bytes that were left out since the last box that was kept. */
  let gap = 0;
  let ranges: ItemRange[] | null = null;
  const waiting = new Waiting();
  for (;;) {
    const head = await readBoxHead(source);
    if (head === null) break;
    const isKept = DESCRIPTIONS.has(head.type) || PICTURES.has(head.type);
    if (isKept && gap > 0) {
      yield* waiting.pass(at, freeBox(gap));
      at += gap;
      gap = 0;
    }
    const body = at + head.bytes.byteLength;
    if (DESCRIPTIONS.has(head.type)) {
      const held = await hold(source, head);
      if (head.type === "meta" && ranges === null) {
        ranges = metadataRanges(held, body);
        write(held, body, ranges);
        yield* waiting.end(ranges);
      }
      // A full box: version and flags stand before the boxes.
      blank(held.subarray(head.type === "meta" ? 4 : 0), 1);
      yield* waiting.pass(at, joinBytes([head.bytes, held]));
      at = body + held.byteLength;
      continue;
    }
    if (!PICTURES.has(head.type)) {
      // Encrypted boxes, padding and unknown boxes keep their offsets if anything follows them.
      const box = new CredentialsBox(head.type, credentials);
      for await (const piece of source.pass(head.length)) {
        box.push(piece);
        gap += piece.byteLength;
      }
      gap += head.bytes.byteLength;
      continue;
    }
    if (head.type === "mdat" && ranges === null) waiting.begin();
    yield* waiting.pass(at, head.bytes);
    at = body;
    for await (const piece of source.pass(head.length)) {
      const bytes = piece.slice();
      if (ranges !== null) write(bytes, at, ranges);
      yield* waiting.pass(at, bytes);
      at += piece.byteLength;
    }
  }
  // A film has no items, so nothing declares the pending bytes to be metadata.
  yield* waiting.end([]);
}

/** Bytes that came before what says which of them are metadata. */
class Waiting {
  #pieces: { at: number; bytes: Uint8Array }[] | null = null;
  #bytes = 0;

  /** From here on everything waits. */
  begin(): void {
    this.#pieces ??= [];
  }

  /** Passes bytes on, or lets them wait behind others. */
  *pass(at: number, bytes: Uint8Array): Generator<Uint8Array> {
    if (this.#pieces === null) return yield bytes;
    this.#pieces.push({ at, bytes });
    this.#bytes += bytes.byteLength;
    if (this.#bytes > MEDIA_BYTES_MAX) throw malformedImage();
  }

  /** Passes on what has waited. */
  *end(ranges: ItemRange[]): Generator<Uint8Array> {
    const pieces = this.#pieces ?? [];
    this.#pieces = null;
    for (const { at, bytes } of pieces) {
      write(bytes, at, ranges);
      yield bytes;
    }
  }
}

async function hold(source: ByteSource, head: BoxHead): Promise<Uint8Array> {
  if (head.length > AVIF_DESCRIPTION_BYTES_MAX) throw malformedImage();
  const held = (await source.take(head.length)).slice();
  if (held.byteLength < head.length) throw malformedImage();
  return held;
}

/** Writes over the parts of `bytes`, which lie at `at` in the file, that belong to metadata. */
function write(bytes: Uint8Array, at: number, ranges: ItemRange[]): void {
  for (const { start, end, isExif } of ranges) {
    const from = Math.max(start, at);
    const to = Math.min(end, at + bytes.byteLength);
    if (from >= to) continue;
    const quiet = isExif && end - start >= EMPTY_EXIF.byteLength ? EMPTY_EXIF : NOTHING;
    for (let offset = from; offset < to; offset++) bytes[offset - at] = quiet[offset - start] ?? 0;
  }
}

const NOTHING = new Uint8Array(0);

const FREE = Uint8Array.of(0x66, 0x72, 0x65, 0x65);

/** A box that means nothing, instead of `bytes` others. */
function freeBox(bytes: number): Uint8Array {
  const box = new Uint8Array(bytes);
  new DataView(box.buffer).setUint32(0, bytes);
  box.set(FREE, 4);
  return box;
}

/** Writes over what a description says besides what it describes. */
function blank(bytes: Uint8Array, depth: number): void {
  if (depth > AVIF_DEPTH_MAX) throw malformedImage();
  for (const { type, start, end, headBytes } of boxesOf(bytes)) {
    if (METADATA.has(type)) {
      bytes.set(FREE, start + 4);
      bytes.fill(0, start + headBytes, end);
    } else if (HOLDERS.has(type)) blank(bytes.subarray(start + headBytes, end), depth + 1);
  }
}
