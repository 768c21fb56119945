/**
 * Transforms of a picture: an enumerated set of sizes, formats and qualities, so that clients cannot burn the
 * processor with sizes that no page uses.
 *
 * @module
 */
import { TRANSFORM_PIXELS_MAX, UNASKED_SIDE_PIXELS_MAX } from "../../limits/media.ts";
import { type Detail, Refusal } from "../../refusals.ts";
import { type Crop, CROP_PRESETS, cropFor, type Crops, heightShare } from "./crop.ts";
import { type Focus, isPicture, type MediaMime } from "../entities/media.ts";

/** The sides that pictures are made in, pixels: any other is rounded up to the next of them, or down to the last. */
export const TRANSFORM_SIDES = [160, 320, 480, 640, 960, 1280, 1600, 1920] as const;
/** The sides that may be asked for, pixels; what is beyond is a mistake. */
const ASKED_SIDES = { from: 1, to: 4_000 };
/** The name of a shape that every site has: 1:1, 3:4, 4:3, 3:2, 16:9. */
export type CutName = typeof CROP_PRESETS[number]["name"];
/** Heights that a width may be paired with on every site, as parts of it. */
export const CUTS = Object.fromEntries(
  CROP_PRESETS.map(({ name, ratio }) => [name, heightShare(ratio)]),
) as Record<CutName, number>;
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
  format: typeof FORMATS[number] | "avif";
  quality: number;
  /** Around which point it is cut; the middle by default. */
  focus?: Focus;
  /** Which part of it is shown; all of it by default. */
  crop?: Crop;
}

const KEYS = ["w", "h", "fit", "format", "q"] as const;

/** Whether a query asks for a transform at all. */
export function asksForTransform(query: URLSearchParams): boolean {
  return KEYS.some((key) => query.has(key));
}

/**
 * The transform that a query asks for; VALIDATION_FAILED when it is none of the set, to which a site or a
 * medium may add shapes: heights as parts of the width.
 */
export function parseTransform(
  query: URLSearchParams,
  shapes: readonly number[] = [],
): Transform {
  const details: Detail[] = [];
  function choice<T extends string | number>(key: string, choices: readonly T[]): T | undefined {
    const given = query.getAll(key);
    if (given.length === 0) return undefined;
    const found = choices.find((one) => given.length === 1 && String(one) === given[0]);
    if (found === undefined) details.push(choiceDetail(key, choices));
    return found;
  }
  function side(key: "w" | "h"): number | null {
    const [given, again] = query.getAll(key);
    if (given === undefined) return null;
    const isSide = again === undefined && /^[1-9]\d{0,3}$/.test(given) &&
      Number(given) <= ASKED_SIDES.to;
    if (isSide) return Number(given);
    const message = `Must be a whole number from ${ASKED_SIDES.from} to ${ASKED_SIDES.to}`;
    details.push({ field: key, code: "INVALID_CHOICE", message });
    return null;
  }
  const asked = { width: side("w"), height: side("h") };
  const { width, height } = stepOf(asked, shapes);
  if (height === null && asked.height !== null && asked.width !== null) {
    details.push(choiceDetail("h", heightsFor(asked.width, shapes)));
  }
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

/**
 * The same transform as the medium wants to be cut, when anything is cut at all: the crop that an editor drew
 * for the shape, or else around the point that must stay to be seen.
 */
export function framed(
  transform: Transform,
  { focus, crops }: { focus?: Focus; crops?: Crops },
): Transform {
  const { fit, width, height } = transform;
  if (fit !== "cover" || width === null || height === null) return transform;
  const crop = crops && cropFor(crops, { width, height });
  if (crop !== undefined) return { ...transform, crop };
  return focus === undefined ? transform : { ...transform, focus };
}

/** The step for the requested size; a height next to a width is null if the aspect ratio is unknown. */
function stepOf(
  { width, height }: { width: number | null; height: number | null },
  shapes: readonly number[],
): { width: number | null; height: number | null } {
  const step = (side: number) =>
    TRANSFORM_SIDES.find((one) => one >= side) ?? TRANSFORM_SIDES.at(-1) ?? side;
  if (width === null || height === null) {
    return { width: width && step(width), height: height && step(height) };
  }
  const rounded = step(width);
  // Heights of other widths are rounded, so they may be a pixel off.
  const share = [...Object.values(CUTS), ...shapes]
    .find((share) => Math.abs(Math.round(width * share) - height) <= (rounded === width ? 0 : 1));
  return { width: rounded, height: share === undefined ? null : Math.round(rounded * share) };
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
export function heightsFor(width: number, shapes: readonly number[] = []): number[] {
  const heights = [...Object.values(CUTS), ...shapes].map((share) => Math.round(width * share));
  return [...new Set(heights)];
}

function choiceDetail(field: string, choices: readonly (string | number)[]): Detail {
  return { field, code: "INVALID_CHOICE", message: `Must be one of ${choices.join(", ")}` };
}

/** The last part of the key under which a transform is kept. */
export function transformName(transform: Transform): string {
  const { width, height, fit, format, quality } = transform;
  return `w${width ?? 0}-h${height ?? 0}-${fit}${frameName(transform)}-q${quality}.${format}`;
}

function frameName({ focus, crop }: Transform): string {
  if (crop !== undefined) {
    return `-c${[crop.x, crop.y, crop.width, crop.height].map(tenThousandths).join("-")}`;
  }
  return focus === undefined ? "" : `-x${thousandths(focus.x)}-y${thousandths(focus.y)}`;
}

function tenThousandths(part: number): number {
  return Math.round(part * 10_000);
}

function thousandths(part: number): number {
  return Math.round(part * 1_000);
}

/** The type of a transform's bytes. */
export function transformMime({ format }: Transform): string {
  return `image/${format}`;
}

/** Whether a picture can be transformed: an animation would lose all but its first frame, a CMYK picture its colors. */
export function isTransformable(
  { mime, width, height, asIs }: {
    mime: MediaMime;
    width: number;
    height: number;
    asIs?: true;
  },
): boolean {
  return !asIs && isPicture(mime) && mime !== "image/gif" && !isTooLarge({ width, height });
}

/** Whether a picture has more pixels than are transformed. */
export function isTooLarge({ width, height }: { width: number; height: number }): boolean {
  return width * height > TRANSFORM_PIXELS_MAX;
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
  { fit, width, height, focus = { x: 0.5, y: 0.5 }, crop }: Transform,
  source: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const ratio = fit === "cover" && width !== null && height !== null ? width / height : null;
  const whole = { x: 0, y: 0, width: source.width, height: source.height };
  if (ratio === null) return whole;
  const drawn = crop === undefined ? whole : pixelsOf(crop, source);
  // A crop that was drawn by hand, or rounded, is not quite in the shape of the box.
  const part = {
    width: Math.min(drawn.width, pixels(drawn.height * ratio)),
    height: Math.min(drawn.height, pixels(drawn.width / ratio)),
  };
  const point = crop === undefined ? focus : { x: 0.5, y: 0.5 };
  const x = drawn.x + startAround(point.x, part.width, drawn.width);
  const y = drawn.y + startAround(point.y, part.height, drawn.height);
  return { x, y, ...part };
}

/** A crop in pixels of the source, inside of it and at least one pixel large. */
export function pixelsOf(
  crop: Crop,
  source: { width: number; height: number },
): { x: number; y: number; width: number; height: number } {
  const along = (start: number, length: number, whole: number): [number, number] => {
    const first = Math.min(Math.round(rounded(start) * whole), whole - 1);
    return [first, Math.min(pixels(rounded(length) * whole), whole - first)];
  };
  const [x, width] = along(crop.x, crop.width, source.width);
  const [y, height] = along(crop.y, crop.height, source.height);
  return { x, y, width, height };
}

/** A part as exactly as the name of the transform tells it. */
function rounded(part: number): number {
  return tenThousandths(part) / 10_000;
}

/** The start of a part of a length that is centered on a point, as far as the ends allow. */
function startAround(point: number, part: number, whole: number): number {
  const start = Math.floor(thousandths(point) / 1_000 * whole - part / 2);
  return Math.min(Math.max(0, start), whole - part);
}

function pixels(length: number): number {
  return Math.max(1, Math.round(length));
}
