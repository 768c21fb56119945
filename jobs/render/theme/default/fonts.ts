/**
 * The typefaces of the default theme (SIL Open Font License, included with the files): Newsreader for titles and prose,
 * from `@fontsource-variable/newsreader` 5.3.0, and Instrument Sans for everything else, from
 * `@fontsource-variable/instrument-sans` 5.3.0. `fonts.css` names them, so that a browser loads only the files
 * whose letters a page has: a page with Latin letters loads one file of each, 58 and 30 KB; italics (65 and
 * 32 KB) and other letters (36 and 11 KB) are loaded by pages that have them.
 *
 * @module
 */

const TYPEFACES = ["newsreader", "instrument-sans"];
const PARTS = ["", "-italic", "-extended"];

/** The files as assets of the theme. */
export const FONTS: Record<string, { contentType: string; body: Uint8Array }> = Object.fromEntries(
  TYPEFACES.flatMap((typeface) => PARTS.map((part) => `${typeface}${part}.woff2`)).map((file) => {
    const body = Deno.readFileSync(new URL(`fonts/${file}`, import.meta.url));
    return [file, { contentType: "font/woff2", body }];
  }),
);
