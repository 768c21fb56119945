/**
 * The JSON export of Ghost, with its images beside it.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { Plan } from "../../../kv/model/transfers/plan.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import type { SourceAsset } from "../run/transfer_facts.ts";
import {
  baseName,
  hasExtension,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
} from "./format.ts";
import { GhostSettings } from "./ghost_settings.ts";
import { parseStream } from "./json.ts";
import { defined, referencesTo, withAuthors, withFields, withoutEmpty } from "./plan_fields.ts";

/** What a post says to search engines, and the names that it gets. */
const SEO = [
  ["meta_title", "title"],
  ["meta_description", "description"],
  ["canonical_url", "canonical"],
  ["og_title", "ogTitle"],
  ["og_description", "ogDescription"],
] as const;

/** The tables that belong to posts. */
const JOINED = ["posts_tags", "posts_authors", "posts_meta", "tags", "users", "settings"];

/** Reads an export of Ghost. */
export const ghost: TransferFormat = {
  kind: "ghost",
  matches: (files) =>
    files.some((file) =>
      hasExtension(file, "json") &&
      (/"db"\s*:\s*\[\s*\{\s*"(?:meta|data)"/.test(file.head) ||
        /"exported_on"\s*:/.test(file.head))
    ),
  read: readExport,
  adjust: adjustPlan,
};

async function* readExport({ facts, files }: ReadScope): AsyncGenerator<SourceRow> {
  const assets: Record<string, SourceAsset> = {};
  facts.assets = assets;
  let restricted = 0;
  for (const file of files.filter((file) => hasExtension(file, "json"))) {
    facts.sourceKey ??= `${baseName(file.path).split(/\.ghost(?:\.|$)/)[0]}:ghost`;
    const joined = await readJoined(file);
    facts.names.tags = "Tags";
    facts.names.authors = "Authors";
    const settings = new GhostSettings(joined.settings);
    for (const row of [...joined.tags.map(tagRow), ...joined.users.map(authorRow)]) {
      settings.row(row);
      yield row;
    }
    for await (const { value } of parseStream(file, ...pathsOf("posts"))) {
      if (!isJsonObject(value)) continue;
      const row = postRow(value, joined);
      if (isRestricted(value)) restricted += 1;
      noteCover(row.data, joined.metaOf.get(row.id ?? "") ?? value, assets);
      facts.names[row.source] = row.source === "pages" ? "Pages" : "Posts";
      settings.row(row);
      yield row;
    }
    settings.finish(facts);
  }
  facts.warnings.push("Members, newsletters and subscriptions are not taken");
  if (restricted > 0) {
    facts.warnings.push(`Posts and pages for members, kept as drafts: ${restricted}`);
  }
}

/** Notes the alternative text of the image of a post. */
function noteCover(
  { cover }: JsonObject,
  { feature_image_alt: alt }: JsonObject,
  assets: Record<string, SourceAsset>,
): void {
  if (typeof cover !== "string" || typeof alt !== "string" || alt === "") return;
  assets[cover] = { url: cover, alt };
}

function pathsOf(table: string): string[] {
  return [`$.db.*.data.${table}.*`, `$.data.${table}.*`];
}

interface Joined {
  tags: JsonObject[];
  users: JsonObject[];
  tagsOf: Map<string, string[]>;
  authorsOf: Map<string, string[]>;
  metaOf: Map<string, JsonObject>;
  settings: Map<string, Json>;
}

async function readJoined(file: ReadableFile): Promise<Joined> {
  const joined: Joined = {
    tags: [],
    users: [],
    tagsOf: new Map(),
    authorsOf: new Map(),
    metaOf: new Map(),
    settings: new Map(),
  };
  const links: [Map<string, string[]>, JsonObject, string][] = [];
  for await (const { value, keys } of parseStream(file, ...JOINED.flatMap(pathsOf))) {
    if (!isJsonObject(value)) continue;
    const table = keys.at(-2);
    if (table === "tags") joined.tags.push(value);
    else if (table === "users") joined.users.push(value);
    else if (table === "posts_tags") links.push([joined.tagsOf, value, "tag_id"]);
    else if (table === "settings") joined.settings.set(text(value.key), value.value ?? null);
    else if (table === "posts_authors") links.push([joined.authorsOf, value, "author_id"]);
    else joined.metaOf.set(text(value.post_id), value);
  }
  links.sort(([, a], [, b]) => Number(a.sort_order ?? 0) - Number(b.sort_order ?? 0));
  for (const [map, link, name] of links) {
    const post = text(link.post_id);
    map.set(post, [...map.get(post) ?? [], text(link[name])]);
  }
  return joined;
}

/** Whether only members can read a post. */
function isRestricted({ visibility }: JsonObject): boolean {
  return typeof visibility === "string" && visibility !== "public";
}

function tagRow(tag: JsonObject): SourceRow {
  const { id, name, slug, description, feature_image, visibility } = tag;
  return {
    source: "tags",
    id: text(id),
    data: {
      id: text(id),
      title: name ?? slug ?? "",
      slug: slug ?? null,
      // Tags with a hash sign are internal.
      status: visibility === "internal" ? "draft" : "published",
      description: description ?? null,
      cover: withoutGhostUrl(feature_image),
      ...seoOf(tag),
      _addresses: slug ? [`/tag/${text(slug)}/`] : [],
    },
  };
}

function authorRow(
  { id, name, slug, bio, profile_image, website, location }: JsonObject,
): SourceRow {
  return {
    source: "authors",
    id: text(id),
    data: {
      id: text(id),
      title: name ?? slug ?? "",
      slug: slug ?? null,
      status: "published",
      bio: bio ?? null,
      picture: withoutGhostUrl(profile_image),
      website: website ?? null,
      location: location ?? null,
      _addresses: slug ? [`/author/${text(slug)}/`] : [],
    },
  };
}

function postRow(post: JsonObject, { tagsOf, authorsOf, metaOf }: Joined): SourceRow {
  const id = text(post.id);
  const meta = { ...post, ...metaOf.get(id) };
  const isPage = post.type === "page" || post.page === 1 || post.page === true;
  const authors = authorsOf.get(id) ?? (post.author_id ? [text(post.author_id)] : []);
  return {
    source: isPage ? "pages" : "posts",
    id,
    data: {
      id,
      title: post.title ?? "",
      slug: post.slug ?? null,
      // Everyone can read what is public here.
      status: isRestricted(post) ? "draft" : post.status ?? "draft",
      publishedAt: post.published_at ?? null,
      createdAt: post.created_at ?? null,
      content: withoutGhostUrl(post.lexical ?? post.mobiledoc ?? post.html),
      excerpt: post.custom_excerpt ?? null,
      cover: withoutGhostUrl(post.feature_image),
      featured: post.featured === 1 || post.featured === true,
      tags: tagsOf.get(id) ?? [],
      authors,
      ...seoOf(meta),
      _addresses: post.slug ? [`/${text(post.slug)}/`] : [],
    },
  };
}

/** What a post or tag says to search engines. */
function seoOf(meta: JsonObject): JsonObject {
  const seo: JsonObject = {};
  for (const [from, to] of SEO) {
    if (typeof meta[from] === "string" && meta[from] !== "") seo[to] = meta[from];
  }
  return Object.keys(seo).length > 0 ? { seo } : {};
}

/** Addresses of the site itself are paths. */
function withoutGhostUrl(value: Json | undefined): Json {
  return typeof value === "string" ? value.replaceAll("__GHOST_URL__/", "/") : value ?? null;
}

function text(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function adjustPlan(plan: Plan, { shapes }: PlanScope): Plan {
  const collections = plan.collections.map((collection) => {
    const known = defined({
      id: null,
      content: { to: "body", type: "rich_text", convert: "lexical" },
      excerpt: { type: "text", options: { multiline: true } },
      bio: { type: "text", options: { multiline: true } },
      description: { type: "text", options: { multiline: true } },
      cover: { type: "media" },
      picture: { type: "media" },
      tags: referencesTo(plan, "tags") ?? null,
      authors: referencesTo(plan, "authors") ?? null,
      _addresses: null,
    });
    const framed = { ...collection, sourceId: "id", title: "title", slug: "slug" };
    return withoutEmpty(withFields(framed, known), shapes.get(collection.source));
  });
  return withAuthors({ ...plan, collections });
}
