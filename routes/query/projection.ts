/**
 * `fields`, `include` and `richText`: which keys of a document are answered, what stands in the place of
 * ids, and how rich text is written.
 *
 * @module
 */
import { INCLUDE_LEVELS_MAX, INCLUDES_MAX } from "../../kv/limits.ts";
import type { Collection } from "../../kv/model/collection.ts";
import type { NestedField } from "../../kv/model/field_definition.ts";
import { FRAMING_KEYS } from "../../kv/model/document.ts";
import { fieldType } from "../../kv/model/field_types/registry.ts";
import { Refusal } from "../../kv/refusals.ts";
import { INCLUDE_STEPS_MAX } from "../limits.ts";
import { parameterInvalid, type Parameters } from "./parameters.ts";

/** Keys that every document has. */
export const DOCUMENT_KEYS = [...FRAMING_KEYS, "blocks"] as const;

/** Keys that only documents found by `q` have, and only when they are asked for. */
export const RANK_KEYS = ["_rank", "_snippet"] as const;

/** Forms of rich text besides its blocks. */
export const RICH_TEXT_FORMS = ["html", "markdown"] as const;

/** A form of rich text. */
export type RichTextForm = typeof RICH_TEXT_FORMS[number];

/** A field whose ids are replaced, or whose rows hold such fields, and what is replaced inside of it. */
export interface Include {
  field: NestedField & { key?: string };
  /** What the ids belong to; `rows` for a repeater or a group. */
  kind: "media" | "document" | "rows";
  inner: Include[];
}

/** What is answered of a document. */
export interface Projection {
  /** Null for all keys. */
  fields: ReadonlySet<string> | null;
  includes: Include[];
  richText: RichTextForm | null;
}

/** Whether a document is answered as it always is. */
export function isWhole({ fields, includes, richText }: Projection): boolean {
  return fields === null && includes.length === 0 && richText === null;
}

/** How a projection is read. */
interface ProjectionScope {
  collection: Collection;
  /** A collection by its slug. */
  find: (slug: string) => Collection | undefined;
  /** Keys that documents have besides their fields. */
  keys: readonly string[];
}

/** Reads `fields`, `include` and `richText`. */
export function parseProjection(query: Parameters, scope: ProjectionScope): Projection {
  const fields = parseFields(query.names("fields"), scope);
  const includes = parseIncludes(query.names("include"), scope);
  // An include of a field that `fields` leaves out brings it in.
  for (const { field } of includes) fields?.add(field.name);
  return { fields, includes, richText: parseRichText(query.single("richText")) };
}

function parseFields(
  names: string[] | undefined,
  { collection, keys }: ProjectionScope,
): Set<string> | null {
  if (names === undefined) return null;
  const known = new Set<string>([
    ...keys,
    ...collection.fields.map(({ name }) => name),
  ]);
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new Refusal("FIELD_INVALID", { about: unknown.slice(0, 100) || "an empty name" });
  }
  return new Set(["id", ...names]);
}

function parseIncludes(names: string[] | undefined, { collection, find }: ProjectionScope) {
  const roots: Include[] = [];
  if (names === undefined) return roots;
  if (new Set(names).size > INCLUDES_MAX) {
    throw new Refusal("INCLUDE_INVALID", { about: `at most ${INCLUDES_MAX} includes` });
  }
  for (const path of names) {
    let fields: readonly NestedField[] = collection.fields;
    let siblings = roots;
    let levels = 0;
    let kind: Include["kind"] = "rows";
    for (const name of path.split(".")) {
      const include: Include = findInclude(siblings, fields, name, path);
      ({ inner: siblings, kind } = include);
      const { options } = include.field;
      if (kind === "rows") {
        fields = options.fields!;
        continue;
      }
      levels += 1;
      if (levels > INCLUDE_LEVELS_MAX) {
        const about = `${path.slice(0, 100)} has over ${INCLUDE_LEVELS_MAX} levels`;
        throw new Refusal("INCLUDE_INVALID", { about });
      }
      fields = (options.collection === undefined ? undefined : find(options.collection))?.fields ??
        [];
    }
    if (kind === "rows") throw includeInvalid(path, path, fields);
  }
  return roots;
}

/** The collections that includes lead to, as far as their names make sense. */
export function includedCollections(
  names: readonly string[],
  collection: Collection,
  find: (slug: string) => Collection | undefined,
): Set<Collection> {
  const found = new Set<Collection>();
  for (const path of names.slice(0, INCLUDES_MAX)) {
    let fields: readonly NestedField[] = collection.fields;
    for (const name of path.split(".", INCLUDE_STEPS_MAX)) {
      const options = fields.find((field) => field.name === name)?.options;
      const target = options?.collection === undefined ? undefined : find(options.collection);
      if (target !== undefined) found.add(target);
      fields = target?.fields ?? options?.fields ?? [];
    }
  }
  return found;
}

/** The names of references, those inside of repeaters and groups behind a dot. */
export function* referenceNames(fields: readonly NestedField[]): Generator<[string, NestedField]> {
  for (const field of fields) {
    if (fieldType(field.type).referenceTo !== null) yield [field.name, field];
    for (const [name, inner] of referenceNames(field.options.fields ?? [])) {
      yield [`${field.name}.${name}`, inner];
    }
  }
}

/** The include of a field; a field that two paths begin with is included once. */
function findInclude(
  siblings: Include[],
  fields: readonly NestedField[],
  name: string,
  path: string,
): Include {
  const known = siblings.find(({ field }) => field.name === name);
  if (known !== undefined) return known;
  const field = fields.find((one) => one.name === name);
  const holds = field?.options.fields === undefined ? null : "rows";
  const kind = field === undefined ? null : fieldType(field.type).referenceTo ?? holds;
  if (field === undefined || kind === null) throw includeInvalid(path, name, fields);
  const include: Include = { field, kind, inner: [] };
  siblings.push(include);
  return include;
}

function includeInvalid(path: string, name: string, fields: readonly NestedField[]): Refusal {
  const fitting = [...referenceNames(fields).take(20)].map(([one]) => one);
  return new Refusal("INCLUDE_INVALID", {
    about: `${path.slice(0, 100)}: ${name.slice(0, 100) || "an empty name"} is none of the ` +
      `references here (${fitting.join(", ") || "there are none"})`,
  });
}

function parseRichText(text: string | undefined): RichTextForm | null {
  if (text === undefined) return null;
  const form = RICH_TEXT_FORMS.find((one) => one === text);
  if (form === undefined) {
    throw parameterInvalid(`richText must be one of ${RICH_TEXT_FORMS.join(", ")}`);
  }
  return form;
}
