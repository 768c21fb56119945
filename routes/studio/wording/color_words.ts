/**
 * How well a color reads on the site, in words that pages have from the start and browsers keep up to date.
 *
 * @module
 */
import { contrast, PAPERS, readable } from "../../../jobs/render/theme/readable_color.ts";

/** A paper of the site. */
export type Paper = keyof typeof PAPERS;

/** The adjusted color on a background, and its contrast. */
export function colorOn(paper: Paper, color: string): { drawn: string; words: string } {
  const drawn = readable(color, PAPERS[paper]);
  const ratio = contrast(drawn, PAPERS[paper]).toFixed(1);
  const change = drawn === color ? "" : paper === "light" ? ", darkened" : ", lightened";
  return { drawn, words: `${ratio} : 1 on ${paper}${change}` };
}
