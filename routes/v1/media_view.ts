/**
 * A medium as the headless API shows it.
 *
 * @module
 */
import { altIn, type Focus, type MediaState, mediaUrl } from "../../kv/model/entities/media.ts";

/** A medium on the wire. */
export type HeadlessMedium = {
  id: string;
  filename: string;
  mime: string;
  bytes: number;
  width: number;
  height: number;
  alt: string;
  /** Alternative texts by language. Only present if there are any. */
  alts?: { [code: string]: string };
  /** Null: the middle. */
  focus: Focus | null;
  /** Path of its bytes; `?w=…` and the like ask for other sizes. */
  url: string;
  createdAt: number;
  updatedAt: number;
  /** Only present if its address has to be signed. */
  private?: true;
};

/** Keys that are ignored in a body, so that a client can send back an asset as it received it. */
export const MEDIUM_READ_ONLY: readonly (keyof HeadlessMedium)[] = [
  "id",
  "mime",
  "bytes",
  "width",
  "height",
  "url",
  "createdAt",
  "updatedAt",
];

/** A medium as the headless API shows it, with the alternative text in the first of some languages. */
export function headlessMedium(
  medium: Omit<MediaState, "object">,
  languages: readonly string[] = [],
): HeadlessMedium {
  const { id, filename, mime, bytes, width, height, alts, focus = null } = medium;
  const alt = altIn(medium, languages);
  const { createdAt, updatedAt } = medium;
  const url = mediaUrl(medium);
  const view: HeadlessMedium = {
    ...{ id, filename, mime, bytes, width, height, alt },
    ...(alts !== undefined && { alts }),
    ...{ focus, url, createdAt, updatedAt },
  };
  return medium.private ? { ...view, private: true } : view;
}
