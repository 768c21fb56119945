/**
 * Contentful: content types, locales, entries and assets of an environment, as its export has them.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isChanged } from "../formats/contentful.ts";
import { jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import { bearer, type LiveSystem } from "./live_system.ts";

/** Entries of one answer: all that Contentful gives. */
const PAGE = 1_000;
/** Entries that are asked for by their ids at a time: an address has its bounds. */
const IDS = 50;
/** The status of an answer that would be larger than 7 MB. */
const TOO_LARGE = [400];

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
  const changed: string[] = [];
  let separator = "{";
  for (const [name, path] of LISTS) {
    yield `${separator}${JSON.stringify(name)}:`;
    yield* jsonArray(noted(itemsOf(api, path), changed));
    separator = ",\n";
  }
  yield `${separator}"publishedEntries":`;
  yield* jsonArray(publishedOf(api, changed));
  yield "}";
}

/** Notes the entries that have unpublished changes. */
async function* noted(
  items: AsyncIterable<JsonObject>,
  changed: string[],
): AsyncGenerator<JsonObject> {
  for await (const item of items) {
    if (isJsonObject(item.sys) && item.sys.type === "Entry" && isChanged(item.sys)) {
      changed.push(String(item.sys.id));
    }
    yield item;
  }
}

/** What is public of the entries that have changed since; a list of entries has only what is newest. */
async function* publishedOf(api: LiveApi, ids: readonly string[]): AsyncGenerator<JsonObject> {
  if (ids.length === 0 || await api.find("/public/entries?limit=1") === null) return;
  for (let start = 0; start < ids.length; start += IDS) {
    const some = ids.slice(start, start + IDS).join(",");
    yield* itemsOf(api, "/public/entries", `&sys.id[in]=${some}`);
  }
}

async function* itemsOf(api: LiveApi, path: string, more = ""): AsyncGenerator<JsonObject> {
  // The delivery API returns one locale unless the request names all.
  const locale = path === "/entries" || path === "/assets" ? "&locale=*" : "";
  const isDelivery = /(?:cdn|preview)\./.test(api.base);
  for (let skip = 0, limit = PAGE;;) {
    const query = `skip=${skip}&order=sys.id${isDelivery ? locale : ""}${more}`;
    const url = `${path}?limit=${limit}&${query}`;
    const answer = limit > 1 ? await api.find(url, TOO_LARGE) : await api.get(url);
    if (answer === null) {
      limit = Math.ceil(limit / 4);
      continue;
    }
    const { body } = answer;
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
