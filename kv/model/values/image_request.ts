/**
 * What an address asks of an image: the transforms of {@linkcode parseTransform}, and those with any quality,
 * format or crop. Sizes are rounded up to steps, so that clients cannot burn the processor with sizes that
 * differ by a pixel.
 *
 * @module
 */
import { IMAGE_SIDE_PIXELS_MAX } from "../../limits/media.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { isPicture, type MediaState } from "../entities/media.ts";
import { heightShare, lowestTerms } from "./crop.ts";
import {
  asksForTransform,
  CUTS,
  framed,
  parseTransform,
  type Transform,
  TRANSFORM_SIDES,
} from "./transform.ts";

/** Sides of images with other qualities, formats and crops, pixels. */
const IMAGE_SIDES = [...TRANSFORM_SIDES, 2560, 3200, 4000] as const;
const FITS = ["cover", "contain", "scale-down"] as const;
const FORMATS = ["auto", "webp", "avif", "jpeg", "png"] as const;
const QUALITY_DEFAULT = 80;
/** Qualities are rounded up to a multiple of this. */
const QUALITY_STEP = 5;

/** Parameters that a signature covers: everything that changes the image. */
export const IMAGE_PARAMETERS = ["w", "h", "fit", "q", "format", "crop"] as const;

/** An image that is asked for. */
export interface ImageRequest {
  transform: Transform;
  /** The size that was asked for; null for a side that was not. */
  asked: { width: number | null; height: number | null };
  /** Whether it has any of the newer parameters: then a file that has no other form may be refused. */
  isStrict: boolean;
  /** Whether the format depends on what the client accepts. */
  variesByAccept: boolean;
}

/** A named shape. */
interface Shape {
  name: string;
  ratio: string;
}

/** The image that a query asks for; null if it asks for the file as it is. */
export function parseImageRequest(
  query: URLSearchParams,
  medium: Pick<MediaState, "mime" | "width" | "height" | "focus" | "crops">,
  { presets, accept }: { presets: readonly Shape[]; accept: string },
): ImageRequest | null {
  if (!asksForImage(query)) return null;
  const shapes = [
    ...presets.map(({ ratio }) => ratio),
    ...Object.keys(medium.crops ?? {}),
  ].map(heightShare);
  if (!query.has("crop")) {
    const known = knownTransform(query, shapes);
    if (known !== null) {
      const { width, height } = known;
      const transform = framed(known, medium);
      return { transform, asked: { width, height }, isStrict: false, variesByAccept: false };
    }
  }
  return parseStrict(query, medium, { presets, shapes, accept });
}

/** Whether a query asks for another form of a file. */
export function asksForImage(query: URLSearchParams): boolean {
  return asksForTransform(query) || query.has("crop");
}

/** A transform of the enumerated set, which is answered as it always was. */
function knownTransform(query: URLSearchParams, shapes: readonly number[]): Transform | null {
  try {
    return parseTransform(query, shapes);
  } catch (error) {
    if (error instanceof Refusal && error.code === "VALIDATION_FAILED") return null;
    throw error;
  }
}

function parseStrict(
  query: URLSearchParams,
  medium: Pick<MediaState, "mime" | "width" | "height" | "focus" | "crops">,
  { presets, shapes, accept }: {
    presets: readonly Shape[];
    shapes: readonly number[];
    accept: string;
  },
): ImageRequest {
  const details: Detail[] = [];
  const refuse = (field: string, message: string) => {
    details.push({ field, code: "INVALID_CHOICE", message });
  };
  const whole = (field: string, most: number): number | null => {
    const [given, again] = query.getAll(field);
    if (given === undefined) return null;
    const isWhole = again === undefined && /^[1-9]\d{0,3}$/.test(given) && Number(given) <= most;
    if (!isWhole) refuse(field, `Must be a whole number from 1 to ${most}`);
    return isWhole ? Number(given) : null;
  };
  const choice = <T extends string>(field: string, choices: readonly T[], initial: T): T => {
    const [given, again] = query.getAll(field);
    if (given === undefined) return initial;
    const found = choices.find((one) => again === undefined && one === given);
    if (found === undefined) refuse(field, `Must be one of ${choices.join(", ")}`);
    return found ?? initial;
  };
  const asked = {
    width: whole("w", IMAGE_SIDE_PIXELS_MAX),
    height: whole("h", IMAGE_SIDE_PIXELS_MAX),
  };
  const fit = choice("fit", FITS, "scale-down");
  const quality = whole("q", 100) ?? QUALITY_DEFAULT;
  const format = choice("format", FORMATS, "auto");
  const name = query.has("crop")
    ? choice("crop", ["", ...presets.map((one) => one.name)].slice(1), "")
    : null;
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  const ratio = presets.find((one) => one.name === name)?.ratio;
  const box = ratio === undefined ? boxOf(asked, fit, shapes) : shapeBox(asked, ratio, medium);
  const { width, height } = box;
  const isCut = ratio !== undefined || (fit === "cover" && width !== null && height !== null);
  const chosen = format === "auto" ? acceptedFormat(accept, medium) : format;
  const transform: Transform = {
    width,
    height,
    fit: isCut ? "cover" : "contain",
    format: chosen,
    quality: chosen === "png" ? 90 : Math.ceil(quality / QUALITY_STEP) * QUALITY_STEP,
  };
  const drawn = ratio === undefined ? undefined : medium.crops?.[lowestTerms(ratio)];
  return {
    transform: drawn === undefined ? framed(transform, medium) : { ...transform, crop: drawn },
    asked,
    isStrict: true,
    variesByAccept: format === "auto",
  };
}

/** The smallest step that is not below a side. */
function stepAbove(side: number): number {
  return IMAGE_SIDES.find((step) => step >= side) ?? IMAGE_SIDE_PIXELS_MAX;
}

/** The box of a size: one in a known shape keeps it, any other has steps for sides. */
function boxOf(
  { width, height }: ImageRequest["asked"],
  fit: typeof FITS[number],
  shapes: readonly number[],
): ImageRequest["asked"] {
  if (width === null || height === null) {
    return { width: width && stepAbove(width), height: height && stepAbove(height) };
  }
  const step = stepAbove(width);
  const share = [...Object.values(CUTS), ...shapes]
    .find((one) => Math.abs(Math.round(width * one) - height) <= 1);
  return fit === "cover" && share !== undefined
    ? { width: step, height: Math.round(step * share) }
    : { width: step, height: stepAbove(height) };
}

/** The box in a shape that has the size; without a size, as large as the image allows. */
function shapeBox(
  { width, height }: ImageRequest["asked"],
  ratio: string,
  source: { width: number; height: number },
): { width: number; height: number } {
  const share = heightShare(ratio);
  const wanted = width ?? (height === null ? source.width : height / share);
  const within = width !== null && height !== null ? Math.min(width, height / share) : wanted;
  const step = stepAbove(Math.min(Math.max(1, within), IMAGE_SIDE_PIXELS_MAX));
  return { width: step, height: Math.max(1, Math.round(step * share)) };
}

/** The best format that a client accepts by name; else the one that every browser shows. */
function acceptedFormat(accept: string, { mime }: Pick<MediaState, "mime">): Transform["format"] {
  const isAccepted = (type: string) =>
    accept.toLowerCase().split(",").some((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
      return name === type && !parameters.some((one) => /^q=0(?:\.0*)?$/.test(one));
    });
  if (isAccepted("image/avif")) return "avif";
  if (isAccepted("image/webp")) return "webp";
  return mime === "image/png" || mime === "image/webp" || mime === "image/avif" ? "png" : "jpeg";
}

/** Whether a file that has no other form is small enough for what was asked: at most twice of it. */
export function isNearlyAsAsked(
  { asked }: Pick<ImageRequest, "asked">,
  { mime, width, height }: Pick<MediaState, "mime" | "width" | "height">,
): boolean {
  if (!isPicture(mime)) return false;
  return width <= 2 * (asked.width ?? Infinity) && height <= 2 * (asked.height ?? Infinity);
}
