/**
 * Image URLs of the studio, never larger than displayed. If the site does not resize images, these URLs return
 * the full image.
 *
 * @module
 */

/** Widest that a picture within a text is asked for, pixels: a text on a fine screen. */
const TEXT_WIDTH = 1280;

/** A picture cut to 4:3, in widths that the service makes. */
export function thumbnailUrl(url: string, width: 160 | 320): string {
  return `${url}?w=${width}&h=${width * 3 / 4}`;
}

/** A picture cut to 16:9, as wide as a card. */
export function cardPictureUrl(url: string): string {
  return `${url}?w=480&h=270`;
}

/** An uncropped image in a text. */
export function textPictureUrl({ url, width }: { url: string; width: number }): string {
  return width > TEXT_WIDTH ? `${url}?w=${TEXT_WIDTH}` : url;
}
