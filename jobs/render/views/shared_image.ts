/**
 * The picture of a page where it is shared: in the shape and size, and of a type, that networks and messengers take.
 * The file as it was uploaded may be too large for them, or upright.
 *
 * @module
 */
import { SHARED_WIDTH_MAX } from "../../limits.ts";
import type { MediaView } from "./media_view.ts";
import type { SiteFacts } from "../site_facts.ts";
import { cutUpTo } from "./srcset.ts";

/** A picture for machines. */
export interface SharedImage {
  url: string;
  width: number;
  height: number;
  alt: string;
  mime: string;
}

/** A picture as it is shared: cut to the wide shape where images are resized, else as it is. */
export function sharedImage({ url }: Pick<SiteFacts, "url">, image: MediaView): SharedImage {
  const { wide } = image.cuts;
  const { alt } = image;
  // Nothing is cut where the cut is the image itself.
  if (!wide.path.includes("?")) return wholeImage(image);
  const { path, width } = cutUpTo(wide, SHARED_WIDTH_MAX);
  const height = Math.round(width * wide.height / wide.width);
  return { url: `${url}${path}&format=jpeg`, width, height, alt, mime: "image/jpeg" };
}

/** A picture that is shared as it is: a logo. */
export function wholeImage({ url, width, height, alt, mime }: MediaView): SharedImage {
  return { url, width, height, alt, mime };
}
