/**
 * The properties that templates may use, for every value that they get.
 *
 * @module
 */
import { ownValue } from "../../kv/model/primitives/own_value.ts";

/** The shape of a value: any properties, none but its size, properties by name, or a list of a shape. */
export type Shape = "any" | "plain" | { of: Shapes } | { each: Shape };

/** Values by the names that they have in a template, or as properties of another one. */
export interface Shapes {
  readonly [name: string]: Shape;
}

const DATE = of("seconds iso text");
// A site cuts images to shapes of its own, too, so any name may be one.
const IMAGE = of("path url srcset mime filename alt width height", { cuts: "any" });
const READING = of("minutes text");
const COLLECTION = of("slug name description path single");
const LINK = of("label path");
/** The properties of every field, and those of fields that contain others. */
const FIELD = of("name label type kind multiline caption", {
  value: "any",
  body: "any",
  facts: "any",
  rows: "any",
});
const BYLINE = of("name label type writer", { value: of("title slug path"), image: IMAGE });

const SITE = of(
  "title description url language timezone imageTransforms look font direction home prefix",
  {
    collections: { each: COLLECTION },
    menu: { each: of("label url current") },
    logo: IMAGE,
    image: IMAGE,
    icon: of("path type sizes touch"),
    crops: "any",
    words: "any",
  },
);
const PAGE = of("kind title description canonical section structured markdown profile head", {
  image: IMAGE,
  feeds: { each: of("type title path") },
  share: of("url width height alt mime"),
  topics: { each: "plain" },
  languages: { each: of("code name url current") },
});
const FRAME: Shapes = { site: SITE, page: PAGE };

const TEASER = of("id title path excerpt direction", {
  image: IMAGE,
  published: DATE,
  when: DATE,
  updated: DATE,
  reading: READING,
  bylines: { each: BYLINE },
});
const RELATED = of("title slug path", {
  image: IMAGE,
  published: DATE,
  when: DATE,
  bylines: { each: BYLINE },
});
const SECTION = of("slug name description path single id more", { documents: { each: TEASER } });
const DOCUMENT = of("id title path lead direction language", {
  published: DATE,
  updated: DATE,
  when: DATE,
  reading: READING,
  image: IMAGE,
  fields: "any",
  body: { each: FIELD },
  facts: { each: FIELD },
  blocks: "any",
  bylines: { each: BYLINE },
  tags: { each: FIELD },
  tagged: { each: LINK },
  related: { each: RELATED },
});
const BLOCK = of("name label", {
  fields: "any",
  body: { each: FIELD },
  facts: { each: FIELD },
});

const HOME: Shapes = { ...FRAME, sections: { each: SECTION } };
const LISTING: Shapes = {
  ...FRAME,
  collection: COLLECTION,
  documents: { each: TEASER },
  number: "plain",
  part: "plain",
  newer: "plain",
  older: "plain",
};

/** The variables of page templates. */
const GIVEN: Readonly<Record<string, Shapes>> = {
  home: HOME,
  listing: LISTING,
  tag: { ...LISTING, tag: of("label path description about") },
  document: { ...HOME, collection: COLLECTION, document: DOCUMENT },
  not_found: FRAME,
  search: {
    ...FRAME,
    searched: { each: of("slug name") },
    narrowed: "plain",
    script: "plain",
  },
  // Pictures and blocks inside of text, where no template asks for them.
  field: { site: SITE, field: FIELD },
  block: { site: SITE, block: BLOCK },
};

/** The variables that the service passes to a template; null for one that only other templates render. */
export function givenTo(name: string): Shapes | null {
  return ownValue(GIVEN, name.startsWith("blocks/") ? "block" : name) ?? null;
}

/** The shape of a property of a value; null if there is no such property. */
export function propertyOf(shape: Shape, property: string | number): Shape | null {
  if (shape === "any") return "any";
  if (property === "size") return "plain";
  if (shape === "plain") return null;
  if ("each" in shape) {
    const isPlace = typeof property === "number" || property === "first" || property === "last";
    return isPlace ? shape.each : null;
  }
  return ownValue(shape.of, String(property)) ?? null;
}

function of(names: string, more: Shapes = {}): Shape {
  const plain = names.split(" ").map((name) => [name, "plain"] as const);
  return { of: { ...Object.fromEntries(plain), ...more } };
}
