/**
 * The default theme: what a site looks like until it has a theme of its own, and what every other theme
 * falls back to. Its templates are modules, so that they are wherever the program is.
 *
 * @module
 */
import { BLOCK } from "./block.ts";
import { DOCUMENT } from "./document.ts";
import { FONTS } from "./font.ts";
import { FIELD } from "./field.ts";
import { HEAD } from "./head.ts";
import { HOME } from "./home.ts";
import { LAYOUT } from "./layout.ts";
import { LISTING } from "./listing.ts";
import { FACE, WHEN } from "./maker.ts";
import { NOT_FOUND } from "./not_found.ts";
import { SEARCH } from "./search.ts";
import { STYLE } from "./style.ts";
import { TAG } from "./tag.ts";
import { TEASER } from "./teaser.ts";

/** Templates and assets of the default theme. */
export const DEFAULT_THEME = {
  templates: {
    layout: LAYOUT,
    head: HEAD,
    home: HOME,
    listing: LISTING,
    tag: TAG,
    document: DOCUMENT,
    not_found: NOT_FOUND,
    search: SEARCH,
    teaser: TEASER,
    when: WHEN,
    face: FACE,
    field: FIELD,
    block: BLOCK,
  } as Readonly<Record<string, string>>,
  assets: {
    ...FONTS,
    "site.css": { contentType: "text/css; charset=utf-8", body: new TextEncoder().encode(STYLE) },
  },
};
