/**
 * What a content of WordPress and a rich text have: their words, images, lists, tables. Content is read with regular
 * expressions alone, unlike a transfer reads it.
 *
 * @module
 */
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";

/** What is compared of a content: how often each thing occurs, and all words in their order. */
export interface ContentFacts {
  words: string[];
  images: string[];
  links: string[];
  headings: string[];
  items: Record<"bullet" | "number", number>;
  rows: number[];
  embeds: number;
  codes: number;
  quotes: number;
}

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", hellip: "…", mdash: "—" },
  ...{ ndash: "–", ldquo: "“", rdquo: "”", lsquo: "‘", rsquo: "’", copy: "©", laquo: "«" },
  ...{ raquo: "»", eacute: "é", uuml: "ü", euro: "€", trade: "™", reg: "®" },
};

function decoded(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, number, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? whole;
    return String.fromCodePoint(number === undefined ? parseInt(hex, 16) : Number(number));
  });
}

/** A text without its tags. */
export function withoutTags(html: string): string {
  return decoded(html.replace(/<[^>]*>/g, ""));
}

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return decoded(text).normalize("NFC").match(/[\p{L}\p{N}]+/gu) ?? [];
}

const count = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].length;

/** Lines that are the address of a player alone. */
const PLAYER_LINE =
  /^[ \t]*https?:\/\/(?:www\.)?(?:youtube\.com|youtu\.be|vimeo\.com)\/[^\s<>"]+[ \t]*$/gm;
/** Embeds, by the address in the attributes of their block. */
const EMBED_BLOCK =
  /<!-- wp:(?:core-)?embed[\w/-]* (\{.*?\}) -->([\s\S]*?)<!-- \/wp:(?:core-)?embed[\w/-]* -->/g;
const PLAYERS = /youtu\.?be|vimeo\.com|open\.spotify\.com/;

/** An image of a gallery, with the caption that it has in the library. */
export interface GalleryImage {
  url: string;
  caption: string;
}

/** What a content of WordPress has; `galleries` answers the images of a gallery by its attributes. */
export function factsOfHtml(
  content: string,
  galleries: (attributes: string) => GalleryImage[] = () => [],
): ContentFacts {
  const html = content
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(EMBED_BLOCK, (_, attributes, inner) => {
      const { url } = JSON.parse(attributes);
      const [, caption = ""] = /<figcaption[^>]*>([\s\S]*?)<\/figcaption>/.exec(inner) ?? [];
      if (PLAYERS.test(url)) return ` ⟦embed⟧ ${caption} `;
      return `<p><a href="${url}">${caption || url}</a></p>`;
    })
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/wp-block-cover[^>]*background-image:\s*url\(([^)]+)\)[^>]*>/g, '"><img src="$1">')
    .replace(PLAYER_LINE, "⟦embed⟧")
    .replace(/\[(?:audio|video)\b[^\]]*?(https?:[^\s"'\]]+)[^\]]*\]/gi, film)
    .replace(/<(?:audio|video)\b[^>]*?src="([^"]+)"[^>]*>/gi, film)
    .replace(
      /\[gallery\b([^\]]*)\]/gi,
      (_, attributes) =>
        galleries(attributes).map(({ url, caption }) =>
          `<img src="${url}"><figcaption>${caption}</figcaption>`
        ).join(""),
    );
  const outer = html.replace(/<pre\b[\s\S]*?<\/pre>/gi, "⟦code⟧");
  const images = attributesOf(outer, "img", "src").map(fileOf);
  const { items, rows } = listsOf(outer);
  const text = html
    .replace(/⟦embed⟧/g, " ")
    .replace(/\[\/?caption[^\]]*\]/gi, " ")
    .replace(BREAKS, " ")
    .replace(/<a\b[^>]*wp-block-file__button/g, " $&")
    .replace(/<[^>]*>/g, "");
  return {
    words: wordsOf(text),
    images,
    links: distinct(
      attributesOf(outer.replace(/<a\b[^>]*>\s*<img\b[^>]*>\s*<\/a>/gi, ""), "a", "href"),
    ),
    headings: [...outer.matchAll(/<(h[1-6])\b/gi)].map(([, name = ""]) => name.toLowerCase()),
    items,
    rows,
    embeds: count(outer, /⟦embed⟧/g) + count(outer, /<iframe\b/gi),
    codes: count(outer, /⟦code⟧/g),
    quotes: count(outer, /<blockquote\b/gi),
  };
}

/** Addresses once each: spans of one paragraph share them. */
function distinct(links: readonly string[]): string[] {
  return [...new Set(links)];
}

/** Elements between whose texts there is a break. */
const BREAKS =
  /<\/?(?:p|div|h[1-6]|li|ul|ol|td|th|tr|br|blockquote|dt|dd|pre|figcaption|address|img)\b[^>]*>/gi;

/** A film or sound is a link with the name of its file. */
function film(_: string, src: string): string {
  return `<p><a href="${src}">${src.split("/").at(-1)}</a></p>`;
}

function attributesOf(html: string, tag: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`<${tag}\\b[^>]*?\\s${name}=(["'])(.*?)\\1`, "gis"))]
    .map(([, , value = ""]) => decoded(value).trim());
}

/** The items of lists with words in them, by kind, and the rows of tables. */
function listsOf(html: string): Pick<ContentFacts, "items" | "rows"> {
  const items = { bullet: 0, number: 0 };
  const open: ("bullet" | "number")[] = [];
  // Galleries are lists of images.
  const plain = html.replace(/<li\b[^>]*>\s*<figure[\s\S]*?<\/li>/gi, "");
  for (const [, close, name = ""] of plain.matchAll(/<(\/?)(ul|ol|li)\b[^>]*>/gi)) {
    const tag = name.toLowerCase();
    if (tag === "li" && close === "") items[open.at(-1) ?? "bullet"] += 1;
    if (tag === "li") continue;
    if (close === "/") open.pop();
    else open.push(tag === "ol" ? "number" : "bullet");
  }
  const tables = [...html.matchAll(/<table\b[\s\S]*?<\/table>/gi)];
  return { items, rows: tables.map(([table]) => count(table, /<tr\b/gi)) };
}

/** The name of a file, without the size that WordPress adds. */
function fileOf(address: string): string {
  const name = address.split(/[?#]/)[0]?.split("/").at(-1) ?? address;
  return name.replace(/-\d{1,5}x\d{1,5}(?=\.\w{3,4}$)/, "");
}

/** What a rich text has; `files` are the names of media by their ids. */
export function factsOfBlocks(blocks: Json, files: ReadonlyMap<string, string>): ContentFacts {
  const facts: ContentFacts = {
    words: [],
    images: [],
    links: [],
    headings: [],
    items: { bullet: 0, number: 0 },
    rows: [],
    embeds: 0,
    codes: 0,
    quotes: 0,
  };
  addBlocks(facts, blocks, files);
  return { ...facts, links: distinct(facts.links) };
}

function addBlocks(facts: ContentFacts, value: Json, files: ReadonlyMap<string, string>): void {
  let wasQuote = false;
  for (const block of Array.isArray(value) ? value.filter(isJsonObject) : []) {
    const { _type, style, listItem } = block;
    if (_type === "block") {
      if (listItem === "bullet" || listItem === "number") facts.items[listItem] += 1;
      else if (/^h[1-6]$/.test(String(style))) facts.headings.push(String(style));
      const isQuote = style === "blockquote";
      if (isQuote && !wasQuote) facts.quotes += 1;
      wasQuote = isQuote;
      addSpans(facts, block);
      continue;
    }
    wasQuote = false;
    if (_type === "image") {
      facts.images.push(fileOf(files.get(String(block.media)) ?? String(block.src ?? "")));
      facts.words.push(...wordsOf(String(block.caption ?? "")));
    } else if (_type === "embed") {
      facts.embeds += 1;
      facts.words.push(...wordsOf(String(block.title ?? "")));
    } else if (_type === "code") {
      facts.codes += 1;
      facts.words.push(...wordsOf(String(block.code)));
    } else if (_type === "table") addTable(facts, block, files);
    else for (const name of ["content", "blocks"]) addBlocks(facts, block[name] ?? null, files);
  }
}

function addSpans(facts: ContentFacts, { children, markDefs }: JsonObject): void {
  const text = (Array.isArray(children) ? children : []).map((one) =>
    isJsonObject(one) && typeof one.text === "string" ? one.text : " "
  );
  facts.words.push(...wordsOf(text.join("")));
  for (const mark of Array.isArray(markDefs) ? markDefs : []) {
    if (isJsonObject(mark) && typeof mark.href === "string") facts.links.push(mark.href);
  }
}

function addTable(
  facts: ContentFacts,
  { rows, caption }: JsonObject,
  files: ReadonlyMap<string, string>,
): void {
  const list = Array.isArray(rows) ? rows.filter(isJsonObject) : [];
  facts.rows.push(list.length);
  facts.words.push(...wordsOf(String(caption ?? "")));
  for (const { cells } of list) {
    for (const cell of Array.isArray(cells) ? cells : []) {
      if (!isJsonObject(cell)) facts.words.push(...wordsOf(String(cell)));
      else addBlocks(facts, cell.content ?? cell.value ?? null, files);
    }
  }
}
