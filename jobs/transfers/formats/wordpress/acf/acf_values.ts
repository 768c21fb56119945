/**
 * Values of ACF as the fields of a document: rows, groups and layouts are put together from the flat postmeta in which
 * ACF keeps them (`rows_0_title` of `rows`).
 *
 * @module
 */
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../../../kv/model/values/json_object.ts";
import { TRANSFER_FIELD_ROWS_MAX } from "../../../../limits.ts";
import { gutenbergToBlocks } from "../../../text/gutenberg.ts";
import { phpValue } from "../../../text/php_value.ts";
import { type AcfDefinitions, type AcfField } from "./acf_definition.ts";

/** Groups and rows inside one another. */
const LEVELS = 8;
/** Characters of a name in the postmeta: all that WordPress has room for. */
const META_KEY_CHARS = 255;

/** What terms and users, which ACF knows by number, are in the source. */
export interface AcfNames {
  term(number: string): { id: string; _kind: string } | null;
  user(number: string): string | null;
}

/** The values of an item, and the fields that have them. */
export interface AcfValues {
  values: JsonObject;
  fields: Map<string, AcfField>;
  /** The names in the postmeta that the values are made of. */
  names: Set<string>;
}

/** Reads the values of ACF out of the postmeta of an item. */
export function acfValues(
  meta: ReadonlyMap<string, string>,
  definitions: AcfDefinitions,
  names: AcfNames,
): AcfValues {
  const own = [...meta.keys()].filter((key) =>
    key.length <= META_KEY_CHARS && /^field_/.test(meta.get(`_${key}`) ?? "")
  );
  const reader = new AcfReader(meta, own, definitions, names);
  const fields = new Map<string, AcfField>();
  const values: JsonObject = {};
  for (const key of reader.outermost("")) {
    const field = reader.fieldOf(key);
    if (field !== undefined) fields.set(key, field);
    const value = reader.value(key, 0);
    if (value !== null) values[key] = value;
  }
  return { values, fields, names: new Set(own) };
}

class AcfReader {
  readonly #meta: ReadonlyMap<string, string>;
  /** The names of fields, sorted. */
  readonly #own: readonly string[];
  /** Where each name stands in the postmeta. */
  readonly #places: ReadonlyMap<string, number>;
  readonly #definitions: AcfDefinitions;
  readonly #names: AcfNames;

  constructor(
    meta: ReadonlyMap<string, string>,
    own: readonly string[],
    definitions: AcfDefinitions,
    names: AcfNames,
  ) {
    this.#meta = meta;
    this.#own = own.toSorted();
    this.#places = new Map(own.map((key, place) => [key, place]));
    this.#definitions = definitions;
    this.#names = names;
  }

  fieldOf(key: string): AcfField | undefined {
    return this.#definitions.find(this.#meta.get(`_${key}`) ?? "");
  }

  /** The names with a prefix that are not part of another one's rows or group. */
  outermost(prefix: string): string[] {
    const within = this.#startingWith(prefix).filter((key) => key !== prefix)
      .toSorted((a, b) => a.length - b.length || this.#places.get(a)! - this.#places.get(b)!);
    const found = new Set<string>();
    for (const key of within) {
      const isPart = outerNames(key).some((one) => found.has(one) && this.#holds(one, key));
      if (!isPart) found.add(key);
    }
    return [...found];
  }

  /** The names with a prefix: found in the order of all, because an item can have very many. */
  #startingWith(prefix: string): string[] {
    let low = 0;
    let high = this.#own.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#own[middle]! < prefix) low = middle + 1;
      else high = middle;
    }
    let end = low;
    while (this.#own[end]?.startsWith(prefix)) end += 1;
    return this.#own.slice(low, end);
  }

  /** Whether a name is a part of the field of another. */
  #holds(outer: string, key: string): boolean {
    const kind = this.#kindOf(outer);
    const rest = key.slice(outer.length + 1);
    return kind === "group" || (kind !== "plain" && /^\d+_/.test(rest));
  }

  #kindOf(key: string): "rows" | "layouts" | "group" | "plain" {
    const type = this.fieldOf(key)?.type;
    if (type === "repeater") return "rows";
    if (type === "flexible_content") return "layouts";
    if (type === "group" || type === "clone") return "group";
    if (type !== undefined) return "plain";
    // Field groups that are kept in files are not in an export.
    const value = this.#meta.get(key) ?? "";
    const parts = this.#startingWith(`${key}_`);
    const hasRows = this.#startingWith(`${key}_0_`).length > 0;
    if (hasRows && /^\d+$/.test(value)) return "rows";
    if (hasRows && Array.isArray(phpValue(value))) return "layouts";
    return value === "" && parts.length > 0 ? "group" : "plain";
  }

  value(key: string, level: number): Json {
    const text = this.#meta.get(key) ?? "";
    if (level >= LEVELS) return null;
    switch (this.#kindOf(key)) {
      case "rows": {
        const count = Math.min(Number(text) || 0, TRANSFER_FIELD_ROWS_MAX);
        if (count === 0) return null;
        return Array.from({ length: count }, (_, n) => this.#object(`${key}_${n}_`, level));
      }
      case "layouts": {
        const layouts = phpValue(text);
        if (!Array.isArray(layouts) || layouts.length === 0) return null;
        return layouts.slice(0, TRANSFER_FIELD_ROWS_MAX).map((layout, n) => ({
          _block: String(layout),
          ...this.#object(`${key}_${n}_`, level),
        }));
      }
      case "group": {
        const group = this.#object(`${key}_`, level);
        return Object.keys(group).length === 0 ? null : group;
      }
      default:
        return this.#plain(text, this.fieldOf(key), level);
    }
  }

  #object(prefix: string, level: number): JsonObject {
    return Object.fromEntries(
      this.outermost(prefix).flatMap((key) => {
        const value = this.value(key, level + 1);
        return value === null ? [] : [[key.slice(prefix.length), value]];
      }),
    );
  }

  #plain(text: string, field: AcfField | undefined, level: number): Json {
    const value = phpValue(text) ?? text;
    if (value === "" || (Array.isArray(value) && value.length === 0)) return null;
    return plainValue(value, field?.type, this.#names, level > 0);
  }
}

/** The names that a name begins with: the parts of it before an underscore. */
function outerNames(key: string): string[] {
  return [...key.matchAll(/_/g)].map(({ index }) => key.slice(0, index));
}

/** A value by the type of its field. */
export function plainValue(
  value: Json,
  type: string | undefined,
  names: AcfNames,
  isNested: boolean,
): Json {
  const map = type === undefined ? undefined : VALUES.get(type);
  return map === undefined ? value : map(value, names, isNested);
}

type MapValue = (value: Json, names: AcfNames, isNested: boolean) => Json;

/** A number, or each of a list. */
const each = (map: (number: string, names: AcfNames) => Json): MapValue => (value, names) =>
  Array.isArray(value)
    ? value.map((one) => map(String(one), names)).filter((one) => one !== null)
    : map(String(value), names);

const identity = each((id) => id === "0" ? null : id);

/** Values that are not kept as they are. */
const VALUES: ReadonlyMap<string, MapValue> = new Map<string, MapValue>([
  ...["image", "file", "gallery", "post_object", "relationship", "page_link"]
    .map((type): [string, MapValue] => [type, identity]),
  ["password", () => null],
  ["true_false", (value) => value === true || value === "1" || value === 1],
  ["taxonomy", each((number, names) => names.term(number))],
  ["user", each((number, names) => names.user(number))],
  ["date_picker", (value) => String(value).replace(/^(\d{4})(\d{2})(\d{2})$/, "$1-$2-$3")],
  ["icon_picker", (value) => isJsonObject(value) ? value.value ?? null : value],
  // The texts of rows have no conversion of their own.
  [
    "wysiwyg",
    (value, _names, isNested) => isNested ? gutenbergToBlocks(String(value)).blocks : value,
  ],
]);
