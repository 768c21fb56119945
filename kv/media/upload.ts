/**
 * An upload on its way into the object store: counted, recognised, freed of metadata, hashed and measured
 * while it passes, never held in memory.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { MEDIA_BYTES_MAX } from "../limits/media.ts";
import { ByteSource } from "./byte_source.ts";
import { malformedImage } from "../model/values/malformed_image.ts";
import {
  isPicture,
  MEDIA_MIMES,
  type MediaMime,
  type PictureMime,
} from "../model/entities/media.ts";
import { PictureStructure } from "./formats/picture_structure.ts";
import { PngCheck } from "./png_check.ts";
import { SNIFF_BYTES, sniffType } from "./file_bytes.ts";
import { CREDENTIALS_BYTES_MAX, PICTURE_PIXELS_MAX } from "../model/limits.ts";
import { pictureSize } from "./media_bytes.ts";
import { CredentialsCollector } from "./formats/content_credentials.ts";
import { discard } from "./discard.ts";
import { type FilmMime, isFilm, scrub } from "./formats/scrub.ts";
import { withoutJunk } from "./formats/scrub_webp.ts";
import { storeCredentials } from "./store_credentials.ts";
import type { MediaCredentials } from "../model/media_credentials.ts";
import { joinBytes } from "../objects/object_bytes.ts";
import { mediaPath } from "../objects/paths.ts";
import { Refusal } from "../refusals.ts";
import { MEDIA_HEAD_BYTES_MAX } from "../tuning.ts";

/** Bytes that are stored but that no medium refers to yet. */
export interface Upload {
  object: string;
  mime: MediaMime;
  bytes: number;
  sha256: string;
  width: number;
  height: number;
  /** Set when it has no variants. */
  asIs?: true;
  /** Content Credentials that it carries; their manifest is an object of its own. */
  credentials?: MediaCredentials;
}

/** Decodes a stored picture; throws UNSUPPORTED_MEDIA_TYPE for a broken one. */
export type PictureCheck = (upload: Upload) => Promise<Pick<Upload, "asIs">>;

/** How an upload is stored. */
export interface StoreOptions {
  /** Checks the pixels of a picture; without it, only its structure is checked. */
  check?: PictureCheck;
  /** Types that are taken: pictures unless given. */
  types?: readonly MediaMime[];
  /** Whether a file with Content Credentials is kept as it came, with all of its metadata. */
  keepCredentials?: boolean;
  /** Keeps a file with this digest as it came: an earlier release, or another setting, has stored it so. */
  keepIf?: (sha256: string) => Promise<boolean>;
}

/** Stores the bytes of a file under a fresh key; nothing is stored when they are refused. */
export async function storeUpload(
  context: Context,
  file: AsyncIterable<Uint8Array>,
  options: StoreOptions = {},
): Promise<Upload> {
  const upload = await storeFile(context, file, options);
  const { check, keepIf } = options;
  // Bytes that a medium has lost were accepted before.
  if (check === undefined || await keepIf?.(upload.sha256)) return upload;
  try {
    return { ...upload, ...await check(upload) };
  } catch (error) {
    await discard(context, upload);
    throw error;
  }
}

async function storeFile(
  context: Context,
  file: AsyncIterable<Uint8Array>,
  { types = MEDIA_MIMES, keepCredentials = false, keepIf }: StoreOptions,
): Promise<Upload> {
  const source = new ByteSource(counted(file));
  const head = await source.take(SNIFF_BYTES);
  const mime = await sniffType(head);
  if (mime === null || !types.includes(mime)) {
    // Read to its end, because what is too large is refused as that, whatever it is.
    await source.skip();
    throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: refusedBytes(types) });
  }
  source.unread(head);
  if (!isPicture(mime) && !isFilm(mime)) return await storeMeasured(context, mime, source.pass());
  const found = new CredentialsCollector();
  const mayKeep = keepCredentials || keepIf !== undefined;
  const first = await storeMeasured(
    context,
    mime,
    mayKeep ? uncleaned(mime, source.pass(), found) : scrub(mime, source.pass(), found),
    // Credentials stand before the size of a JPEG.
    MEDIA_HEAD_BYTES_MAX + (mayKeep ? CREDENTIALS_BYTES_MAX : 0),
  );
  const manifest = found.bytes();
  const isKept = mayKeep &&
    (keepCredentials && manifest !== null || await keepIf?.(first.sha256) === true);
  const upload = mayKeep && !isKept ? await storedAgain(context, first, scrubAgain) : first;
  if (manifest === null) return upload;
  try {
    const credentials = await storeCredentials(context, manifest, isKept);
    const isBlanked = mime === "image/webp" && !isKept;
    const stored = isBlanked ? await storedAgain(context, upload, compactAgain) : upload;
    return { ...stored, credentials };
  } catch (error) {
    await discard(context, upload);
    throw error;
  }
}

async function storeMeasured(
  context: Context,
  mime: MediaMime,
  content: AsyncGenerator<Uint8Array>,
  headBytes = MEDIA_HEAD_BYTES_MAX,
): Promise<Upload> {
  const object = context.newId(context.now());
  const passed = new Measurement(isPicture(mime) ? mime : null, headBytes);
  const stream = ReadableStream.from(passed.measure(content));
  const { bytes } = await context.objects.putStream(mediaPath(object), stream, {
    contentType: mime,
  });
  return { object, mime, bytes, sha256: passed.sha256(), ...passed.size(), ...passed.way() };
}

/** A file as it comes, while the cleaning of it finds its credentials. */
async function* uncleaned(
  mime: PictureMime | FilmMime,
  stream: AsyncIterable<Uint8Array>,
  found: CredentialsCollector,
): AsyncGenerator<Uint8Array> {
  const passed: Uint8Array[] = [];
  async function* tapped() {
    for await (const piece of stream) {
      passed.push(piece);
      yield piece;
    }
  }
  for await (const _ of scrub(mime, tapped(), found)) yield* passed.splice(0);
  yield* passed;
}

/** How a stored file is read again for its second form; each call of the function reads it from its start. */
type SecondPass = (mime: MediaMime, again: () => Promise<ByteSource>) => AsyncGenerator<Uint8Array>;

/** It had no credentials to keep: it is cleaned as any other. */
async function* scrubAgain(mime: MediaMime, again: () => Promise<ByteSource>) {
  yield* scrub(mime as PictureMime | FilmMime, (await again()).pass());
}

async function* compactAgain(_mime: MediaMime, again: () => Promise<ByteSource>) {
  yield* withoutJunk(again);
}

/** Stores a second form of an upload in the place of the first. */
async function storedAgain(context: Context, first: Upload, pass: SecondPass): Promise<Upload> {
  const again = async () => {
    const stream = await context.objects.getStream(mediaPath(first.object));
    if (stream === null) throw new Error("The bytes of an upload are gone");
    return new ByteSource(stream);
  };
  try {
    return await storeMeasured(context, first.mime, pass(first.mime, again));
  } finally {
    await discard(context, first);
  }
}

function refusedBytes(types: readonly MediaMime[]): string {
  return types.every(isPicture)
    ? "the bytes are no allowed image"
    : "the bytes are of no allowed type";
}

async function* counted(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const piece of file) {
    bytes += piece.byteLength;
    if (bytes > MEDIA_BYTES_MAX) throw new Refusal("PAYLOAD_TOO_LARGE");
    yield piece;
  }
}

/** Hashes a stream and keeps its beginning, which tells the size of a picture. */
class Measurement {
  readonly #structure: PictureStructure | null;
  readonly #png: PngCheck | null;
  readonly #hash = createHash("sha256");
  readonly #head: Uint8Array[] = [];
  readonly #headBytesMax: number;
  #headBytes = 0;

  /** `mime` is that of a picture; null for what is none. */
  constructor(mime: PictureMime | null, headBytesMax: number) {
    this.#headBytesMax = headBytesMax;
    this.#structure = mime === null ? null : new PictureStructure(mime);
    this.#png = mime === "image/png" ? new PngCheck() : null;
  }

  async *measure(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of stream) {
      this.#hash.update(piece);
      this.#structure?.push(piece);
      await this.#png?.push(piece);
      if (this.#structure !== null && this.#headBytes < this.#headBytesMax) {
        this.#head.push(piece.slice(0, this.#headBytesMax - this.#headBytes));
        this.#headBytes += piece.byteLength;
      }
      yield piece;
    }
    // Before the stream ends, so that a picture without a size or an end is never stored.
    this.size();
    if (this.#structure?.facts().isWhole === false) throw malformedImage("it has no end");
    const fault = await this.#png?.fault() ?? null;
    if (fault !== null) throw malformedImage(fault);
  }

  sha256(): string {
    return this.#hash.digest("hex");
  }

  /** Whether the picture must be served as it is, without variants. */
  way(): Pick<Upload, "asIs"> {
    return this.#structure?.facts().isFixed ? { asIs: true } : {};
  }

  size(): { width: number; height: number } {
    if (this.#structure === null) return { width: 0, height: 0 };
    const size = pictureSize(joinBytes(this.#head));
    if (size === null) {
      throw new Refusal("UNSUPPORTED_MEDIA_TYPE", { about: "the image has no readable size" });
    }
    if (size.width * size.height > PICTURE_PIXELS_MAX) {
      const about = `an image has at most ${PICTURE_PIXELS_MAX / 1e6} megapixels`;
      throw new Refusal("PAYLOAD_TOO_LARGE", { about });
    }
    return size;
  }
}
