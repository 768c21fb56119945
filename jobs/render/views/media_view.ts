/**
 * The view of a file for templates.
 *
 * @module
 */
import { altIn, isPicture, type MediaState, pathOf } from "../../../kv/model/entities/media.ts";
import type { SiteFacts } from "../site_facts.ts";
import { type Cuts, cutsOf, srcsetOf } from "./srcset.ts";

/** The metadata of a file that rendering needs; the file name is the one in its URL. */
export type MediaFacts = Pick<
  MediaState,
  "id" | "filename" | "mime" | "alt" | "alts" | "width" | "height" | "crops" | "asIs"
>;

/** A medium in a template. */
export interface MediaView {
  path: string;
  /** The absolute URL, for machines. */
  url: string;
  /** The value of `srcset`; empty if there is only one width. */
  srcset: string;
  /** The media type, such as `image/png`; other files are played or downloaded. */
  mime: string;
  filename: string;
  /**
   * The same cut to shapes (the crop that was drawn, or around the point that must stay to be seen), by the
   * names of the presets: `cuts.wide.srcset`.
   */
  cuts: Cuts;
  alt: string;
  width: number;
  height: number;
}

/** The view of a medium. */
export function mediaView(site: SiteFacts, medium: MediaFacts): MediaView {
  const path = pathOf(medium.id, medium.filename);
  const { mime, filename, width, height } = medium;
  const alt = altIn(medium, [site.language]);
  const srcset = site.imageTransforms ? srcsetOf(path, medium) : "";
  const cuts = cutsOf(path, medium, site.imageTransforms, site.crops);
  return { path, url: site.url + path, srcset, cuts, mime, filename, alt, width, height };
}

/** The view of an image; null for other files. */
export function pictureView(site: SiteFacts, medium: MediaFacts | null): MediaView | null {
  return medium !== null && isPicture(medium.mime) ? mediaView(site, medium) : null;
}
