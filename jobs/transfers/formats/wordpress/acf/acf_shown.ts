/**
 * The fields of ACF as the REST API shows them (`acf`): rows and groups as they are, but files, posts, terms and users as
 * numbers, which the links of the answer tell apart.
 *
 * @module
 */
import type { Json } from "../../../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../../../kv/model/values/json_object.ts";
import { type AcfField, PARTS } from "./acf_definition.ts";
import { type AcfNames, type AcfValues, plainValue } from "./acf_values.ts";

/** The key of a layout's name. */
const LAYOUT = "acf_fc_layout";

/** Collects what values each field has in all items, and reads them. */
export class AcfShown {
  /** The types that the numbers of a path are, and whether it has anything but `false`. */
  readonly #paths = new Map<string, { types: Set<string>; isList: boolean; hasValues: boolean }>();

  /** Notes the fields of an item. */
  note(shown: Json): void {
    if (!isJsonObject(shown)) return;
    const typeOf = typesIn(shown.ids ?? null);
    const visit = (value: Json, path: string, isList: boolean): void => {
      if (Array.isArray(value)) return value.forEach((one) => visit(one, path, true));
      if (isJsonObject(value)) {
        this.#see(path, null, isList);
        for (const [name, one] of Object.entries(value)) visit(one, `${path}.${name}`, false);
        return;
      }
      if (value === null || value === "" || value === false) return;
      const type = typeof value === "number" ? typeOf.get(String(value)) ?? "number" : null;
      this.#see(path, value === true ? undefined : type, isList);
    };
    const { fields } = shown;
    for (const [name, value] of Object.entries(isJsonObject(fields) ? fields : {})) {
      visit(value, name, false);
    }
  }

  #see(path: string, type: string | null | undefined, isList: boolean): void {
    const seen = this.#paths.get(path) ??
      { types: new Set<string>(), isList: false, hasValues: false };
    this.#paths.set(path, seen);
    seen.isList ||= isList;
    // `true` is a value of a switch, whose `false` is one as well.
    if (type === undefined) return;
    seen.hasValues = true;
    seen.types.add(type ?? "other");
  }

  /** The type of the numbers of a path; undefined if they are just numbers. */
  #typeOf(path: string): string | undefined {
    const [only = "number", ...others] = this.#paths.get(path)?.types ?? [];
    return others.length > 0 || only === "number" || only === "other" ? undefined : only;
  }

  /** The values of an item. */
  valuesOf(shown: Json, names: AcfNames): AcfValues {
    const given = isJsonObject(shown) && isJsonObject(shown.fields) ? shown.fields : {};
    const values = this.#object(given, "", names);
    const fields = new Map<string, AcfField>();
    for (const name of Object.keys(values)) {
      const field = this.#fieldAt(name, name);
      if (field !== undefined) fields.set(name, field);
    }
    return { values, fields, names: new Set() };
  }

  /** The field of a path, if it or something inside of it has numbers that are not just numbers. */
  #fieldAt(path: string, name: string): AcfField | undefined {
    const type = this.#typeOf(path);
    if (type !== undefined) return fieldOf(name, type, this.#paths.get(path)?.isList);
    const prefix = `${path}.`;
    const inner = [...this.#paths.keys()].flatMap((one) => {
      const rest = one.startsWith(prefix) ? one.slice(prefix.length) : "";
      return rest === "" || rest.includes(".") ? [] : this.#fieldAt(one, rest) ?? [];
    });
    if (inner.length === 0) return undefined;
    return { name, label: name, type: PARTS, settings: {}, fields: inner };
  }

  #object(given: JsonObject, prefix: string, names: AcfNames): JsonObject {
    return Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => {
        const own = this.#value(value, `${prefix}${name}`, names);
        return own === null ? [] : [[name === LAYOUT ? "_block" : name, own]];
      }),
    );
  }

  #value(value: Json, path: string, names: AcfNames): Json {
    if (value === null || value === "") return null;
    // Fields of other types than switches are `false` if they are empty.
    if (value === false) return this.#paths.get(path)?.hasValues === true ? null : false;
    if (Array.isArray(value)) {
      const list = value.map((one) => this.#value(one, path, names)).filter((one) => one !== null);
      return list.length === 0 ? null : list;
    }
    if (isJsonObject(value)) return this.#object(value, `${path}.`, names);
    const type = typeof value === "number" ? this.#typeOf(path) : undefined;
    return type === undefined ? value : plainValue(value, type, names, false);
  }
}

function typesIn(ids: Json): Map<string, string> {
  return new Map(
    Object.entries(isJsonObject(ids) ? ids : {}).flatMap(([type, list]) =>
      Array.isArray(list) ? list.map((id): [string, string] => [String(id), type]) : []
    ),
  );
}

/** A field as far as the numbers in it tell what it is. */
function fieldOf(name: string, given: string, isList = false): AcfField {
  const type = given === "image" && isList ? "gallery" : given;
  const settings = isList ? { multiple: 1, field_type: "multi_select" } : {};
  return { name, label: name, type, settings, fields: [] };
}
