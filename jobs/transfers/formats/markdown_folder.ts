/**
 * Folders of Markdown files with front matter: of Hugo, Jekyll, Astro, Docusaurus, Eleventy, Obsidian and others.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import { decodedUri } from "../../../kv/model/primitives/decoded_uri.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { slugify } from "../../../kv/model/values/slug.ts";
import { TRANSFER_VALUE_CHARS_MAX } from "../../../kv/limits/transfers.ts";
import { FileIndex } from "../reading/file_index.ts";
import type { ReadableFile, SourceRow } from "../reading/source_file.ts";
import { wholeText } from "../reading/text_stream.ts";
import { plainMarkdown } from "../text/markdown.ts";
import { markdownParts } from "../text/markdown_code.ts";
import {
  hasExtension,
  noteLanguage,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
  withTranslations,
} from "./format.ts";
import { type KnownField, withFields } from "./plan_fields.ts";

/** Aliases that the YAML of a file may repeat. */
const ALIASES = 100;
const EXTENSIONS = ["md", "mdx", "markdown", "mdown"];
/** Folders that hold content and are not part of its name. */
const ROOTS = /^(?:src\/content\/|content\/|src\/pages\/|src\/posts\/|source\/|docs\/|src\/)/;
const IMAGE_NAMES =
  /^(?:image|cover|thumbnail|thumb|hero|heroImage|banner|featured_?image|coverImage|og_?image|picture|photo)$/i;
const LANGUAGE = /\.([a-z]{2}(?:-[a-zA-Z]{2,4})?)\.(?:md|mdx|markdown|mdown)$/;

/** Reads folders of Markdown. */
export const markdown: TransferFormat = {
  kind: "markdown",
  matches: (files) => files.some((file) => hasExtension(file, ...EXTENSIONS)),
  read: readFolder,
  adjust: adjustPlan,
};

async function* readFolder({ files, facts }: ReadScope): AsyncGenerator<SourceRow> {
  const pages = files.filter((file) => hasExtension(file, ...EXTENSIONS));
  const root = commonRoot(files.map(({ path }) => path));
  const placed = pages.map((file) => ({ file, place: placeOf(file.path.slice(root.length)) }));
  const byPath = new Map(placed.map(({ file, place }) => [file.path, place]));
  const scope: FolderScope = { files: new FileIndex(files), byPath };
  const originals = new Set(
    placed.filter(({ place }) => place.language === null).map(({ file }) => plainPath(file.path)),
  );
  const translations = Map.groupBy(
    placed.filter(({ place }) => place.language !== null),
    ({ file }) => plainPath(file.path),
  );
  facts.sourceKey ??= `${root.replace(/\/$/, "") || "folder"}:markdown`;
  for (const { file, place } of placed) {
    if (place.language !== null) noteLanguage(facts, place.language);
    const own = translations.get(plainPath(file.path)) ?? [];
    const isAlone = !originals.has(plainPath(file.path)) && own[0]?.file === file;
    if (place.language !== null && !isAlone) continue;
    facts.names[place.source] ??= place.source;
    const row = await rowOf(file, place, scope);
    const others: Record<string, JsonObject> = {};
    for (const { file: other, place } of own) {
      if (other === file || place.language === null) continue;
      others[place.language] = (await rowOf(other, place, scope)).data;
    }
    yield row.problem === undefined ? { ...row, data: withTranslations(row.data, others) } : row;
  }
}

/** A path without its language and extension, which a file and its translations have in common. */
function plainPath(path: string): string {
  return path.replace(LANGUAGE, ".md").replace(/\.\w+$/, "");
}

/** Where a file belongs. */
interface Place {
  source: string;
  slug: string;
  date: string | null;
  isDraft: boolean;
  language: string | null;
}

/** The folder that everything is in. */
function commonRoot(paths: readonly string[]): string {
  const [first = ""] = paths;
  const top = first.split("/")[0] ?? "";
  const isContent = /^(?:content|_posts|docs|src|posts)$/.test(top);
  const isCommon = first.includes("/") && !isContent &&
    paths.every((path) => path.startsWith(`${top}/`));
  return isCommon ? `${top}/` : "";
}

/** A heading of level one. */
const HEADING = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m;

function placeOf(path: string): Place {
  const language = LANGUAGE.exec(path)?.[1] ?? null;
  const plain = plainPath(path.replace(ROOTS, ""));
  const folders = plain.split("/");
  const name = folders.pop() ?? "page";
  const isIndex = name === "index" || name === "_index" || /^readme$/i.test(name);
  const own = isIndex ? folders.pop() ?? "home" : name;
  const [folder = "pages"] = folders.map((one) => one.replace(/^_/, ""));
  const dated = /^(\d{4}-\d{2}-\d{2})-(.+)$/.exec(own);
  return {
    source: folder === "drafts" ? "posts" : folder,
    slug: slugify(dated?.[2] ?? own),
    date: dated?.[1] ?? null,
    isDraft: path.includes("_drafts/"),
    language,
  };
}

/** The first heading of level one as the title, and the body without it; null if there is none outside of code. */
function headed(markdown: string): { title: string; body: string } | null {
  const masked = markdownParts(markdown)
    .map(({ text, kind }) => kind === "fence" ? text.replace(/[^\n]/g, " ") : text).join("");
  const found = HEADING.exec(masked);
  const title = plainMarkdown(found?.[1] ?? "");
  if (found === null || title === "") return null;
  const rest = markdown.slice(found.index + found[0].length);
  return { title, body: markdown.slice(0, found.index) + rest };
}

interface FolderScope {
  files: FileIndex<ReadableFile>;
  byPath: ReadonlyMap<string, Place>;
}

async function rowOf(file: ReadableFile, place: Place, scope: FolderScope): Promise<SourceRow> {
  const text = (await wholeText(file, 2 * TRANSFER_VALUE_CHARS_MAX)).replace(/^\ufeff/, "");
  const { source, slug, date } = place;
  try {
    const { front, body: whole } = await splitFrontMatter(text);
    const { title, body } = typeof front.title === "string" && front.title.trim() !== ""
      ? { title: front.title, body: whole }
      : headed(whole) ?? { title: slug, body: whole };
    const isDraft = place.isDraft || front.draft === true || front.published === false;
    const { title: _, slug: given, draft: _draft, published: _published, ...rest } = front;
    const data: JsonObject = {
      ...withImages(rest, file, scope),
      title,
      slug: typeof given === "string" && given !== "" ? given : slug,
      status: isDraft ? "draft" : "published",
      publishedAt: (typeof front.date === "string" ? front.date : null) ?? date,
      body: withPaths(body, file, scope),
      _addresses: addressesOf(front, source, slug),
    };
    return { source, id: file.path, data };
  } catch (error) {
    const message = `The front matter cannot be read: ${(error as Error).message.slice(0, 200)}`;
    return {
      source,
      id: file.path,
      data: {},
      problem: { path: "", code: "BODY_INVALID", message },
    };
  }
}

function addressesOf(
  { permalink, url, aliases }: JsonObject,
  source: string,
  slug: string,
): string[] {
  const given = [permalink, url, ...Array.isArray(aliases) ? aliases : []]
    .filter((one): one is string =>
      typeof one === "string" && one.startsWith("/") && !one.includes(":")
    );
  return [...new Set([...given, `/${source}/${slug}/`])];
}

/** The front matter of a text, and what is below it. */
async function splitFrontMatter(text: string): Promise<{ front: JsonObject; body: string }> {
  const [, fence, given = "", body = ""] =
    /^(---|\+\+\+|;;;)[ \t]*\r?\n([\s\S]*?)(?:\r?\n)?\1[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text) ??
      [];
  if (fence === undefined) return { front: {}, body: text };
  const value = fence === "---"
    ? (await import("yaml")).parse(given, { maxAliasCount: ALIASES, logLevel: "silent" })
    : fence === "+++"
    ? (await import("smol-toml")).parse(given)
    : JSON.parse(given);
  // Dates and other objects of the parsers become texts.
  const front = JSON.parse(JSON.stringify(value ?? {})) as Json;
  return { front: isJsonObject(front) ? front : {}, body };
}

/** The path of a file of the archive that a text names; null if there is none. */
function resolved(target: string, file: ReadableFile, { files }: FolderScope): string | null {
  if (/^(?:[a-z]+:|\/\/|#)/i.test(target)) return null;
  const clean = decodedUri(target.split(/[?#]/)[0] ?? "");
  const folder = file.path.split("/").slice(0, -1);
  for (const part of clean.split("/")) {
    if (part === "..") folder.pop();
    else if (part !== "." && part !== "") folder.push(part);
  }
  const path = clean.startsWith("/") ? clean.slice(1) : folder.join("/");
  return files.find(path)?.path ?? null;
}

/** Front matter with the images that it names as files of the archive. */
function withImages(front: JsonObject, file: ReadableFile, scope: FolderScope): JsonObject {
  return Object.fromEntries(
    Object.entries(front).map(([name, value]) => {
      const isPath = typeof value === "string" && /\.(?:jpe?g|png|gif|webp|avif)$/i.test(value);
      const path = isPath ? resolved(value, file, scope) : null;
      return [name, path === null ? value : `archive:${path}`];
    }),
  );
}

/** Markdown with its relative images as files of the archive, and links to other files as paths of the site. */
function withPaths(body: string, file: ReadableFile, scope: FolderScope): string {
  const replace = (target: string, isImage: boolean): string => {
    const path = resolved(target, file, scope);
    if (path === null) return target;
    const page = scope.byPath.get(path);
    if (page !== undefined && !isImage) return `/${page.source}/${page.slug}`;
    return page === undefined ? `archive:${encodeURI(path)}` : target;
  };
  return body
    .replace(/!\[\[([^\]|]+)(?:\|[^\]]*)?\]\]/g, (_, name) => `![](${replace(name.trim(), true)})`)
    .replace(
      /\[\[([^\]|#]+)(?:#[^\]|]*)?(?:\|([^\]]*))?\]\]/g,
      (_, name: string, label?: string) => {
        const target = replace(`${name.trim()}.md`, false);
        return `[${label ?? name}](${target.endsWith(".md") ? `#${slugify(name)}` : target})`;
      },
    )
    .replace(
      /(!?)\[([^\]]*)\]\(\s*<?([^)\s>]+)>?(\s+["'][^)]*)?\)/g,
      (whole, mark, label, target, title = "") => {
        const next = replace(target, mark === "!");
        return next === target ? whole : `${mark}[${label}](${next}${title})`;
      },
    )
    .replace(
      /(<img\b[^>]*?\bsrc=["'])([^"']+)/gi,
      (_, before, target) => before + replace(target, true),
    );
}

function adjustPlan(plan: Plan, { shapes }: PlanScope): Plan {
  const collections = plan.collections.map((collection): PlanCollection => {
    const known: Record<string, KnownField> = {
      body: { type: "rich_text", convert: "markdown" },
      _addresses: null,
      date: null,
      publishedAt: null,
      aliases: null,
    };
    for (const [name, stats] of shapes.get(collection.source)?.fields ?? []) {
      const counts = [...stats.counts?.keys() ?? []];
      const isImages = counts.length > 0 &&
        counts.every((value) => /^archive:|^https?:.*\.(?:jpe?g|png|gif|webp|avif)$/i.test(value));
      if (IMAGE_NAMES.test(name) && isImages) known[name] = { type: "media" };
    }
    const adjusted = {
      ...collection,
      title: "title",
      slug: "slug",
      publishedAt: "publishedAt",
      sourceId: null,
    };
    return withFields(adjusted, known);
  });
  return { ...plan, collections };
}
