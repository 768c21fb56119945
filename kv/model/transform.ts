/**
 * Transforms of a picture: an enumerated set of sizes, formats and qualities, so that nobody can burn the
 * processor with sizes that no page uses.
 *
 * @module
 */
import { TRANSFORM_PIXELS_MAX, UNASKED_SIDE_PIXELS_MAX } from "../limits.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { type Focus, isPicture, type MediaMime } from "./media.ts";

/** The sides that may be asked for, pixels. */
export const TRANSFORM_SIDES = [160, 320, 480, 640, 960, 1280, 1600, 1920] as const;
/** The shapes that pictures are cut to: heights that a width may be paired with, as parts of it. */
export const CUTS = { square: 1, landscape: 3 / 4, photo: 2 / 3, wide: 9 / 16 } as const;
/** The name of a shape: 1:1, 4:3, 3:2, 16:9. */
export type CutName = keyof typeof CUTS;
/** How a picture fits a given width and height: cut to fill it, or whole inside of it. */
const FITS = ["cover", "contain"] as const;
/** The formats that may be asked for. */
const FORMATS = ["webp", "jpeg", "png"] as const;
/** The qualities that may be asked for; PNG has none. */
const QUALITIES = [50, 75, 90] as const;

/** A picture to be made of another one. */
export interface Transform {
  width: number | null;
  height: number | null;
  fit: typeof FITS[number];
  format: typeof FORMATS[number];
  quality: typeof QUALITIES[number];
  /** Around which point it is cut; the middle unless told. */
  focus?: Focus;
}

const KEYS = ["w", "h", "fit", "format", "q"] as const;

/** Whether a query asks for a transform at all. */
export function asksForTransform(query: URLSearchParams): boolean {
  return KEYS.some((key) => query.has(key));
}

/** The transform that a query asks for; VALIDATION_FAILED when it is none of the set. */
export function parseTransform(query: URLSearchParams): Transform {
  const details: Detail[] = [];
  function choice<T extends string | number>(key: string, choices: readonly T[]): T | undefined {
    const given = query.getAll(key);
    if (given.length === 0) return undefined;
    const found = choices.find((one) => given.length === 1 && String(one) === given[0]);
    if (found === undefined) details.push(choiceDetail(key, choices));
    return found;
  }
  const width = choice("w", TRANSFORM_SIDES) ?? null;
  const height = choice("h", width === null ? TRANSFORM_SIDES : heightsFor(width)) ?? null;
  const transform: Transform = {
    width,
    height,
    fit: choice("fit", FITS) ?? "cover",
    format: choice("format", FORMATS) ?? "webp",
    quality: choice("q", QUALITIES) ?? 75,
  };
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return normal(transform);
}

/** The same transform around the point that must stay to be seen, when anything is cut at all. */
export function focused(transform: Transform, focus: Focus | undefined): Transform {
  return focus === undefined || transform.fit !== "cover" ? transform : { ...transform, focus };
}

/** One spelling for what comes out the same. */
function normal(transform: Transform): Transform {
  const boxed = transform.width !== null && transform.height !== null;
  return {
    ...transform,
    fit: boxed ? transform.fit : "contain",
    quality: transform.format === "png" ? 90 : transform.quality,
  };
}

/** The heights that may be asked for together with a width. */
export function heightsFor(width: number): number[] {
  return Object.values(CUTS).map((ratio) => Math.round(width * ratio));
}

function choiceDetail(field: string, choices: readonly (string | number)[]): Detail {
  return { field, code: "INVALID_CHOICE", message: `Must be one of ${choices.join(", ")}` };
}

/** The last part of the key under which a transform is kept. */
export function transformName(transform: Transform): string {
  const { width, height, fit, format, quality, focus } = transform;
  const point = focus === undefined ? "" : `-x${thousandths(focus.x)}-y${thousandths(focus.y)}`;
  return `w${width ?? 0}-h${height ?? 0}-${fit}${point}-q${quality}.${format}`;
}

function thousandths(part: number): number {
  return Math.round(part * 1_000);
}

/** The type of a transform's bytes. */
export function transformMime({ format }: Transform): string {
  return `image/${format}`;
}

/** Whether a picture can be transformed: an animation would lose all but its first frame. */
export function isTransformable(
  { mime, width, height }: { mime: MediaMime; width: number; height: number },
): boolean {
  return isPicture(mime) && mime !== "image/gif" && width * height <= TRANSFORM_PIXELS_MAX;
}

/** The size of the result, and which part of the source it shows; nothing is ever enlarged. */
export function geometry(
  transform: Transform,
  source: { width: number; height: number },
): {
  width: number;
  height: number;
  crop: { x: number; y: number; width: number; height: number };
} {
  const crop = cropOf(transform, source);
  const wide = (transform.width ?? UNASKED_SIDE_PIXELS_MAX) / crop.width;
  const high = (transform.height ?? UNASKED_SIDE_PIXELS_MAX) / crop.height;
  const scale = Math.min(1, wide, high);
  return { width: pixels(crop.width * scale), height: pixels(crop.height * scale), crop };
}

/** The part of the source in the shape of the box that is to be covered, around the focus; or all of it. */
function cropOf(
  { fit, width, height, focus = { x: 0.5, y: 0.5 } }: Transform,
  source: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const ratio = fit === "cover" && width !== null && height !== null ? width / height : null;
  if (ratio === null) return { x: 0, y: 0, width: source.width, height: source.height };
  const crop = {
    width: Math.min(source.width, pixels(source.height * ratio)),
    height: Math.min(source.height, pixels(source.width / ratio)),
  };
  const x = startAround(focus.x, crop.width, source.width);
  const y = startAround(focus.y, crop.height, source.height);
  return { x, y, ...crop };
}

/** Where a part of a length begins that has a point in its middle, as far as the ends allow. */
function startAround(point: number, part: number, whole: number): number {
  const start = Math.floor(thousandths(point) / 1_000 * whole - part / 2);
  return Math.min(Math.max(0, start), whole - part);
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length));
}
