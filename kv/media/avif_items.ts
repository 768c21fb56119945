/**
 * Which bytes of an AVIF are metadata: the ranges of the items that are no pictures, as its `meta` box
 * tells them.
 *
 * @module
 */
import { malformedImage } from "../model/values/malformed_image.ts";
import { AVIF_ITEMS_MAX, AVIF_METADATA_PLACES_MAX } from "../tuning.ts";
import { type Box, boxesOf, typeOf, viewOf } from "./bmff_box.ts";

/** The byte range of a metadata item, as offsets in the file. */
export interface ItemRange {
  start: number;
  /** Exclusive. */
  end: number;
  isExif: boolean;
}

/** Types of items that say something about a picture; `mime` holds XMP. */
const METADATA_ITEMS = new Set(["Exif", "mime", "uri "]);

/** The ranges of metadata that the body of a `meta` box tells, which begins at `at` in the file. */
export function metadataRanges(meta: Uint8Array, at: number): ItemRange[] {
  // A full box: version and flags stand before the boxes.
  const inner = meta.subarray(4);
  const boxes = [...boxesOf(inner)];
  const types = itemTypes(inner, boxes.find(({ type }) => type === "iinf"));
  const idat = boxes.find(({ type }) => type === "idat");
  const inside = idat === undefined ? null : at + 4 + idat.start + idat.headBytes;
  const ranges = itemRanges(inner, boxes.find(({ type }) => type === "iloc"), inside);
  const found = ranges.flatMap(({ id, ...range }) => {
    const type = types.get(id) ?? "";
    return METADATA_ITEMS.has(type) ? [{ ...range, isExif: type === "Exif" }] : [];
  });
  if (found.length > AVIF_METADATA_PLACES_MAX) throw malformedImage();
  return apart(found);
}

/** The same ranges without any overlap, so that no byte is written over twice. */
function apart(ranges: ItemRange[]): ItemRange[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start);
  const merged: ItemRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.start >= last.end) merged.push(range);
    else last.end = Math.max(last.end, range.end);
  }
  return merged;
}

function itemTypes(meta: Uint8Array, iinf: Box | undefined): Map<number, string> {
  const types = new Map<number, string>();
  if (iinf === undefined) return types;
  const body = meta.subarray(iinf.start + iinf.headBytes, iinf.end);
  if (body.byteLength < 6) throw malformedImage();
  const entries = body.subarray(body[0] === 0 ? 6 : 8);
  for (const { type, start, end, headBytes } of boxesOf(entries)) {
    if (type !== "infe") continue;
    const entry = entries.subarray(start + headBytes, end);
    const version = entry[0] ?? 0;
    if (version < 2) continue;
    const idBytes = version === 2 ? 2 : 4;
    if (entry.byteLength < 4 + idBytes + 6 || types.size >= AVIF_ITEMS_MAX) throw malformedImage();
    const id = new Numbers(entry, 4).next(idBytes);
    types.set(id, typeOf(entry, 4 + idBytes + 2));
  }
  return types;
}

type LocatedItem = Omit<ItemRange, "isExif"> & { id: number };

/** Every range of every item; `inside` is where the data of the `meta` box itself begin. */
function itemRanges(meta: Uint8Array, iloc: Box | undefined, inside: number | null): LocatedItem[] {
  if (iloc === undefined) return [];
  const numbers = new Numbers(meta.subarray(iloc.start + iloc.headBytes, iloc.end), 0);
  const version = numbers.next(4) >>> 24;
  const sizes = numbers.next(2);
  const [offsetBytes, lengthBytes, baseBytes, indexBytes] = [12, 8, 4, 0].map((shift) =>
    sizes >> shift & 15
  ) as [number, number, number, number];
  const count = numbers.next(version < 2 ? 2 : 4);
  const ranges: LocatedItem[] = [];
  for (let item = 0; item < count; item++) {
    const id = numbers.next(version < 2 ? 2 : 4);
    const method = version === 0 ? 0 : numbers.next(2) & 15;
    numbers.next(2);
    const base = numbers.next(baseBytes);
    const extents = numbers.next(2);
    for (let extent = 0; extent < extents; extent++) {
      if (version > 0) numbers.next(indexBytes);
      const offset = base + numbers.next(offsetBytes);
      const length = numbers.next(lengthBytes);
      if (method > 1 || (method === 1 && inside === null) || ranges.length >= AVIF_ITEMS_MAX) {
        throw malformedImage();
      }
      const start = offset + (method === 1 ? inside ?? 0 : 0);
      // Without a length it is all that there is.
      const end = length === 0 ? Infinity : start + length;
      ranges.push({ id, start, end });
    }
  }
  return ranges;
}

/** Reads numbers of several sizes one after the other. */
class Numbers {
  readonly #view: DataView;
  #at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#view = viewOf(bytes);
    this.#at = at;
  }

  next(size: number): number {
    const at = this.#at;
    if (![0, 2, 4, 8].includes(size) || at + size > this.#view.byteLength) throw malformedImage();
    this.#at += size;
    if (size === 0) return 0;
    if (size === 2) return this.#view.getUint16(at);
    if (size === 4) return this.#view.getUint32(at);
    return Number(this.#view.getBigUint64(at));
  }
}
