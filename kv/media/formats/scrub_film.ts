/**
 * A film or sound in an ISO base media file (MP4, QuickTime) without what its device said of it: places,
 * names, titles. Its parts point at each other by their offsets in the file, so nothing is left out: a box
 * that is not on the list becomes an empty one of the same size.
 *
 * @module
 */
import { FILM_DEPTH_MAX } from "../../tuning.ts";
import { readBoxHead, typeOf } from "../bmff_box.ts";
import type { ByteSource } from "../byte_source.ts";
import { CredentialsBox } from "../credentials_box.ts";
import type { CredentialsCollector } from "./content_credentials.ts";

/** The boxes that are kept, by the box that they are in; what is in others of them is kept whole. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  file: ["ftyp", "styp", "pdin", "moov", "moof", "mfra", "mdat", "sidx", "ssix", "wide"],
  moov: ["mvhd", "iods", "mvex", "trak"],
  moof: ["mfhd", "traf"],
  trak: ["tkhd", "tref", "trgr", "edts", "mdia", "load", "tapt"],
  mdia: ["mdhd", "hdlr", "minf", "elng"],
};
/** An empty box, which players pass over. */
const FREE = "free";

/** Passes a file on with its metadata written over. */
export async function* scrubFilm(
  source: ByteSource,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  yield* scrubBoxes(source, "file", Infinity, 0, credentials);
}

async function* scrubBoxes(
  source: ByteSource,
  holder: string,
  room: number,
  depth: number,
  credentials: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  let left = room;
  while (left >= 8) {
    const head = await readBoxHead(source);
    if (head === null) return;
    const { type, bytes } = head;
    const length = Math.min(head.length, left - bytes.byteLength);
    left -= bytes.byteLength + length;
    if (KEPT[holder]?.includes(type)) {
      yield bytes;
      const isHolder = Object.hasOwn(KEPT, type) && depth < FILM_DEPTH_MAX;
      if (isHolder) yield* scrubBoxes(source, type, length, depth + 1, credentials);
      else yield* source.pass(length);
    } else {
      yield renamed(bytes);
      const box = new CredentialsBox(type, credentials);
      for await (const piece of source.pass(length)) {
        box.push(piece);
        yield new Uint8Array(piece.byteLength);
      }
    }
  }
  // Too little for a box; its holder says that it is there.
  if (left > 0 && Number.isFinite(left)) yield* source.pass(left);
}

/** The head of a box under the name of an empty one. */
function renamed(head: Uint8Array): Uint8Array {
  if (typeOf(head, 4) === FREE) return head;
  const bytes = head.slice();
  for (let index = 0; index < 4; index++) bytes[4 + index] = FREE.charCodeAt(index);
  return bytes;
}
