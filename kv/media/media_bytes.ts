/**
 * Reads the type of an upload and the size of a picture from the bytes. Names and declared types are never
 * trusted.
 *
 * @module
 */
import { imageSize } from "image-size";
import { SIDE_PIXELS_MAX } from "../limits/media.ts";
import type { PictureMime } from "../model/entities/media.ts";

/** Bytes in which a picture says its type. */
const MAGIC_BYTES = 64;

/** The type by the magic bytes, or null when it is no picture. */
export function sniffMime(head: Uint8Array): PictureMime | null {
  const text = String.fromCharCode(...head.subarray(0, MAGIC_BYTES));
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  return text.slice(4, 8) === "ftyp" && isAvif(text) ? "image/avif" : null;
}

/** The major brand, or one of the compatible ones, of an ISO media file. */
function isAvif(text: string): boolean {
  const brands = text.slice(8, boxLength(text)).match(/[^]{4}/g) ?? [];
  return brands.some((brand, index) => index !== 1 && /^avi[fs]$/.test(brand));
}

function boxLength(text: string): number {
  return text.charCodeAt(2) * 256 + text.charCodeAt(3);
}

/** Width and height as shown, or null when the bytes do not tell. */
export function pictureSize(head: Uint8Array): { width: number; height: number } | null {
  const size = readSize(head);
  if (size === null) return null;
  const { width, height, orientation = 1 } = size;
  const fits = [width, height].every((side) => side >= 1 && side <= SIDE_PIXELS_MAX);
  if (!fits) return null;
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

function readSize(head: Uint8Array) {
  try {
    return imageSize(head);
  } catch {
    // The library throws an error of no particular class for whatever it cannot read.
    return null;
  }
}
