/**
 * The typeface of the default theme: Newsreader (SIL Open Font License, beside the files), from
 * `@fontsource-variable/newsreader` 5.3.0.
 *
 * @module
 */

/** File names below `fonts/`, which are also those of the assets. */
const FILES = ["newsreader.woff2", "newsreader-italic.woff2", "newsreader-extended.woff2"];

/** The files as assets of the theme. */
export const FONTS: Record<string, { contentType: string; body: Uint8Array }> = Object.fromEntries(
  FILES.map((name) => {
    const body = Deno.readFileSync(new URL(`fonts/${name}`, import.meta.url));
    return [name, { contentType: "font/woff2", body }];
  }),
);

const LATIN = "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308," +
  "U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const EXTENDED = "U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF," +
  "U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C0,U+2113,U+2C60-2C7F,U+A720-A7FF";

function face(file: string, style: "normal" | "italic", letters: string): string {
  return `@font-face {
  font-family: "Newsreader";
  font-style: ${style};
  font-weight: 200 800;
  font-display: swap;
  src: url("${file}") format("woff2");
  unicode-range: ${letters};
}
`;
}

/** How the style sheet names the files: a browser loads those whose letters a page has. */
export const FONT_FACES = face(FILES[0]!, "normal", LATIN) + face(FILES[1]!, "italic", LATIN) +
  face(FILES[2]!, "normal", EXTENDED);
