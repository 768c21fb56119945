/**
 * Strapi: schemas, entries and their relations from its REST API, as its export has them.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isInverse, UPLOADED_FILE } from "../formats/strapi_types.ts";
import { type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveFile, type LiveSystem } from "./live_system.ts";

/** Entries of one answer: all that Strapi gives. */
const PAGE = 100;
/** Components inside one another. */
const NESTING = 6;
/** Files of the system itself in Markdown and HTML. */
const OWN_FILES = /(\]\(|\bsrc=["'])(?=\/uploads\/)/g;

/** Reads the REST API of Strapi 4 and 5. The token has to see the content-type builder. */
export const strapiApi: LiveSystem = {
  base: (url) => `${url.replace(/\/(?:api|admin)(?:\/.*)?$/, "").replace(/\/+$/, "")}/api`,
  headers: (token) => Promise.resolve(bearer(token)),
  files: exportOf,
};

interface Type {
  uid: string;
  /** The path of its entries. */
  path: string;
  isSingle: boolean;
  attributes: JsonObject;
  schema: JsonObject;
}

async function* exportOf(api: LiveApi): AsyncGenerator<LiveFile> {
  const types = await typesOf(api, "/content-type-builder/content-types");
  const components = await typesOf(api, "/content-type-builder/components");
  yield file("schemas", [...types, ...components].map(({ schema }) => schema));
  const reading = new StrapiReading(api, components);
  const content = types.filter(({ uid }) => uid.startsWith("api::"));
  yield file("entities", reading.entities(content));
  yield file("links", reading.links);
}

function file(name: string, rows: Iterable<JsonObject> | AsyncIterable<JsonObject>): LiveFile {
  return { name: `${name}/${name}_00001.jsonl`, content: lines(rows) };
}

async function* lines(
  rows: Iterable<JsonObject> | AsyncIterable<JsonObject>,
): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

async function typesOf(api: LiveApi, path: string): Promise<Type[]> {
  const { body } = await api.get(path);
  return objectsOf(body, "data").map(({ uid, schema, apiID }): Type => {
    const own = isJsonObject(schema) ? schema : {};
    const { displayName = null, draftAndPublish = false, kind = null, attributes } = own;
    const plural = own.pluralName ?? apiID;
    const isSingle = kind === "singleType";
    return {
      uid: String(uid),
      path: `/${String(isSingle ? own.singularName ?? apiID : plural)}`,
      isSingle,
      attributes: isJsonObject(attributes) ? attributes : {},
      schema: {
        uid: String(uid),
        kind,
        info: { displayName },
        options: { draftAndPublish },
        attributes: isJsonObject(attributes) ? attributes : {},
      },
    };
  });
}

class StrapiReading {
  readonly links: JsonObject[] = [];
  readonly #api: LiveApi;
  readonly #components: ReadonlyMap<string, Type>;
  readonly #seen = new Set<string>();

  constructor(api: LiveApi, components: readonly Type[]) {
    this.#api = api;
    this.#components = new Map(components.map((one) => [one.uid, one]));
  }

  async *entities(types: readonly Type[]): AsyncGenerator<JsonObject> {
    for (const type of types) {
      for (const status of ["published", "draft"]) {
        for await (const entry of this.#pages(type, status)) {
          const flat = flattened(entry);
          const id = String(flat.id);
          if (this.#isSeen(`${type.uid} ${id}`)) continue;
          const files: JsonObject[] = [];
          const data = this.#dataOf(flat, type.uid, type.attributes, files);
          yield* files;
          yield { type: type.uid, id, data };
        }
      }
    }
  }

  /** Whether an entry was read before: Strapi 4 returns drafts and published entries together. */
  #isSeen(name: string): boolean {
    if (this.#seen.has(name)) return true;
    this.#seen.add(name);
    return false;
  }

  async *#pages({ path, isSingle, attributes }: Type, status: string): AsyncGenerator<JsonObject> {
    const populate = this.#populate(attributes).join("&");
    for (let page = 1;; page++) {
      const query = [
        `pagination[page]=${page}&pagination[pageSize]=${PAGE}&sort=id`,
        `status=${status}&publicationState=preview&locale=*`,
        populate,
      ].filter((part) => part !== "").join("&");
      const answer = await this.#api.find(`${path}?${query}`);
      if (answer === null || !isJsonObject(answer.body)) return;
      const { data, meta } = answer.body;
      if (isSingle || isJsonObject(data)) {
        if (isJsonObject(data)) yield data;
        return;
      }
      yield* objectsOf(answer.body, "data");
      const { pagination } = isJsonObject(meta) ? meta : {};
      const { pageCount = 1 } = isJsonObject(pagination) ? pagination : {};
      if (page >= Number(pageCount)) return;
    }
  }

  /** The parameters that ask for relations, files and components, at every depth. */
  #populate(attributes: JsonObject, path = "populate", depth = 0): string[] {
    return Object.entries(attributes).flatMap(([name, attribute]): string[] => {
      const { type, component, components } = isJsonObject(attribute) ? attribute : {};
      const place = `${path}[${name}]`;
      if (type === "relation" && !isInverse(attribute)) return [`${place}[fields][0]=id`];
      if (type === "media") return [`${place}=true`];
      if (type === "component") return this.#populateComponent(component, place, depth);
      if (type !== "dynamiczone" || !Array.isArray(components)) return [];
      return components.flatMap((one) =>
        this.#populateComponent(one, `${place}[on][${String(one)}]`, depth)
      );
    });
  }

  #populateComponent(uid: Json | undefined, place: string, depth: number): string[] {
    const { attributes = {} } = this.#components.get(String(uid)) ?? {};
    const inner = depth < NESTING
      ? this.#populate(attributes, `${place}[populate]`, depth + 1)
      : [];
    return inner.length > 0 ? inner : [`${place}[populate]=*`];
  }

  /** The values of an entry or component; its references become links, and files entities. */
  #dataOf(
    entry: JsonObject,
    uid: string,
    attributes: JsonObject,
    files: JsonObject[],
  ): JsonObject {
    const owner = { type: uid, ref: String(entry.id ?? "") };
    const kept = Object.entries(entry).flatMap(([name, value]): [string, Json][] => {
      const attribute = attributes[name];
      const { type, component, target } = isJsonObject(attribute) ? attribute : {};
      if (type === "relation") {
        for (const one of manyOf(value)) {
          const left = { ...owner, field: name };
          this.links.push({ left, right: { type: target ?? "", ref: String(one.id) } });
        }
        return [];
      }
      if (type === "media") {
        for (const one of manyOf(value)) {
          files.push(...this.#fileOf(one));
          const left = { type: UPLOADED_FILE, ref: String(one.id), field: "related" };
          this.links.push({ left, right: { ...owner, field: name } });
        }
        return [];
      }
      if (type === "component" || type === "dynamiczone") {
        const inner = (one: Json) => this.#componentOf(one, String(component ?? ""), files);
        return [[name, Array.isArray(value) ? value.map(inner) : inner(value)]];
      }
      if (type === "richtext" && typeof value === "string") {
        return [[name, value.replace(OWN_FILES, `$1${new URL(this.#api.base).origin}`)]];
      }
      return [[name, value]];
    });
    return Object.fromEntries(kept);
  }

  #componentOf(value: Json, given: string, files: JsonObject[]): Json {
    if (!isJsonObject(value)) return value;
    const uid = typeof value.__component === "string" ? value.__component : given;
    const { attributes = {} } = this.#components.get(uid) ?? {};
    return this.#dataOf(value, uid, attributes, files);
  }

  #fileOf(file: JsonObject): JsonObject[] {
    if (this.#isSeen(`${UPLOADED_FILE} ${String(file.id)}`)) return [];
    const url = URL.parse(String(file.url ?? ""), this.#api.base)?.href ?? "";
    return [{ type: UPLOADED_FILE, id: String(file.id), data: { ...file, url } }];
  }
}

/** The objects of a relation: one, several, or wrapped as Strapi 4 has them. */
function manyOf(value: Json): JsonObject[] {
  const inner = isJsonObject(value) && Object.hasOwn(value, "data") ? value.data ?? null : value;
  const list = Array.isArray(inner) ? inner : [inner];
  return list.filter(isJsonObject).map(flattened);
}

/** An entry of Strapi 4 as one of Strapi 5: its attributes beside its id. */
function flattened({ attributes, ...entry }: JsonObject): JsonObject {
  return isJsonObject(attributes) ? { ...entry, ...attributes } : { ...entry };
}
