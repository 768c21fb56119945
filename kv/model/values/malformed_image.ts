/**
 * The refusal of bytes that begin like an image and are none.
 *
 * @module
 */
import { Refusal } from "../../refusals.ts";

/** `cause` is logged and never shown. */
export function malformedImage(cause?: string): Refusal {
  const about = "the image is malformed";
  return new Refusal("UNSUPPORTED_MEDIA_TYPE", { about }, cause === undefined ? {} : { cause });
}
