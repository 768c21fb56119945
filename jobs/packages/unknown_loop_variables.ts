/**
 * What a template asks of the things in a list that have no such property: a misspelt `section.nam` prints nothing,
 * on every page, without a word.
 *
 * @module
 */
// @ts-types="liquidjs/types"
import { type Liquid, type Template } from "liquidjs";

const TEASER = ["id", "title", "path", "excerpt", "image", "published", "when", "updated"]
  .concat("reading", "direction");
const COLLECTION = ["slug", "name", "description", "path", "single"];
const FIELD = ["name", "label", "type", "value", "kind", "multiline", "body", "facts", "rows"];

/** What the things in a list have, by the last words of what the list is called. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  sections: [...COLLECTION, "id", "documents", "more"],
  documents: TEASER,
  searched: ["slug", "name"],
  "site.menu": ["label", "url", "current"],
  "site.collections": COLLECTION,
  "page.feeds": ["type", "title", "path"],
  "document.related": ["title", "slug", "path", "image", "published", "when"],
  "document.tagged": ["label", "path"],
  "document.body": FIELD,
  "document.facts": FIELD,
  "document.bylines": FIELD,
  "document.tags": FIELD,
};

interface Loop extends Template {
  variable: string;
  collection: { input: string; begin: number; end: number };
  templates: Template[];
}

/** The unknown properties of loop variables, as `section.nam`. */
export function unknownLoopVariables(engine: Liquid, templates: readonly Template[]): string[] {
  const found = templates.flatMap((template) => {
    const inner = unknownLoopVariables(engine, childrenOf(template));
    return isLoop(template) ? [...unknownIn(engine, template), ...inner] : inner;
  });
  return [...new Set(found)];
}

function unknownIn(engine: Liquid, { variable, collection, templates }: Loop): string[] {
  const name = collection.input.slice(collection.begin, collection.end).trim();
  const list = Object.hasOwn(LISTS, name)
    ? LISTS[name]
    : name.endsWith(".documents")
    ? TEASER
    : undefined;
  if (list === undefined) return [];
  return engine.globalVariableSegmentsSync(templates, { partials: false })
    .filter(([root, property]) =>
      root === variable && typeof property === "string" && !list.includes(property) &&
      property !== "size"
    )
    .map(([root, property]) => `${root}.${property}`);
}

function isLoop(template: Template): template is Loop {
  return "name" in template && template.name === "for" && "variable" in template;
}

/** What stands inside of a tag; without partials nothing is waited for. */
function childrenOf(template: Template): Template[] {
  const steps = template.children?.(false, true);
  if (steps === undefined) return [];
  let step = steps.next();
  while (!step.done) step = steps.next(step.value);
  return step.value;
}
