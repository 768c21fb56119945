/**
 * The typefaces of the default theme (SIL Open Font License, beside the files): Newsreader for titles and prose,
 * from `@fontsource-variable/newsreader` 5.3.0, and Instrument Sans for everything else, from
 * `@fontsource-variable/instrument-sans` 5.3.0. A page with Latin letters loads one file of each, 58 and 30 KB;
 * italics (65 and 32 KB) and other letters (36 and 11 KB) are loaded by pages that have them.
 *
 * @module
 */

const LATIN = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308," +
  "U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const EXTENDED = "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF," +
  "U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF";

/** One file of a typeface. */
interface FontFile {
  /** File name below `fonts/`, which is also that of the asset. */
  file: string;
  family: string;
  style: "normal" | "italic";
  weights: string;
  letters: string;
}

function typeface(family: string, file: string, weights: string): FontFile[] {
  const common = { family, weights };
  return [
    { ...common, file: `${file}.woff2`, style: "normal", letters: LATIN },
    { ...common, file: `${file}-italic.woff2`, style: "italic", letters: LATIN },
    { ...common, file: `${file}-extended.woff2`, style: "normal", letters: EXTENDED },
  ];
}

const FILES = [
  ...typeface("Newsreader", "newsreader", "200 800"),
  ...typeface("Instrument Sans", "instrument-sans", "400 700"),
];

/** The files as assets of the theme. */
export const FONTS: Record<string, { contentType: string; body: Uint8Array }> = Object.fromEntries(
  FILES.map(({ file }) => {
    const body = Deno.readFileSync(new URL(`fonts/${file}`, import.meta.url));
    return [file, { contentType: "font/woff2", body }];
  }),
);

function face({ file, family, style, weights, letters }: FontFile): string {
  return `@font-face {
  font-family: "${family}";
  font-style: ${style};
  font-weight: ${weights};
  font-display: swap;
  src: url("${file}") format("woff2");
  unicode-range: ${letters};
}
`;
}

/** How the style sheet names the files: a browser loads those whose letters a page has. */
export const FONT_FACES = FILES.map(face).join("");
