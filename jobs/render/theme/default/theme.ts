/**
 * The default theme: the look of a site without a theme of its own, and the fallback of every other theme. Its
 * templates and style sheets are files in this folder, read once when the module loads.
 *
 * Theme authors copy the templates, so each is complete Liquid: small parts that two templates share, such as
 * the links between the pages of a listing, are repeated in both.
 *
 * @module
 */
import { FONTS } from "./fonts.ts";

/** The style sheets that `site.css` consists of, in their order. */
const STYLE_SHEETS = ["fonts", "frame", "lists", "prose", "print"];
/** Templates that are parts of a page, and end without a line break. */
const PARTS = [
  "head",
  "home",
  "listing",
  "tag",
  "document",
  "not_found",
  "search",
  "teaser",
  "when",
  "face",
  "field",
  "block",
  "languages",
];

function read(file: string): string {
  return Deno.readTextFileSync(new URL(file, import.meta.url));
}

/** `site.css`: font faces and frame without a blank line between them, then the rest. */
function siteCss(): string {
  const [fonts, ...sheets] = STYLE_SHEETS.map((name) => read(`${name}.css`));
  return fonts + sheets.join("\n");
}

/** Templates and assets of the default theme. */
export const DEFAULT_THEME = {
  templates: {
    layout: read("layout.liquid"),
    ...Object.fromEntries(PARTS.map((name) => [name, read(`${name}.liquid`).trimEnd()])),
  } as Readonly<Record<string, string>>,
  assets: {
    ...FONTS,
    "site.css": {
      contentType: "text/css; charset=utf-8",
      body: new TextEncoder().encode(siteCss()),
    },
  },
};
