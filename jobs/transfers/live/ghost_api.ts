/**
 * Ghost: posts, pages, tags, authors and settings, as its export has them. With an Admin API key drafts are included; a
 * Content API key reads public content only.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { SETTINGS_READ } from "../formats/ghost_settings.ts";
import { BadSource } from "../reading/source_file.ts";
import { jsonArray, type LiveApi, objectsOf } from "./live_api.ts";
import type { LiveSystem } from "./live_system.ts";

/** Posts of one answer. */
const PAGE = 100;
/** What is read of users: neither their email addresses nor their settings. */
const AUTHOR_FIELDS = ["id", "name", "slug", "bio", "profile_image", "website", "location"];
/** How long a signed token is valid: Ghost refuses more. */
const TOKEN_LIFE = "5m";

/** Reads the APIs of Ghost. */
export const ghostApi: LiveSystem = {
  base: (url) => url.replace(/\/ghost(?:\/.*)?$/, ""),
  headers: async (token) => ({
    "accept-version": "v5.0",
    ...(token.includes(":") && { authorization: `Ghost ${await signed(token)}` }),
  }),
  async *files(api, token) {
    yield { name: `${new URL(api.base).host}.ghost.json`, content: exportOf(api, token) };
  },
};

/** A token for the Admin API, signed with its key. */
async function signed(key: string): Promise<string> {
  const { SignJWT } = await import("jose");
  const [id = "", secret = ""] = key.split(":");
  if (!/^(?:[0-9a-f]{2})+$/i.test(secret)) {
    throw new BadSource("The Admin API key is not one of Ghost");
  }
  return await new SignJWT({}).setProtectedHeader({ alg: "HS256", kid: id, typ: "JWT" })
    .setIssuedAt().setExpirationTime(TOKEN_LIFE).setAudience("/admin/")
    .sign(Uint8Array.fromHex(secret));
}

async function* exportOf(api: LiveApi, token: string): AsyncGenerator<string> {
  const joins: Joins = { posts_tags: [], posts_authors: [] };
  const settings = await settingsOf(api, token);
  const site = await siteOf(api, token, settings);
  yield '{"db":[{"meta":{},"data":{"posts":';
  yield* jsonArray(postsOf(api, token, joins, ownLinks(site)));
  yield ',"tags":';
  yield* jsonArray(pagesOf(api, token, "tags", ""));
  yield ',"users":';
  yield* jsonArray(authorsOf(api, token, joins));
  for (const [name, rows] of Object.entries(joins)) yield `,"${name}":${JSON.stringify(rows)}`;
  const kept = settings.filter(({ key }) => SETTINGS_READ.has(String(key)));
  yield `,"settings":${JSON.stringify(kept)}}}]}`;
}

/** The address that the site has for its readers, which can be another than that of its API. */
async function siteOf(api: LiveApi, token: string, settings: JsonObject[]): Promise<string> {
  if (!token.includes(":")) return String(settings.find(({ key }) => key === "url")?.value ?? "");
  const { body = null } = await api.find("/ghost/api/admin/site/") ?? {};
  const { site = null } = isJsonObject(body) ? body : {};
  return isJsonObject(site) && typeof site.url === "string" ? site.url : "";
}

/**
 * A text whose links to the site itself are paths, as in its exports. Files keep their addresses, from which they are
 * fetched.
 */
function ownLinks(site: string): (text: Json | undefined) => Json {
  const address = RegExp.escape(site.replace(/\/*$/, "/"));
  const links = new RegExp(
    String.raw`("(?:url|buttonUrl|productUrl|href)":"|"href","|href=\\?")${address}(?!content\/)`,
    "g",
  );
  return (text) =>
    typeof text === "string" && site !== "" ? text.replace(links, "$1/") : text ?? null;
}

/** The users who have written something: others of the staff are not shown on the site. */
async function* authorsOf(
  api: LiveApi,
  token: string,
  { posts_authors }: Joins,
): AsyncGenerator<JsonObject> {
  const ids = new Set(posts_authors.map(({ author_id }) => author_id));
  for await (const user of pagesOf(api, token, token.includes(":") ? "users" : "authors", "")) {
    if (!ids.has(user.id ?? null)) continue;
    yield Object.fromEntries(AUTHOR_FIELDS.map((name) => [name, user[name] ?? null]));
  }
}

type Joins = Record<"posts_tags" | "posts_authors", JsonObject[]>;

async function* postsOf(
  api: LiveApi,
  token: string,
  joins: Joins,
  withPaths: (text: Json | undefined) => Json,
): AsyncGenerator<JsonObject> {
  for (const type of ["posts", "pages"] as const) {
    const include = "&include=tags,authors&formats=html,lexical,mobiledoc";
    for await (const post of pagesOf(api, token, type, include)) {
      const { tags, authors, primary_author: _, primary_tag: __, ...rest } = post;
      const id = post.id ?? null;
      for (const [index, tag] of objectsOf(tags ?? null).entries()) {
        joins.posts_tags.push({ post_id: id, tag_id: tag.id ?? null, sort_order: index });
      }
      for (const [index, author] of objectsOf(authors ?? null).entries()) {
        joins.posts_authors.push({ post_id: id, author_id: author.id ?? null, sort_order: index });
      }
      yield {
        ...rest,
        ...(rest.lexical !== undefined && { lexical: withPaths(rest.lexical) }),
        ...(rest.mobiledoc !== undefined && { mobiledoc: withPaths(rest.mobiledoc) }),
        ...(rest.html !== undefined && { html: withPaths(rest.html) }),
        type: type === "pages" ? "page" : "post",
        // The Content API returns published posts only.
        status: post.status ?? "published",
      };
    }
  }
}

async function* pagesOf(
  api: LiveApi,
  token: string,
  name: string,
  more: string,
): AsyncGenerator<JsonObject> {
  for (let page: Json = 1; typeof page === "number";) {
    // New posts come last, so that pages stay what they are while they are read.
    const query = `&limit=${PAGE}&page=${page}&order=id%20asc${more}`;
    const { body } = await api.get(`${pathOf(token, name)}${query}`);
    yield* objectsOf(body, name);
    const { meta } = isJsonObject(body) ? body : {};
    const { pagination } = isJsonObject(meta) ? meta : {};
    page = isJsonObject(pagination) ? pagination.next ?? null : null;
  }
}

function pathOf(token: string, name: string): string {
  return token.includes(":")
    ? `/ghost/api/admin/${name}/?source=transfer`
    : `/ghost/api/content/${name}/?key=${encodeURIComponent(token)}`;
}

async function settingsOf(api: LiveApi, token: string): Promise<JsonObject[]> {
  const answer = await api.find(pathOf(token, "settings"));
  const { settings = null } = isJsonObject(answer?.body) ? answer.body : {};
  if (!isJsonObject(settings)) return objectsOf(settings);
  return Object.entries(settings).map(([key, value]) => ({ key, value }));
}
