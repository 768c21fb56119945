/**
 * How well a colour reads on the site, in words that pages have from the start and browsers keep up to date.
 *
 * @module
 */
import { contrast, PAPERS, readable } from "../../../jobs/render/theme/readable_colour.ts";

/** A paper of the site. */
export type Paper = keyof typeof PAPERS;

/** The adjusted color on a background, and its contrast. */
export function colourOn(paper: Paper, colour: string): { drawn: string; words: string } {
  const drawn = readable(colour, PAPERS[paper]);
  const ratio = contrast(drawn, PAPERS[paper]).toFixed(1);
  const change = drawn === colour ? "" : paper === "light" ? ", darkened" : ", lightened";
  return { drawn, words: `${ratio} : 1 on ${paper}${change}` };
}
