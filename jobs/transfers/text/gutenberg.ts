/**
 * Content of WordPress as Portable Text: HTML whose comments delimit blocks, or, from before there were blocks, HTML
 * whose empty lines separate paragraphs.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { parseJson } from "../reading/json_text.ts";
import { type HtmlConverter, type HtmlPlace, htmlToBlocks } from "./html.ts";
import type { ConvertedText, ConvertScope, SourceImage } from "./rich_text_builder.ts";

const DELIMITER = /^\s*(\/)?wp:([a-z][\w/-]*)\s*(\{[\s\S]*\})?\s*(\/)?\s*$/;

/** Blocks that say nothing by themselves. */
const SILENT: ReadonlySet<string> = new Set([
  ...["more", "nextpage", "spacer", "page-list", "site-title", "navigation", "template-part"],
]);

/** Blocks whose HTML says everything. */
const KNOWN: ReadonlySet<string> = new Set([
  ...[
    "paragraph",
    "heading",
    "list",
    "list-item",
    "quote",
    "pullquote",
    "image",
    "gallery",
    "code",
  ],
  ...["preformatted", "verse", "table", "columns", "column", "group", "cover", "media-text"],
  ...["buttons", "button", "separator", "audio", "video", "file", "details", "freeform", "html"],
  ...["missing", "classic", "text-columns", "subhead", "block", "embed", "shortcode"],
]);

/** A reusable block or a pattern in the place where it is shown. */
const REUSED = /<!-- wp:(?:core\/)?(?:block|pattern) (\{.*?\}) \/-->/g;

/** The second link of a block for a file, which repeats the first. */
const DOWNLOAD_BUTTONS = /<a\b[^>]*\bwp-block-file__button\b[^>]*>[^<]*<\/a>/g;

/** Reusable blocks inside one another. */
const REUSED_DEPTH = 5;

/** Converts the content of a post. */
export function gutenbergToBlocks(
  content: string,
  scope: ConvertScope = {},
  depth = 0,
): ConvertedText {
  const hasBlocks = content.includes("<!-- wp:");
  const expanded = expandedBlocks(content, scope, depth);
  const blocks = withPlayers(expanded).replace(DOWNLOAD_BUTTONS, "");
  const html = withoutShortcodes(withCovers(blocks), scope);
  const state: BlockState = { html, skipped: [], unknown: new Set(), open: null };
  const converted = htmlToBlocks(html, {
    paragraphsByLines: !hasBlocks,
    onComment: (converter, comment, place) => onDelimiter(converter, comment, state, place),
  });
  const warnings = [...converted.warnings];
  for (const name of state.unknown) {
    warnings.push(`The block ${name} is kept as its text, and as HTML, which is not shown`);
  }
  for (const [name] of html.matchAll(/\[[a-z][\w-]*(?:\s[^\]<>]*)?\](?!\()/g)) {
    warnings.push(`The shortcode ${name.slice(0, 80)} is kept as text`);
  }
  return { blocks: converted.blocks, warnings: [...new Set(warnings)].slice(0, 20) };
}

/** What is known of the blocks around a place. */
interface BlockState {
  html: string;
  /** Blocks that are left out, from the outermost. */
  skipped: string[];
  /** The names of blocks that are not known. */
  unknown: Set<string>;
  /** The outermost block that is not known, how many of its name are open, and where it begins. */
  open: { name: string; depth: number; start: number } | null;
}

function onDelimiter(
  converter: HtmlConverter,
  comment: string,
  state: BlockState,
  { start, end }: HtmlPlace,
): void {
  const { skipped, unknown } = state;
  const [, closes, given = "", text, isVoid] = DELIMITER.exec(comment) ?? [];
  if (given === "") return;
  const name = given.replace(/^core\//, "");
  const base = name.replace(/^core-embed\/.*/, "embed");
  if (closes !== undefined) {
    if (skipped.length === 0) return closeUnknown(converter, state, name, end);
    if (skipped.at(-1) !== name) return;
    skipped.pop();
    if (skipped.length === 0) converter.resume();
    return;
  }
  if (skipped.length > 0) {
    if (isVoid === undefined && skipped.at(-1) === name) skipped.push(name);
    return;
  }
  const attributes = attributesOf(text);
  if (base === "embed" && typeof attributes.url === "string") {
    converter.builder.embed(attributes.url);
    return skip(converter, skipped, name, isVoid);
  }
  if (SILENT.has(base)) return skip(converter, skipped, name, isVoid);
  if (KNOWN.has(base)) return;
  if (isVoid === undefined) {
    unknown.add(name);
    if (state.open === null) state.open = { name, depth: 1, start };
    else if (state.open.name === name) state.open.depth += 1;
    return;
  }
  converter.builder.raw(`<!--${comment}-->`, `The block ${name}`);
}

/** Keeps a block that is not known as it came, after its text. */
function closeUnknown(
  converter: HtmlConverter,
  state: BlockState,
  name: string,
  end: number,
): void {
  const { open, html } = state;
  if (open?.name !== name) return;
  open.depth -= 1;
  if (open.depth > 0) return;
  state.open = null;
  converter.builder.object({ _type: "html", html: html.slice(open.start, end) });
}

function skip(
  converter: HtmlConverter,
  skipped: string[],
  name: string,
  isVoid: string | undefined,
): void {
  if (isVoid !== undefined) return;
  skipped.push(name);
  converter.pause();
}

/** The attributes of a block; `\u0022` in them is a quote of its JSON, like every other escape. */
function attributesOf(text: string | undefined): JsonObject {
  const value = text === undefined ? undefined : parseJson(text);
  return isJsonObject(value) ? value : {};
}

/** Content with its reusable blocks and patterns in their places, if the source has them. */
function expandedBlocks(content: string, scope: ConvertScope, depth: number): string {
  if (depth >= REUSED_DEPTH || scope.reusable === undefined) return content;
  return content.replace(REUSED, (whole, text) => {
    const { ref, slug } = attributesOf(text);
    const name = String(ref ?? slug ?? "");
    // A pattern is named with the theme or plugin that it belongs to.
    const reused = [name, name.split("/").at(-1) ?? name]
      .map((one) => scope.reusable?.(one) ?? null).find((found) => found !== null);
    return reused === undefined || reused === null
      ? whole
      : expandedBlocks(reused, scope, depth + 1);
  });
}

/** Content whose embeds are players with their captions as titles. */
function withPlayers(content: string): string {
  return content.replace(
    /<!-- wp:(?:core\/)?(embed|core-embed\/[\w-]+) (\{.*?\}) -->([\s\S]*?)<!-- \/wp:(?:core\/)?\1 -->/g,
    (whole, _name, text, inner: string) => {
      const { url } = attributesOf(text);
      if (typeof url !== "string" || !/^https?:/.test(url)) return whole;
      const [, caption = ""] = /<figcaption[^>]*>([\s\S]*?)<\/figcaption>/.exec(inner) ?? [];
      return player(url, caption.replace(/<[^>]*>/g, "").trim());
    },
  );
}

/** Content whose covers have their backgrounds as images. */
function withCovers(content: string): string {
  return content.replace(
    /<\w+\b[^>]*\bwp-block-cover(?:__image-background)?(?=[\s"])[^>]*\bbackground-image:\s*url\((?:&quot;|&#039;|')?([^)"']+?)(?:&quot;|&#039;|')?\)[^>]*>/g,
    (whole, src) => `${whole}<img src="${src}">`,
  );
}

/** The shortcodes of WordPress itself as HTML. */
function withoutShortcodes(content: string, scope: ConvertScope): string {
  return content
    .replace(
      /\[caption[^\]]*\]\s*((?:<a\b[^>]*>)?\s*<img\b[^>]*>\s*(?:<\/a>)?)([\s\S]*?)\[\/caption\]/gi,
      (_, image, caption) => `<figure>${image}<figcaption>${caption.trim()}</figcaption></figure>`,
    )
    .replace(/\[embed[^\]]*\]\s*(\S+?)\s*\[\/embed\]/gi, (_, url) => player(url))
    .replace(
      /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*$/gm,
      (whole, url) =>
        /youtu\.?be|vimeo\.com|open\.spotify\.com|soundcloud\.com/.test(url) ? player(url) : whole,
    )
    .replace(
      /\[(?:audio|video)\s+(https?:\/\/[^\s\]]+)[^\]]*\](?:\[\/\w+\])?/gi,
      (_, src) => `<video src="${src}"></video>`,
    )
    .replace(/\[gallery([^\]]*)\]/gi, (_, attributes: string) => gallery(attributes, scope))
    .replace(
      /\[(?:audio|video)\b[^\]]*?(?:src|mp3|mp4|ogg)=["']([^"']+)["'][^\]]*\](?:\[\/\w+\])?/gi,
      (_, src) => `<video src="${src}"></video>`,
    );
}

/** The images of a gallery: those that it names, or all that were uploaded to a post. */
function gallery(attributes: string, scope: ConvertScope): string {
  const valueOf = (name: string) =>
    new RegExp(`\\b${name}=["']?([\\d,\\s]+)`, "i").exec(attributes)?.[1]?.split(",")
      .map((id) => id.trim()) ?? null;
  const [post = ""] = valueOf("id") ?? [];
  const excluded = valueOf("exclude") ?? [];
  const ids = valueOf("ids") ?? valueOf("include") ??
    (scope.attached?.(post) ?? []).filter((id) => !excluded.includes(id));
  return ids.map((id) => imageOf(scope.attachment?.(id) ?? null)).join("");
}

/** An attachment as an image with the caption that it has in the library. */
function imageOf(asset: SourceImage | null): string {
  if (asset === null) return "";
  const { url, alt = "", caption = "" } = asset;
  const image = `<img src="${url.replaceAll('"', "%22")}" alt="${escaped(alt)}">`;
  if (caption === "") return image;
  return `<figure>${image}<figcaption>${escaped(caption)}</figcaption></figure>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

function player(url: string, title = ""): string {
  const src = url.replaceAll("&amp;", "&").replaceAll('"', "%22");
  return `<iframe src="${src}" title="${title.replaceAll('"', "&quot;")}"></iframe>`;
}
