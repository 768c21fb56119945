/**
 * Detects the type of an upload from its bytes, for pictures and other files.
 *
 * @module
 */
import { FILE_MIMES, type FileMime } from "../model/values/file_type.ts";
import type { MediaMime } from "../model/entities/media.ts";
import { textBefore } from "../model/primitives/text_before.ts";
import { sniffMime } from "./media_bytes.ts";
import { textType } from "./text_bytes.ts";
import { isZip, zipType } from "./zip_bytes.ts";

/** Bytes that {@linkcode sniffType} wants to see. */
export const SNIFF_BYTES = 16_384;

/** How the library calls what has another name here. */
const SYNONYMS: Readonly<Record<string, FileMime | null>> = {
  "audio/x-m4a": "audio/mp4",
  "audio/x-flac": "audio/flac",
  "audio/vnd.wave": "audio/wav",
  "audio/wave": "audio/wav",
  "video/x-m4v": "video/mp4",
  // One without entries.
  "application/zip": null,
};

/**
 * The type by the first {@linkcode SNIFF_BYTES} bytes (all of them where there are fewer), or null when it is
 * none that a site can take.
 */
export async function sniffType(head: Uint8Array): Promise<MediaMime | null> {
  return sniffMime(head) ?? await sniffFile(head);
}

async function sniffFile(head: Uint8Array): Promise<FileMime | null> {
  if (isZip(head)) return zipType(head);
  // Loaded by the first upload that is no picture: processes that take none do without it.
  const { fileTypeFromBuffer } = await import("file-type");
  // The head may end in the middle of something that the library wants to read on.
  const found = await fileTypeFromBuffer(head).catch(() => undefined);
  if (found === undefined) return textType(head, head.length < SNIFF_BYTES);
  const mime = textBefore(found.mime, ";");
  const named = Object.hasOwn(SYNONYMS, mime) ? SYNONYMS[mime] : mime;
  return FILE_MIMES.find((one) => one === named) ?? null;
}
