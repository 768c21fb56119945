/**
 * Directus: fields, relations, files and items, as a template folder has them.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { type ApiAnswer, jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveFile, type LiveSystem } from "./live_system.ts";

/** Items of one answer. */
const PAGE = 100;
/** Files of the system itself in texts, in any size. */
const OWN_FILES = /(\]\(|\bsrc=["'])(?:https?:\/\/[^/\s"']+)?\/assets\/([0-9a-f-]{36})[^\s"')]*/g;

/** Reads the API of Directus. */
export const directusApi: LiveSystem = {
  base: (url) => url.replace(/\/(?:admin|items)(?:\/.*)?$/, ""),
  headers: (token) => Promise.resolve(bearer(token)),
  files: exportOf,
};

async function* exportOf(api: LiveApi): AsyncGenerator<LiveFile> {
  const folder = `${new URL(api.base).hostname}/src`;
  const file = (name: string, rows: AsyncIterable<JsonObject>): LiveFile => ({
    name: `${folder}/${name}.json`,
    content: jsonArray(rows),
  });
  const collections = new Set<string>();
  yield file(
    "fields",
    noted(itemsOf(api, "/fields"), ({ collection }) => {
      if (!String(collection).startsWith("directus_")) collections.add(String(collection));
    }),
  );
  yield file("relations", itemsOf(api, "/relations"));
  // Their descriptions can be hidden from a user who may read their items.
  const described = await api.find("/collections");
  if (described !== null) yield file("collections", listed(described));
  yield file("files", withUrls(api, pagesOf(api, "/files")));
  for (const name of collections) {
    const path = `/items/${encodeURIComponent(name)}`;
    // Groups of collections have no items, and others may not be readable.
    const first = await api.find(pagePath(path, 1));
    if (first !== null) yield file(`content/${name}`, withFiles(api, pagesOf(api, path, first)));
  }
}

async function* noted(
  rows: AsyncIterable<JsonObject>,
  note: (row: JsonObject) => void,
): AsyncGenerator<JsonObject> {
  for await (const row of rows) {
    note(row);
    yield row;
  }
}

async function* withUrls(
  { base }: LiveApi,
  files: AsyncIterable<JsonObject>,
): AsyncGenerator<JsonObject> {
  for await (const file of files) yield { ...file, url: `${base}/assets/${String(file.id)}` };
}

/** Items whose texts name files as the list of files does. */
async function* withFiles(
  { base }: LiveApi,
  items: AsyncIterable<JsonObject>,
): AsyncGenerator<JsonObject> {
  for await (const item of items) {
    const texts = Object.entries(item).map(([name, value]) => [
      name,
      typeof value === "string" ? value.replace(OWN_FILES, `$1${base}/assets/$2`) : value,
    ]);
    yield Object.fromEntries(texts);
  }
}

async function* listed({ body }: ApiAnswer): AsyncGenerator<JsonObject> {
  yield* objectsOf(body, "data");
}

async function* itemsOf(api: LiveApi, path: string): AsyncGenerator<JsonObject> {
  yield* listed(await api.get(path));
}

function pagePath(path: string, page: number): string {
  return `${path}?limit=${PAGE}&page=${page}&sort=id`;
}

async function* pagesOf(
  api: LiveApi,
  path: string,
  first: ApiAnswer | null = null,
): AsyncGenerator<JsonObject> {
  for (let page = 1;; page++) {
    const { body } = page === 1 && first !== null ? first : await api.get(pagePath(path, page));
    const { data } = isJsonObject(body) ? body : {};
    // A collection with a single item returns that item.
    if (isJsonObject(data)) return void (yield data);
    const items = objectsOf(body, "data");
    yield* items;
    if (items.length < PAGE) return;
  }
}
