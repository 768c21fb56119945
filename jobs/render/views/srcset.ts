/**
 * The widths in which an image is offered, whole and cut to shapes.
 *
 * @module
 */
import { TRANSFORM_PIXELS_MAX } from "../../../kv/limits/media.ts";
import type { MediaState } from "../../../kv/model/entities/media.ts";
import {
  type Crop,
  type CropPreset,
  heightShare,
  lowestTerms,
  presetsOf,
} from "../../../kv/model/values/crop.ts";
import {
  type CutName,
  isTransformable,
  pixelsOf,
  TRANSFORM_SIDES,
} from "../../../kv/model/values/transform.ts";

/** Widths worth another address: from a telephone to a desktop. */
const WIDTHS = TRANSFORM_SIDES.filter((side) => side >= 480);

/** The `srcset` of an image; empty for one that is small, moves, or is too large to be made smaller. */
export function srcsetOf(
  path: string,
  { width, height, asIs }: { width: number; height: number; asIs?: true },
): string {
  if (asIs) return "";
  const smaller = WIDTHS.filter((side) => side < width);
  if (smaller.length === 0 || path.endsWith(".gif")) return "";
  if (width * height > TRANSFORM_PIXELS_MAX) return "";
  return [...smaller.map((side) => `${path}?w=${side} ${side}w`), `${path} ${width}w`].join(", ");
}

/** An image cut to a shape. */
export interface Cut {
  path: string;
  /** Empty if there is only one width. */
  srcset: string;
  width: number;
  height: number;
}

/** The cuts of an image by the names of the presets. */
export type Cuts = Record<CutName, Cut> & { [name: string]: Cut };

/** An image in every shape, including the site's own; without resizing, each is the full image. */
export function cutsOf(
  path: string,
  medium: Pick<MediaState, "mime" | "width" | "height" | "crops" | "asIs">,
  transforms: boolean,
  own?: readonly CropPreset[],
): Cuts {
  const cuts = presetsOf(own).map(({ name, ratio }) => [
    name,
    transforms && isTransformable(medium)
      ? cutOf(path, shownOf(medium, ratio), heightShare(ratio))
      : { path, srcset: "", width: medium.width, height: medium.height },
  ]);
  return Object.fromEntries(cuts);
}

/** The widest of the sizes that a cut is offered in, up to a width; the narrowest where all are wider. */
export function cutUpTo(cut: Cut, widthMax: number): { path: string; width: number } {
  const offered = [...cut.srcset.matchAll(/(\S+) (\d+)w/g)]
    .map(([, path = "", width]) => ({ path, width: Number(width) }));
  return offered.findLast(({ width }) => width <= widthMax) ?? offered[0] ?? cut;
}

/** The size of the image's crop for a shape in pixels; of the whole image without one. */
function shownOf(
  medium: Pick<MediaState, "width" | "height" | "crops">,
  ratio: string,
): { width: number; height: number } {
  const crop: Crop | undefined = medium.crops?.[lowestTerms(ratio)];
  return crop === undefined ? medium : pixelsOf(crop, medium);
}

function cutOf(path: string, medium: { width: number; height: number }, ratio: number): Cut {
  // Crops are never enlarged: their width is at most that of the image in this shape.
  const widest = Math.min(medium.width, Math.round(medium.height / ratio));
  const sides = TRANSFORM_SIDES.filter((side, index) => index === 0 || side <= widest);
  const heightOf = (width: number) => Math.round(width * ratio);
  const address = (width: number) => `${path}?w=${width}&h=${heightOf(width)}`;
  const width = sides.at(-1)!;
  const srcset = sides.length === 1
    ? ""
    : sides.map((side) => `${address(side)} ${side}w`).join(", ");
  const shown = Math.min(width, widest);
  const height = Math.min(medium.height, Math.max(1, heightOf(shown)));
  return { path: address(width), srcset, width: shown, height };
}
