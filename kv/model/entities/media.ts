/**
 * Media: images and, where a site takes them, other files, with their facts. The bytes are an object, which media with the same bytes share.
 *
 * @module
 */
import { z } from "zod";
import { LANGUAGES_MAX } from "../../limits/content.ts";
import { ALT_CHARS_MAX, MEDIA_TITLE_CHARS_MAX } from "../../limits/media.ts";
import {
  downloadName,
  FILE_MIMES,
  fileKind,
  type FileMime,
  fileMimes,
} from "../values/file_type.ts";
import { type Crops, CropsPatch } from "../values/crop.ts";
import { MediaFolder, MediaTags } from "./media_folder.ts";
import { digest, time, unchecked } from "./state_member.ts";
import {
  type CredentialsView,
  credentialsView,
  type MediaCredentials,
} from "../media_credentials.ts";
import { isCanonical } from "../languages/language.ts";
import { sameJson } from "../values/same_json.ts";
import { sha256 } from "../values/sha256.ts";

/** The types of pictures, as the specification orders them. */
export const MEDIA_MIMES = [
  "image/png",
  "image/jpeg",
  "image/webp",
  "image/gif",
  "image/avif",
] as const;

/** The type of a picture. */
export type PictureMime = typeof MEDIA_MIMES[number];
/** The type of a medium. */
export type MediaMime = PictureMime | FileMime;
/** Every type that a medium can have. */
export const ALL_MIMES: readonly MediaMime[] = [...MEDIA_MIMES, ...FILE_MIMES];

/** Whether media of a type are pictures. */
export function isPicture(mime: MediaMime): mime is PictureMime {
  return MEDIA_MIMES.some((one) => one === mime);
}

/** The types that may take the place of one, so that pages can continue to show it. */
export function interchangeable(mime: MediaMime): readonly MediaMime[] {
  return isPicture(mime) ? MEDIA_MIMES : fileMimes([fileKind(mime)]);
}

/** Characters of the fingerprint in the address of a picture that is not what it was when it was uploaded. */
const FINGERPRINT_CHARS = 10;
/** How long a deleted medium can be brought back, seconds: 30 days. */
export const MEDIA_RETENTION_SECONDS = 2_592_000;

/** The point that must stay to be seen when a picture is cut: parts of its width and height. */
export type Focus = {
  x: number;
  y: number;
};

/** The state of a medium, as its versions record it. */
export const MediaState = z.object({
  id: z.ulid(),
  filename: z.string().min(1),
  mime: z.enum(ALL_MIMES),
  /** Size of what is stored. */
  bytes: time,
  /** As it is to be shown, an orientation taken into account; 0 for what is no picture. */
  width: unchecked<number>(),
  height: unchecked<number>(),
  alt: unchecked<string>(),
  /** Alternative texts in languages other than that of `alt`, by code; absent if there are none. */
  alts: unchecked<{ [code: string]: string }>().exactOptional(),
  /** The title; absent if it has none. */
  title: unchecked<string>().exactOptional(),
  /** Path of the folder that it is in; absent when it is in none. */
  folder: unchecked<string>().exactOptional(),
  /** Absent when it has none. */
  tags: unchecked<string[]>().exactOptional(),
  /** Absent: the middle. */
  focus: unchecked<Focus>().exactOptional(),
  /** Crops by ratio; absent if none were drawn. */
  crops: unchecked<Crops>().exactOptional(),
  /** Set when it has no variants: it moves, its colors are for print, or the codec cannot decode it. */
  asIs: unchecked<true>().exactOptional(),
  /** Content Credentials that came with the bytes. */
  credentials: unchecked<MediaCredentials>().exactOptional(),
  /** Set when its address has to be signed. */
  private: unchecked<true>().exactOptional(),
  /** Set when the bytes are others than those of the upload that made the medium. */
  replaced: unchecked<true>().exactOptional(),
  /** Digest of what is stored. */
  sha256: digest,
  /** Which object holds the bytes. */
  object: z.string().regex(/^[0-9A-Za-z]{1,64}$/),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
  /** When it was deleted; it can be brought back for a while. */
  deletedAt: unchecked<number | null>(),
});
export type MediaState = z.infer<typeof MediaState>;

/** The objects that a medium needs: its bytes, and its Content Credentials. */
export function objectsOf({ object, credentials }: MediaState): string[] {
  return credentials === undefined ? [object] : [object, credentials.object];
}

/** A medium as the admin API shows it; `deletedAt` only while it is deleted, the others when set. */
export type MediaView = {
  id: string;
  filename: string;
  mime: MediaMime;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  url: string;
  createdAt: number;
  alts?: { [code: string]: string };
  title?: string;
  folder?: string;
  tags?: string[];
  focus?: Focus;
  crops?: Crops;
  credentials?: CredentialsView;
  private?: true;
  deletedAt?: number;
};

/** An alternative text or a title: no control characters but tabs and line ends. */
const textOf = (charsMax: number) =>
  z.string().refine(
    (text) => [...text].length <= charsMax,
    { message: `Must be at most ${charsMax} characters`, params: { code: "TOO_LONG" } },
  ).refine((text) => !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(text) && text.isWellFormed(), {
    message: "Must not contain control characters",
    params: { code: "PATTERN_MISMATCH" },
  });

/** An alternative text. */
export const AltText = textOf(ALT_CHARS_MAX);
/** A title. */
const MediaTitle = textOf(MEDIA_TITLE_CHARS_MAX);

const part = z.number().min(0).max(1);

/** Alternative texts by language. */
const AltTexts = z.record(
  z.string().refine(isCanonical, "Must be a BCP 47 code in canonical case"),
  AltText,
).refine((texts) => Object.keys(texts).length <= LANGUAGES_MAX, {
  message: `At most ${LANGUAGES_MAX} languages`,
  params: { code: "TOO_LONG" },
});

/** A patch of a medium. */
export const MediaPatch = z.strictObject({
  alt: AltText.optional(),
  alts: AltTexts.optional(),
  title: MediaTitle.optional(),
  folder: MediaFolder.optional(),
  tags: MediaTags.optional(),
  filename: z.string().optional(),
  private: z.boolean().optional(),
  focus: z.strictObject({ x: part, y: part }).nullable().optional(),
  crops: CropsPatch.nullable().optional(),
});
/** The properties of a patch of a medium; `altLanguage` is the language of `alt`, absent for the site's. */
export type MediaPatch = z.infer<typeof MediaPatch> & { altLanguage?: string };

/** The properties that determine the URL of a medium. */
export type Addressed = Pick<
  MediaState,
  "id" | "filename" | "sha256" | "focus" | "crops" | "replaced"
>;

/**
 * The name under which a medium is served. What is behind an address never changes: when the bytes were
 * replaced, or it was changed how they are cut, the name carries a fingerprint of both.
 */
export function servedName(medium: Addressed): string {
  const { filename, sha256: digest, focus, crops, replaced } = medium;
  if (!replaced && focus === undefined && crops === undefined) return filename;
  const drawn = crops === undefined ? "" : ` ${cropsText(crops)}`;
  const fingerprint = sha256(`${digest} ${focus?.x ?? ""} ${focus?.y ?? ""}${drawn}`).slice(
    0,
    FINGERPRINT_CHARS,
  );
  const extension = /\.[^.]{1,10}$/.exec(filename)?.[0] ?? "";
  return `${filename.slice(0, filename.length - extension.length)}.${fingerprint}${extension}`;
}

/** The same text for the same crops, in whatever order they are kept. */
function cropsText(crops: Crops): string {
  return Object.entries(crops)
    .map(([ratio, { x, y, width, height }]) => [ratio, x, y, width, height].join(" "))
    .sort().join(" ");
}

/** Path under which a medium is served. */
export function mediaUrl(medium: Addressed): string {
  return pathOf(medium.id, servedName(medium));
}

/** Path of a medium by the name under which it is served. */
export function pathOf(id: string, name: string): string {
  return `/media/${id}/${encodeURIComponent(name)}`;
}

/** The surrogate key of everything that is served of a medium. */
export function mediaTag(id: string): string {
  return `media-${id}`;
}

/** The file name of a medium whose bytes have become another type. */
export function renamedFor(filename: string, mime: MediaMime): string {
  if (!isPicture(mime)) return downloadName(filename, mime);
  const extension = mime === "image/jpeg" ? "jpg" : mime.slice("image/".length);
  return `${filename.replace(/\.[^.]{1,10}$/, "")}.${extension}`;
}

/** Whether pages that show a medium need not be made again. */
export function looksTheSame(a: MediaState | null, b: MediaState | null): boolean {
  if (a === null || b === null) return a === b;
  return mediaUrl(a) === mediaUrl(b) && a.alt === b.alt &&
    sameJson(a.alts ?? null, b.alts ?? null) && a.deletedAt === b.deletedAt &&
    a.sha256 === b.sha256 && a.asIs === b.asIs && a.private === b.private;
}

/** The first of some languages that has an alternative text of its own; undefined for none. */
export function altLanguage(
  { alts = {} }: Pick<MediaState, "alts">,
  codes: readonly string[],
): string | undefined {
  return codes.find((one) => Object.hasOwn(alts, one));
}

/** The alternative text in the first of some languages that has one; else that of no language. */
export function altIn(
  medium: Pick<MediaState, "alt" | "alts">,
  codes: readonly string[],
): string {
  const code = altLanguage(medium, codes);
  return code === undefined ? medium.alt : medium.alts?.[code] ?? medium.alt;
}

/** A medium without what only the service needs. */
export function mediaView(state: Omit<MediaState, "object">): MediaView {
  const { id, filename, mime, bytes, width, height, alt, createdAt, deletedAt } = state;
  const url = mediaUrl(state);
  const view: MediaView = { id, filename, mime, bytes, width, height, alt, url, createdAt };
  if (state.alts !== undefined) view.alts = state.alts;
  if (state.title !== undefined) view.title = state.title;
  if (state.folder !== undefined) view.folder = state.folder;
  if (state.tags !== undefined) view.tags = state.tags;
  if (state.focus !== undefined) view.focus = state.focus;
  if (state.crops !== undefined) view.crops = state.crops;
  if (state.credentials !== undefined) view.credentials = credentialsView(id, state.credentials);
  if (state.private) view.private = true;
  if (deletedAt !== null) view.deletedAt = deletedAt;
  return view;
}

/** The facts given when a medium is created. */
export type MediaFacts = Pick<
  MediaState,
  "filename" | "alt" | "folder" | "tags" | "private" | "focus"
>;
