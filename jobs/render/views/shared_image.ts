/**
 * The sharing image of a page, in a shape, size and type that social networks and messengers accept. The
 * uploaded file may be too large or upright.
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

/** A sharing image: cropped to the wide shape if images are resized, else unchanged. */
export function sharedImage({ url }: Pick<SiteFacts, "url">, image: MediaView): SharedImage {
  const { wide } = image.cuts;
  const { alt } = image;
  // No crop is needed if it equals the image.
  if (!wide.path.includes("?")) return wholeImage(image);
  const { path, width } = cutUpTo(wide, SHARED_WIDTH_MAX);
  const height = Math.round(width * wide.height / wide.width);
  return { url: `${url}${path}&format=jpeg`, width, height, alt, mime: "image/jpeg" };
}

/** A sharing image without a crop: a logo. */
export function wholeImage({ url, width, height, alt, mime }: MediaView): SharedImage {
  return { url, width, height, alt, mime };
}
