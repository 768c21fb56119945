/**
 * Folders of Markdown files with front matter: of Hugo, Jekyll, Astro, Docusaurus, Eleventy, Obsidian and others.
 *
 * @module
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import type { Plan, PlanCollection } from "../../../../kv/model/transfers/plan.ts";
import { isJsonObject, type JsonObject } from "../../../../kv/model/values/json_object.ts";
import { TRANSFER_VALUE_CHARS_MAX } from "../../../../kv/limits/transfers.ts";
import { secondsOf } from "../../mapping/date_text.ts";
import { FileIndex } from "../../reading/file_index.ts";
import type { ReadableFile, SourceRow } from "../../reading/source_file.ts";
import { wholeText } from "../../reading/text_stream.ts";
import { plainMarkdown } from "../../text/markdown.ts";
import { markdownParts } from "../../text/markdown_code.ts";
import {
  hasExtension,
  noteLanguage,
  type PlanScope,
  type ReadScope,
  type TransferFormat,
  withTranslations,
} from "../format.ts";
import { type KnownField, withFields } from "../plan_fields.ts";
import { splitFrontMatter } from "./front_matter.ts";
import { fileAt, type FolderScope, withPaths } from "./markdown_links.ts";
import { commonRoot, jekyllAddresses, type Place, placeOf } from "./markdown_place.ts";

const EXTENSIONS = ["md", "mdx", "markdown", "mdown"];
const IMAGE_NAMES =
  /^(?:image|cover|thumbnail|thumb|hero|heroImage|banner|featured_?image|coverImage|og_?image|picture|photo)$/i;
/** Names of the time of publication, the first choice first. */
const DATES = ["date", "publishDate", "pubDate", "publishedAt", "published_at", "published"];
/** States that front matter can name. */
const STATUS = /^(?:draft|private|pending|archived?|scheduled|published)$/i;
/** Keys that say that a page is not public, and the value that does. */
const HIDDEN = [["draft", true], ["private", true], ["published", false], [
  "publish",
  false,
]] as const;

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
    placed.filter(({ place }) => place.language === null).map(({ place }) => place.key),
  );
  const translations = Map.groupBy(
    placed.filter(({ place }) => place.language !== null),
    ({ place }) => place.key,
  );
  // Without a folder of its own, a source is known by the name of its archive.
  if (root !== "") facts.sourceKey ??= `${root.replace(/\/$/, "")}:markdown`;
  for (const { file, place } of placed) {
    if (place.language !== null) noteLanguage(facts, place.language);
    const own = translations.get(place.key) ?? [];
    const isAlone = !originals.has(place.key) && own[0]?.file === file;
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

/** A heading of level one. */
const HEADING = /^#[ \t]+(.+?)[ \t]*#*[ \t]*$/m;

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

async function rowOf(file: ReadableFile, place: Place, scope: FolderScope): Promise<SourceRow> {
  const text = (await wholeText(file, 2 * TRANSFER_VALUE_CHARS_MAX)).replace(/^\ufeff/, "");
  const { source, slug, date } = place;
  try {
    const { front, body: whole } = await splitFrontMatter(text);
    const { title, body } = typeof front.title === "string" && front.title.trim() !== ""
      ? { title: front.title, body: whole }
      : headed(whole) ?? { title: place.title, body: whole };
    const dated = DATES.find((name) => secondsOf(textOf(front[name])) !== null);
    const { title: _, slug: given, draft: _draft, ...own } = front;
    const rest = Object.entries(own).filter(([name, value]) =>
      name !== dated && (name !== "published" || typeof value !== "boolean")
    );
    const isJekyll = file.path.includes("_posts/") || file.path.includes("_drafts/");
    const values = isJekyll ? withLists(Object.fromEntries(rest)) : Object.fromEntries(rest);
    const data: JsonObject = {
      ...withImages(values, file, scope),
      title,
      slug: typeof given === "string" && /[^/]/.test(given) ? given : slug,
      status: statusOf(front, place),
      publishedAt: (dated === undefined ? null : textOf(front[dated])) ?? date,
      body: withPaths(body, file, scope),
      _addresses: addressesOf(front, place, isJekyll ? listOf(values.categories) : null),
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

function statusOf(front: JsonObject, { isDraft }: Place): string {
  if (isDraft || HIDDEN.some(([name, value]) => front[name] === value)) return "draft";
  const { status } = front;
  return typeof status === "string" && STATUS.test(status) ? status : "published";
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function listOf(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** In Jekyll, words with spaces between them are several categories or tags. */
function withLists(front: JsonObject): JsonObject {
  const lists = ["categories", "tags"].flatMap((name): [string, Json][] => {
    const value = front[name];
    return typeof value === "string" ? [[name, value.split(/\s+/).filter(Boolean)]] : [];
  });
  return { ...front, ...Object.fromEntries(lists) };
}

/** The addresses that a page had; `categories` are those of a post of Jekyll. */
function addressesOf(
  { permalink, url, aliases }: JsonObject,
  place: Place,
  categories: string[] | null,
): string[] {
  const given = [permalink, url, ...Array.isArray(aliases) ? aliases : []]
    .filter((one): one is string =>
      typeof one === "string" && one.startsWith("/") && !one.includes(":")
    );
  const posted = categories === null ? [] : jekyllAddresses(place, categories);
  return [...new Set([...given, ...place.addresses, ...posted])];
}

/** Front matter with the images that it names as files of the archive. */
function withImages(front: JsonObject, file: ReadableFile, scope: FolderScope): JsonObject {
  const resolved = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(resolved);
    if (isJsonObject(value)) return withImages(value, file, scope);
    const isPath = typeof value === "string" && /\.(?:jpe?g|png|gif|webp|avif)$/i.test(value);
    const path = isPath ? fileAt(value, file, scope) : null;
    return path === null ? value : `archive:${path}`;
  };
  return Object.fromEntries(
    Object.entries(front).map(([name, value]) => [name, resolved(value)]),
  );
}

function adjustPlan(plan: Plan, { shapes }: PlanScope): Plan {
  const collections = plan.collections.map((collection): PlanCollection => {
    const known: Record<string, KnownField> = {
      body: { type: "rich_text", convert: "markdown" },
      _addresses: null,
      publishedAt: null,
      aliases: null,
    };
    for (const [name, stats] of shapes.get(collection.source)?.fields ?? []) {
      const counts = [...stats.counts?.keys() ?? []];
      const isImages = counts.length > 0 &&
        counts.every((value) => /\.(?:jpe?g|png|gif|webp|avif)(?:[?#].*)?$/i.test(value));
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
