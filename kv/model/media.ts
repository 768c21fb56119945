/**
 * Media: images with their facts. The bytes are an object, which media with the same bytes share.
 *
 * @module
 */
import { z } from "zod";

/** The types that may be uploaded, as the specification orders them. */
export const MEDIA_MIMES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
] as const;

/** A type that may be uploaded. */
export type MediaMime = typeof MEDIA_MIMES[number];

/** Largest upload, bytes (the specification's `maxBytes`). */
export const MEDIA_BYTES_MAX = 25_000_000;
/** Characters of an alternative text. */
export const ALT_CHARS_MAX = 1_000;
/** How long a deleted medium can be brought back, seconds: 30 days. */
export const MEDIA_RETENTION_SECONDS = 2_592_000;

/** The state of a medium, as its versions record it. */
export interface MediaState {
  id: string;
  filename: string;
  mime: MediaMime;
  /** Size of what is stored: the upload without its metadata. */
  bytes: number;
  /** As it is to be shown, an orientation taken into account. */
  width: number;
  height: number;
  alt: string;
  /** Digest of what is stored. */
  sha256: string;
  /** Which object holds the bytes. */
  object: string;
  createdAt: number;
  updatedAt: number;
  /** When it was deleted; it can be brought back for a while. */
  deletedAt: number | null;
}

/** A medium as the admin API shows it; `deletedAt` only while it is deleted. */
export interface MediaView {
  id: string;
  filename: string;
  mime: MediaMime;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  url: string;
  createdAt: number;
  deletedAt?: number;
}

/** An alternative text: one paragraph, without control characters. */
export const AltText = z.string().refine(
  (text) => [...text].length <= ALT_CHARS_MAX,
  { message: `Must be at most ${ALT_CHARS_MAX} characters`, params: { code: "TOO_LONG" } },
).refine((text) => !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text) && text.isWellFormed(), {
  message: "Must not contain control characters",
  params: { code: "PATTERN_MISMATCH" },
});

/** What may be changed of a medium. */
export const MediaPatch = z.strictObject({
  alt: AltText.optional(),
  filename: z.string().optional(),
});
/** What may be changed of a medium. */
export type MediaPatch = z.infer<typeof MediaPatch>;

/** Path under which a medium is served. */
export function mediaUrl({ id, filename }: Pick<MediaState, "id" | "filename">): string {
  return `/media/${id}/${encodeURIComponent(filename)}`;
}

/** A medium without what only the service needs. */
export function mediaView(state: MediaState): MediaView {
  const { id, filename, mime, bytes, width, height, alt, createdAt, deletedAt } = state;
  const url = mediaUrl(state);
  const view = { id, filename, mime, bytes, width, height, alt, url, createdAt };
  return deletedAt === null ? view : { ...view, deletedAt };
}
