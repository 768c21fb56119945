/**
 * The icon of a site in tabs, bookmarks, home screens and feeds: an uploaded image, or a generated mark with
 * the site's initial in the accent color. The URL of the mark contains all parameters, so that nothing is
 * stored.
 *
 * @module
 */
import { type MediaView, pictureView } from "../views/media_view.ts";
import type { SiteFacts } from "../site_facts.ts";
import { contrast } from "./readable_color.ts";
import { DEFAULT_ACCENT } from "./site_look.ts";
import { cutUpTo } from "../views/srcset.ts";

/** An icon as templates see it. */
export interface SiteIcon {
  path: string;
  type: string;
  /** As the attribute of that name says it. */
  sizes: string;
  /** A larger one for home screens; null for the generated mark, which they do not support. */
  touch: string | null;
}

/** Pixels of the side of an icon in tabs, and on home screens. */
const TAB_PIXELS = 160;
const HOME_SCREEN_PIXELS = 320;

/** The icon of a site. */
export function siteIcon(site: SiteFacts): SiteIcon {
  const own = pictureView(site, site.icon?.medium ?? null);
  if (own !== null) return ownIcon(own);
  return { path: markPath(site), type: "image/svg+xml", sizes: "any", touch: null };
}

function ownIcon({ cuts: { square }, path, mime, width, height }: MediaView): SiteIcon {
  // No crop is needed if it equals the image.
  if (!square.path.includes("?")) {
    return { path, type: mime, sizes: `${width}x${height}`, touch: path };
  }
  const address = (pixels: number) => `${cutUpTo(square, pixels).path}&format=png`;
  const side = Math.min(TAB_PIXELS, square.width);
  return {
    path: address(TAB_PIXELS),
    type: "image/png",
    sizes: `${side}x${side}`,
    touch: address(HOME_SCREEN_PIXELS),
  };
}

const PATH = /^\/assets\/icon\/([0-9a-f]{6})-([0-9a-f]{1,6})\.svg$/;
const LETTER = /[\p{L}\p{N}]/u;

/** Path of the mark of a site without an icon; its initial is 0 if the title has no letter. */
function markPath({ title, look }: SiteFacts): string {
  const [first = ""] = LETTER.exec(title) ?? [];
  const capital = first.toUpperCase();
  const initial = [...capital].length === 1 ? capital : first;
  const point = initial.codePointAt(0) ?? 0;
  return `/assets/icon/${(look?.accent ?? DEFAULT_ACCENT).slice(1)}-${point.toString(16)}.svg`;
}

/** The mark at a path; null if there is none. */
export function markAt(path: string): string | null {
  const [, accent, point] = PATH.exec(path) ?? [];
  if (accent === undefined || point === undefined) return null;
  const code = parseInt(point, 16);
  const initial = code === 0 || code > 0x10ffff ? "" : String.fromCodePoint(code);
  if (code !== 0 && !LETTER.test(initial)) return null;
  const ink = contrast(`#${accent}`, "#ffffff") >= contrast(`#${accent}`, "#161514")
    ? "#ffffff"
    : "#161514";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<rect width="32" height="32" rx="8" fill="#${accent}"/>
${
    initial === ""
      ? `<circle cx="16" cy="16" r="6" fill="${ink}"/>`
      : `<text x="16" y="23" text-anchor="middle" font-family="Newsreader, Charter, Georgia, serif" ` +
        `font-size="21" font-weight="600" fill="${ink}">${initial}</text>`
  }
</svg>
`;
}
