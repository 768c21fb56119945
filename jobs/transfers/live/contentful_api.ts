/**
 * Contentful: content types, locales, entries and assets of an environment, as its export has them.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveSystem } from "./live_system.ts";

/** Entries of one answer: all that Contentful gives. */
const PAGE = 1_000;

/** The lists of an export, with their paths in the API. */
const LISTS = [
  ["contentTypes", "/content_types"],
  ["locales", "/locales"],
  ["entries", "/entries"],
  ["assets", "/assets"],
] as const;

/** Reads the management and the delivery API: an address such as `https://api.contentful.com/spaces/<space>`. */
export const contentfulApi: LiveSystem = {
  base: (url) => {
    const base = url.replace(/\/+$/, "");
    return /\/environments\/[^/]+$/.test(base) ? base : `${base}/environments/master`;
  },
  headers: (token) => Promise.resolve(bearer(token)),
  async *files(api) {
    yield { name: "contentful.json", content: exportOf(api) };
  },
};

async function* exportOf(api: LiveApi): AsyncGenerator<string> {
  let separator = "{";
  for (const [name, path] of LISTS) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* jsonArray(itemsOf(api, path));
    separator = ",\n";
  }
  yield "}";
}

async function* itemsOf(api: LiveApi, path: string): AsyncGenerator<JsonObject> {
  // The delivery API returns one locale unless the request names all.
  const locale = path === "/entries" || path === "/assets" ? "&locale=*" : "";
  const isDelivery = /(?:cdn|preview)\./.test(api.base);
  for (let skip = 0;;) {
    const { body } = await api.get(
      `${path}?limit=${PAGE}&skip=${skip}&order=sys.id${isDelivery ? locale : ""}`,
    );
    const items = objectsOf(body, "items");
    for (const item of items) yield isDelivery ? published(item) : item;
    skip += items.length;
    const total = isJsonObject(body) ? Number(body.total ?? 0) : 0;
    if (items.length === 0 || skip >= total) return;
  }
}

/** An entry of the delivery API, marked as published: that API has no others. */
function published(item: JsonObject): JsonObject {
  if (!isJsonObject(item.sys) || item.sys.type !== "Entry") return item;
  const { sys } = item;
  const { createdAt = null, revision = 1 } = sys;
  return {
    ...item,
    sys: { ...sys, publishedVersion: revision, version: revision, firstPublishedAt: createdAt },
  };
}
