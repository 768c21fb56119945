/**
 * What templates see of a medium.
 *
 * @module
 */
import { isPicture, type MediaState, pathOf } from "../../../kv/model/entities/media.ts";
import type { SiteFacts } from "../site_facts.ts";
import { type Cuts, cutsOf, srcsetOf } from "./srcset.ts";

/** What rendering needs to know of a medium; the file name is the one it is served under. */
export type MediaFacts = Pick<
  MediaState,
  "id" | "filename" | "mime" | "alt" | "width" | "height" | "crops" | "asIs"
>;

/** A medium in a template. */
export interface MediaView {
  path: string;
  /** With the site's address, for machines. */
  url: string;
  /** The same in several widths, for the attribute of that name; empty where there is one only. */
  srcset: string;
  /** `image/png` and the like; what is no picture is heard, watched or downloaded. */
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
  const { mime, filename, alt, width, height } = medium;
  const srcset = site.imageTransforms ? srcsetOf(path, medium) : "";
  const cuts = cutsOf(path, medium, site.imageTransforms, site.crops);
  return { path, url: site.url + path, srcset, cuts, mime, filename, alt, width, height };
}

/** The view of a medium where only a picture can stand; null when it is none. */
export function pictureView(site: SiteFacts, medium: MediaFacts | null): MediaView | null {
  return medium !== null && isPicture(medium.mime) ? mediaView(site, medium) : null;
}
