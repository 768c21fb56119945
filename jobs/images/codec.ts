/**
 * Decodes, cuts, shrinks and encodes a picture with WebAssembly codecs, which are loaded when they are
 * first used.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import type { PictureMime } from "../../kv/model/entities/media.ts";
import { geometry, type Transform } from "../../kv/model/values/transform.ts";
import { FLOAT_PIXELS_MAX } from "../limits.ts";
import { decodeJpeg, UnsupportedJpeg } from "./jpeg_decoder.ts";
import { colorProfile, toSrgb } from "./color_profile.ts";
import { shrink, shrinkFactor } from "./shrink.ts";

/** The bytes of a picture. */
export interface PictureSource {
  bytes: Uint8Array<ArrayBuffer>;
  mime: PictureMime;
}

/** A picture to be transformed. */
export interface PictureWork extends PictureSource {
  transform: Transform;
}

/** The bytes of the transformed picture. */
export async function transformPicture(work: PictureWork): Promise<Uint8Array<ArrayBuffer>> {
  let { picture } = await decode(work);
  const { width, height, crop } = geometry(work.transform, picture);
  picture = cut(picture, crop);
  picture = shrink(picture, shrinkFactor(picture, { width, height }));
  if (width !== picture.width || height !== picture.height) {
    const { default: resize } = await import("@jsquash/resize");
    const premultiply = picture.width * picture.height <= FLOAT_PIXELS_MAX;
    picture = await resize(picture, { width, height, linearRGB: false, premultiply });
  }
  // On the few pixels that are left. Variants have no profile, so they are shown as sRGB.
  const profile = colorProfile(work.mime, work.bytes);
  if (profile !== null) picture = toSrgb(picture, profile);
  return new Uint8Array(await encode(picture, work.transform));
}

/** The result of decoding; `unsupported` is a complete picture that this codec cannot read. */
export type PictureFinding = "readable" | "unsupported" | "malformed";

/** Decodes a picture without making anything of it. */
export async function checkPicture(source: PictureSource): Promise<PictureFinding> {
  try {
    const { isCut } = await decode(source);
    return isCut ? "malformed" : "readable";
  } catch (error) {
    return isUnsupported(source, error) ? "unsupported" : "malformed";
  }
}

/** Whether a failure of the codec is its own limit and no fault of the picture. */
function isUnsupported({ bytes, mime }: PictureSource, error: unknown): boolean {
  if (isExhausted(error)) return true;
  switch (mime) {
    case "image/jpeg":
      return error instanceof UnsupportedJpeg;
    // The upload has counted its pixels and compared its checksums.
    case "image/png":
      return true;
    // Older encoders leave out the property that the decoder wants.
    case "image/avif":
      return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf("pixi") < 0;
    default:
      return false;
  }
}

/** Whether memory ran out, which may be different another time. */
export function isExhausted(error: unknown): boolean {
  return /out of memory|OOM|allocation failed|enlarge memory/i.test(String(error));
}

/** The pixels, and whether some of them are missing. */
interface Decoded {
  picture: ImageData;
  isCut?: boolean;
}

async function decode({ bytes, mime }: PictureSource): Promise<Decoded> {
  const buffer = bytes.buffer.byteLength === bytes.byteLength ? bytes.buffer : bytes.slice().buffer;
  switch (mime) {
    case "image/jpeg":
      return await decodeJpeg(buffer);
    case "image/png":
      return { picture: await (await import("@jsquash/png")).decode(buffer) };
    case "image/webp":
      return { picture: await (await import("@jsquash/webp")).decode(buffer) };
    case "image/avif": {
      const picture = await (await import("@jsquash/avif")).decode(buffer);
      if (picture === null) throw new Error("The AVIF decoder returned nothing");
      return { picture };
    }
    case "image/gif":
      throw new RangeError("GIF is never transformed");
  }
}

/** From 0 to 10: the slower speeds take seconds for small images, and save little. */
const AVIF_SPEED = 9;

async function encode(picture: ImageData, { format, quality }: Transform): Promise<ArrayBuffer> {
  switch (format) {
    case "webp":
      return await (await import("@jsquash/webp")).encode(picture, { quality });
    case "avif":
      return await (await import("@jsquash/avif")).encode(picture, { quality, speed: AVIF_SPEED });
    case "jpeg":
      return await (await import("@jsquash/jpeg")).encode(onWhite(picture), { quality });
    case "png":
      return await (await import("@jsquash/png")).encode(picture);
  }
}

function cut(
  source: ImageData,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): ImageData {
  if (width === source.width && height === source.height) return source;
  const pixels = new Uint8ClampedArray(width * height * 4);
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * source.width + x) * 4;
    pixels.set(source.data.subarray(start, start + width * 4), row * width * 4);
  }
  return new ImageData(pixels, width, height);
}

/** JPEG knows no transparency: what shines through is white. */
function onWhite(picture: ImageData): ImageData {
  const { data: pixels } = picture;
  for (let index = 0; index < pixels.length; index += 4) {
    const alpha = pixels[index + 3]!;
    if (alpha === 255) continue;
    for (let channel = index; channel < index + 3; channel++) {
      pixels[channel] = (pixels[channel]! * alpha + 255 * (255 - alpha)) / 255;
    }
    pixels[index + 3] = 255;
  }
  return picture;
}
