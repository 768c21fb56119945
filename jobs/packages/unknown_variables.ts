/**
 * Variables that a template asks for and that there are none of: it would print nothing in their places,
 * on every page, without a word.
 *
 * @module
 */
// @ts-types="liquidjs/types"
import { Liquid, type Template } from "liquidjs";
import { unknownLoopVariables } from "./unknown_loop_variables.ts";

const SITE = ["title", "description", "url", "language", "timezone", "collections"]
  .concat("imageTransforms", "menu", "look", "font", "logo", "image", "icon")
  .concat("direction", "words");
const PAGE = [
  "kind",
  "title",
  "description",
  "canonical",
  "section",
  "image",
  "feeds",
  "structured",
  "share",
  "markdown",
  "topics",
  "profile",
  "head",
];
const COLLECTION = ["slug", "name", "description", "path", "single"];
const DOCUMENT = ["id", "title", "path", "published", "updated", "lead", "image"]
  .concat(["fields", "body", "facts", "blocks", "bylines", "tags", "tagged", "related"])
  .concat("reading", "direction", "when");
const TAG = ["label", "path", "description", "about"];
const BLOCK = ["name", "label", "fields", "body", "facts"];

/** Properties by variable; null where any will do. */
type Known = Readonly<Record<string, readonly string[] | null>>;

const FRAME: Known = { site: SITE, page: PAGE };
const LISTING: Known = {
  ...FRAME,
  collection: COLLECTION,
  number: null,
  part: null,
  newer: null,
  older: null,
  documents: null,
};
const TAGGED: Known = { ...LISTING, tag: TAG };
const SINGLE: Known = { ...FRAME, collection: COLLECTION, document: DOCUMENT, sections: null };
const HOME: Known = { ...FRAME, sections: null };

/** What each template may ask for; partials are given whatever their callers pass. */
const KNOWN: Readonly<Record<string, Known>> = {
  home: HOME,
  listing: LISTING,
  tag: TAGGED,
  document: SINGLE,
  not_found: FRAME,
  search: { ...FRAME, searched: null, narrowed: null, script: null },
  layout: { ...HOME, ...TAGGED, ...SINGLE },
};
const KNOWN_TO_BLOCKS: Known = { site: null, block: BLOCK };

/** Each unknown variable of the templates, as a reason to refuse the theme. */
export function unknownVariables(templates: Readonly<Record<string, string>>): string[] {
  const engine = new Liquid();
  return Object.entries(templates).flatMap(([name, text]) => {
    const known = name.startsWith("blocks/")
      ? KNOWN_TO_BLOCKS
      : Object.hasOwn(KNOWN, name)
      ? KNOWN[name]!
      : null;
    if (known === null) return [];
    const parsed = parse(engine, text);
    if (parsed === null) return [];
    const asked = engine.globalVariableSegmentsSync(parsed, { partials: false });
    const unknown = asked.filter((segments) => isUnknown(segments, known));
    const names = new Set([
      ...unknown.map((segments) => segments.slice(0, 2).map(String).join(".")),
      ...unknownLoopVariables(engine, parsed),
    ]);
    return [...names].map((variable) =>
      `templates/${name}.liquid uses the unknown variable ${variable}`
    );
  });
}

function isUnknown([root, property]: readonly unknown[], known: Known): boolean {
  if (typeof root !== "string" || !Object.hasOwn(known, root)) return true;
  const properties = known[root]!;
  return properties !== null && typeof property === "string" && !properties.includes(property);
}

/** A template that cannot be parsed is somebody else's finding. */
function parse(engine: Liquid, text: string): Template[] | null {
  try {
    return engine.parse(text);
  } catch {
    return null;
  }
}
