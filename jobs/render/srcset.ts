/**
 * The widths in which an image is offered.
 *
 * @module
 */
import { TRANSFORM_PIXELS_MAX } from "../../kv/limits.ts";
import { TRANSFORM_SIDES } from "../../kv/model/transform.ts";

/** Widths worth another address: from a telephone to a desktop. */
const WIDTHS = TRANSFORM_SIDES.filter((side) => side >= 480);

/** The `srcset` of an image; empty for one that is small, moves, or is too large to be made smaller. */
export function srcsetOf(
  path: string,
  { width, height }: { width: number; height: number },
): string {
  const smaller = WIDTHS.filter((side) => side < width);
  if (smaller.length === 0 || path.endsWith(".gif")) return "";
  if (width * height > TRANSFORM_PIXELS_MAX) return "";
  return [...smaller.map((side) => `${path}?w=${side} ${side}w`), `${path} ${width}w`].join(", ");
}
