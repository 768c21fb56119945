/**
 * Crops: the parts of a picture that editors draw for the shapes it is cut to. A crop belongs to a ratio,
 * not to the name of a preset, so that what is behind the address of a variant depends on the medium alone.
 *
 * @module
 */
import { z } from "zod";
import { NAME_CHARS_MAX } from "../../limits/content.ts";
import { CROPS_MAX } from "../../limits/media.ts";

/** A rectangle of a picture: parts of its width and height. */
export type Crop = {
  x: number;
  y: number;
  width: number;
  height: number;
};
/** Crops by ratio in lowest terms: `16:9`. */
export type Crops = Record<string, Crop>;
/** A shape that pictures are cut to. */
export type CropPreset = {
  /** As themes name it: `wide`. */
  name: string;
  /** Width to height: `16:9`. */
  ratio: string;
};

/** The shapes that every site has. */
export const CROP_PRESETS = [
  { name: "square", ratio: "1:1" },
  { name: "portrait", ratio: "3:4" },
  { name: "landscape", ratio: "4:3" },
  { name: "photo", ratio: "3:2" },
  { name: "wide", ratio: "16:9" },
] as const satisfies readonly CropPreset[];

const RATIO = /^[1-9]\d{0,2}:[1-9]\d{0,2}$/;

/** A ratio in lowest terms: `4:3` for `8:6`. */
export function lowestTerms(ratio: string): string {
  const [width, height] = sidesOf(ratio);
  const divisor = greatestDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

/** The height as a part of the width. */
export function heightShare(ratio: string): number {
  const [width, height] = sidesOf(ratio);
  return height / width;
}

function sidesOf(ratio: string): [width: number, height: number] {
  const [width = NaN, height = NaN] = ratio.split(":").map(Number);
  return [width, height];
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

const Ratio = z.string().refine((text) => RATIO.test(text), {
  message: "Must be a ratio such as 16:9",
  params: { code: "PATTERN_MISMATCH" },
});

/** The shapes of a site besides those that every site has; a name that is one of theirs takes its place. */
export const CropPresets = z.array(z.strictObject({
  name: z.string().max(NAME_CHARS_MAX).regex(/^[a-z][a-z0-9_]*$/),
  ratio: Ratio,
})).max(CROPS_MAX).refine(
  (presets) => new Set(presets.map(({ name }) => name)).size === presets.length,
  "Must not have two of one name",
);

const share = z.number().min(0).max(1);
const side = z.number().positive().max(1);
/** A crop may pass the edge by as much as the arithmetic of parts loses. */
const ROUNDING = 1e-6;

const Crop = z.strictObject({ x: share, y: share, width: side, height: side })
  .refine(({ x, y, width, height }) => x + width <= 1 + ROUNDING && y + height <= 1 + ROUNDING, {
    message: "Must lie inside the image",
    params: { code: "TOO_LARGE" },
  });

/** Crops to be set by ratio, null to be removed; the others stay. */
export const CropsPatch = z.record(Ratio, Crop.nullable());
/** Crops to be set by ratio, null to be removed; the others stay. */
export type CropsPatch = z.infer<typeof CropsPatch>;

/** The crops after a change; undefined when none is left, null when there would be more than are kept. */
export function changedCrops(crops: Crops = {}, patch: CropsPatch): Crops | undefined | null {
  const next = { ...crops };
  for (const [ratio, crop] of Object.entries(patch)) {
    const key = lowestTerms(ratio);
    if (crop === null) delete next[key];
    else next[key] = crop;
  }
  const kept = Object.entries(next).sort(([a], [b]) => a < b ? -1 : 1);
  if (kept.length > CROPS_MAX) return null;
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/** The shapes that pictures of a site are cut to, each name once. */
export function presetsOf(own: readonly CropPreset[] | null | undefined): CropPreset[] {
  const byName = new Map<string, CropPreset>(CROP_PRESETS.map((one) => [one.name, one]));
  for (const preset of own ?? []) byName.set(preset.name, preset);
  return [...byName.values()];
}

/** The crop for a box, pixels; undefined when none is drawn for its ratio. */
export function cropFor(crops: Crops, box: { width: number; height: number }): Crop | undefined {
  const wanted = box.height / box.width;
  const distance = (ratio: string) => Math.abs(heightShare(ratio) - wanted);
  // Small boxes of two ratios may be of the same size: the nearer one is meant.
  const [ratio] = Object.keys(crops)
    .filter((one) => Math.round(box.width * heightShare(one)) === box.height)
    .sort((a, b) => distance(a) - distance(b));
  return ratio === undefined ? undefined : crops[ratio];
}
