/**
 * What templates see of a medium.
 *
 * @module
 */
import { type MediaState, pathOf } from "../../kv/model/media.ts";
import type { SiteFacts } from "./site_facts.ts";
import { srcsetOf } from "./srcset.ts";

/** What rendering needs to know of a medium; the file name is the one it is served under. */
export type MediaFacts = Pick<MediaState, "id" | "filename" | "alt" | "width" | "height">;

/** A medium in a template. */
export interface MediaView {
  path: string;
  /** With the site's address, for machines. */
  url: string;
  /** The same in several widths, for the attribute of that name; empty where there is one only. */
  srcset: string;
  alt: string;
  width: number;
  height: number;
}

/** The view of a medium. */
export function mediaView(site: SiteFacts, medium: MediaFacts): MediaView {
  const path = pathOf(medium.id, medium.filename);
  const { alt, width, height } = medium;
  const srcset = site.imageTransforms ? srcsetOf(path, medium) : "";
  return { path, url: site.url + path, srcset, alt, width, height };
}
