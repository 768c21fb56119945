/**
 * A JPEG without its metadata. What the picture needs stays: color profile, Adobe marker, and the
 * orientation, without which it would be shown on its side.
 *
 * @module
 */
import { malformedImage } from "../../model/values/malformed_image.ts";
import type { ByteSource } from "../byte_source.ts";
import { type CredentialsCollector, isManifestStore } from "./content_credentials.ts";
import { viewOf } from "../bmff_box.ts";

const MARKER = 0xff;
const EOI = 0xd9;
const SOS = 0xda;
const APP0 = 0xe0;
const APP11 = 0xeb;
const APP15 = 0xef;
const COMMENT = 0xfe;

/** Signatures of the application segments that stay, by marker. */
const KEPT: { [marker: number]: string } = {
  0xe0: "JFIF\0",
  0xe2: "ICC_PROFILE\0",
  0xee: "Adobe",
};
const EXIF_MARKER = 0xe1;
const EXIF = "Exif\0\0";

/** Passes on what belongs to the picture, up to its end. */
export async function* scrubJpeg(
  source: ByteSource,
  collector: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  const credentials = new CredentialsSegments(collector);
  yield await source.take(2);
  let oriented = false;
  for (;;) {
    const marker = await nextMarker(source);
    if (marker === null) return;
    if (marker === EOI) {
      yield Uint8Array.of(MARKER, EOI);
      return await source.skip();
    }
    if (isBare(marker)) {
      yield Uint8Array.of(MARKER, marker);
      continue;
    }
    const [high, low] = await source.take(2);
    if (high === undefined || low === undefined) return;
    const size = high * 256 + low - 2;
    if (size < 0) throw malformedImage();
    if (marker === COMMENT || (marker >= APP0 && marker <= APP15)) {
      const payload = await source.take(size);
      if (marker === APP11) credentials.take(payload);
      const kept = keptPayload(marker, payload, oriented);
      oriented ||= marker === EXIF_MARKER && kept !== null;
      if (kept !== null) yield segment(marker, kept);
      continue;
    }
    yield Uint8Array.of(MARKER, marker, high, low);
    yield* source.pass(size);
    if (marker === SOS) yield* passScan(source);
  }
}

/**
 * JUMBF boxes in segments: each has a mark, the number of the box, its own number, and the head of the box
 * again. Boxes of other types than manifests are no credentials.
 */
class CredentialsSegments {
  readonly #collector: CredentialsCollector;
  #box: number | null = null;

  constructor(collector: CredentialsCollector) {
    this.#collector = collector;
  }

  take(payload: Uint8Array): void {
    if (payload.byteLength < 16 || !startsWith(payload, "JP")) return;
    const view = viewOf(payload);
    const [box, order] = [view.getUint16(2), view.getUint32(4)];
    if (this.#box === null && isManifestStore(payload.subarray(8))) {
      this.#box = box;
      this.#collector.add(payload.subarray(8), order);
    } else if (this.#box === box) this.#collector.add(payload.subarray(16), order);
  }
}

/** The next marker, after any fill bytes; null at the end. */
async function nextMarker(source: ByteSource): Promise<number | null> {
  const [first] = await source.take(1);
  if (first === undefined) return null;
  if (first !== MARKER) throw malformedImage();
  for (;;) {
    const [code] = await source.take(1);
    if (code === undefined) return null;
    if (code !== MARKER) return code;
  }
}

/** Markers without a length: restarts, start of image, TEM. */
function isBare(marker: number): boolean {
  return (marker >= 0xd0 && marker <= 0xd8) || marker === 0x01;
}

/** Entropy-coded bytes up to the next marker, which stays unread. */
async function* passScan(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (;;) {
    const piece = await source.peek();
    if (piece === null) return;
    const end = scanEnd(piece);
    if (end > 0) {
      source.advance(end);
      yield piece.subarray(0, end);
      continue;
    }
    // The piece begins with a marker byte: its second byte decides.
    const pair = piece.byteLength >= 2 ? piece.subarray(0, 2) : await rejoin(source);
    const [, second] = pair;
    if (second === undefined) return;
    if (second !== 0 && !(second >= 0xd0 && second <= 0xd7)) return;
    yield await source.take(2);
  }
}

/** How many bytes certainly belong to the scan: all before the first 0xff that may be a marker. */
function scanEnd(piece: Uint8Array): number {
  for (
    let offset = piece.indexOf(MARKER);
    offset !== -1;
    offset = piece.indexOf(MARKER, offset + 2)
  ) {
    const next = piece[offset + 1];
    if (next === undefined || (next !== 0 && !(next >= 0xd0 && next <= 0xd7))) return offset;
  }
  return piece.byteLength;
}

/** A marker byte at the very end of a piece: puts it in front of the next piece. */
async function rejoin(source: ByteSource): Promise<Uint8Array> {
  const pair = await source.take(2);
  source.unread(pair);
  return pair;
}

/** The payload to keep of an application segment or comment, null for none. */
function keptPayload(marker: number, payload: Uint8Array, oriented: boolean): Uint8Array | null {
  const signature = KEPT[marker];
  if (signature !== undefined && startsWith(payload, signature)) {
    // Behind the 14 bytes of JFIF stands a thumbnail, which may show what was cropped away.
    return marker === APP0 ? withoutThumbnail(payload) : payload;
  }
  if (marker !== EXIF_MARKER || oriented || !startsWith(payload, EXIF)) return null;
  const orientation = orientationOf(payload.subarray(EXIF.length));
  return orientation >= 2 && orientation <= 8 ? orientationExif(orientation) : null;
}

function withoutThumbnail(jfif: Uint8Array): Uint8Array {
  const head = jfif.slice(0, 14);
  head.fill(0, 12);
  return head;
}

/** The orientation that a TIFF structure tells in its first directory; 1 when it tells none. */
function orientationOf(tiff: Uint8Array): number {
  if (tiff.byteLength < 14) return 1;
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = view.getUint16(0) === 0x4949;
  const directory = view.getUint32(4, little);
  if (directory + 2 > tiff.byteLength) return 1;
  const count = view.getUint16(directory, little);
  for (let entry = 0; entry < count; entry++) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.byteLength) return 1;
    if (view.getUint16(at, little) === 0x0112) return view.getUint16(at + 8, little);
  }
  return 1;
}

/** An EXIF payload that says nothing but the orientation. */
function orientationExif(orientation: number): Uint8Array {
  const header = [...EXIF].map((character) => character.charCodeAt(0));
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  return Uint8Array.from([...header, ...tiff, 0, 1, ...entry, 0, 0, 0, 0]);
}

function segment(marker: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + payload.byteLength);
  bytes.set([MARKER, marker, (payload.byteLength + 2) >> 8, (payload.byteLength + 2) & 0xff]);
  bytes.set(payload, 4);
  return bytes;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}
