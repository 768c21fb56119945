/**
 * Objects in rich text, in the shapes that `@portabletext/markdown` creates from Markdown: code, tables,
 * callouts and rules; also players of other services. A block type of the same name takes precedence. Every
 * object is parsed and rebuilt, so that no unknown shape reaches a renderer.
 *
 * @module
 */
import { embedOf } from "../../../kv/model/values/embed.ts";
import { isJsonObject } from "../../../kv/model/values/json_object.ts";
import { RICH_TEXT_OBJECT_DEPTH_MAX, TABLE_CELLS_MAX } from "../../limits.ts";
import { safeLink } from "../views/link.ts";
import { markdownTarget } from "./markdown.ts";
import { escapeMarkup, printable } from "../markup.ts";

/** A part of a Portable Text value after the check of its shape. */
export type Node = { _type: string; [name: string]: unknown };

/** Checks the nested blocks of an object at a depth. */
type CheckBlocks = (value: unknown, depth: number) => Node[];
/** The markup of blocks; the only paragraph of a cell has no element. */
type RenderBlocks = (blocks: Node[], isCell: boolean) => string;

/** Tones of a callout, which are also the names of the words for them. */
const TONES = ["note", "tip", "important", "warning", "caution"] as const;
type Tone = typeof TONES[number];
/** The labels of the tones in a language. */
export type ToneWords = Readonly<Record<Tone, string>>;
/** The context of rendering objects. */
interface Scope {
  words: ToneWords;
  embedHosts: readonly string[];
}
const LANGUAGE = /^[\w+#.-]{1,40}$/;

/** A supported object with checked contents; null for any other. */
export function checkedObject(node: Node, depth: number, check: CheckBlocks): Node | null {
  if (depth > RICH_TEXT_OBJECT_DEPTH_MAX) return null;
  switch (node._type) {
    case "code":
      return typeof node.code === "string" ? codeOf(node.code, node.language) : null;
    case "horizontal-rule":
      return { _type: "horizontal-rule" };
    case "callout":
      return calloutOf(node, (value) => check(value, depth + 1));
    case "table":
      return tableOf(node, (value) => check(value, depth + 1));
    case "embed":
      return embedNode(node);
    default:
      return null;
  }
}

/** A block of code. */
export function codeOf(code: string, language: unknown = ""): Node {
  const known = typeof language === "string" && LANGUAGE.test(language) ? language : "";
  return { _type: "code", code: printable(code).replace(/\n+$/, ""), language: known };
}

function calloutOf({ tone, content }: Node, check: (value: unknown) => Node[]): Node {
  const known = TONES.find((one) => one === tone) ?? "note";
  // The converter quotes what stands in it, which the frame says already.
  const blocks = check(content).map((block) =>
    block.style === "blockquote" ? { ...block, style: "normal" } : block
  );
  return { _type: "callout", tone: known, content: blocks };
}

/** An embed; a URL of a host that is not allowed becomes a link. */
function embedNode({ url, title }: Node): Node | null {
  const link = safeLink(url);
  if (link === null || !/^https?:/.test(link)) return null;
  const words = typeof title === "string" ? printable(title).trim() : "";
  return { _type: "embed", url: link, title: words };
}

/** A player has the address as a link below it: for print, for feeds, and where frames are off. */
function embedHtml({ url, title }: Node, _render: RenderBlocks, { embedHosts }: Scope): string {
  const embed = embedOf(url, embedHosts);
  const href = escapeMarkup(String(url));
  const words = escapeMarkup(String(title || embed?.name || url));
  const link = `<a href="${href}" rel="noopener">${words}</a>`;
  if (embed === null) return `<p>${link}</p>`;
  return `<figure class="embed ${embed.shape}"><iframe src="${escapeMarkup(embed.frame)}" ` +
    `title="${words}" loading="lazy" allowfullscreen ` +
    'referrerpolicy="strict-origin-when-cross-origin" ' +
    'sandbox="allow-scripts allow-same-origin allow-popups allow-presentation"></iframe>' +
    `<figcaption>${link}</figcaption></figure>`;
}

function tableOf({ rows, headerRows }: Node, check: (value: unknown) => Node[]): Node | null {
  let left = TABLE_CELLS_MAX;
  const checked = listOf(rows).filter(isJsonObject).map(({ cells }) => {
    const kept = listOf(cells).slice(0, Math.max(0, left));
    left -= kept.length;
    return { _type: "row", cells: kept.map((cell) => cellOf(cell, check)) };
  }).filter(({ cells }) => cells.length > 0);
  if (checked.length === 0) return null;
  return { _type: "table", headerRows: headerRows === 1 ? 1 : 0, rows: checked };
}

/** A cell holds blocks; tables of other editors hold text. */
function cellOf(cell: unknown, check: (value: unknown) => Node[]): Node {
  if (typeof cell === "string") {
    const children = [{ _type: "span", text: cell, marks: [] }];
    return { _type: "cell", value: check([{ _type: "block", style: "normal", children }]) };
  }
  return { _type: "cell", value: isJsonObject(cell) ? check(cell.value) : [] };
}

/** The markup of each object type. Wide content scrolls separately, also with the keyboard. */
export const OBJECT_HTML: Readonly<
  Record<string, (node: Node, render: RenderBlocks, scope: Scope) => string>
> = {
  code: ({ code, language }) => {
    const kind = language === "" ? "" : ` class="language-${escapeMarkup(String(language))}"`;
    return `<pre tabindex="0"><code${kind}>${escapeMarkup(String(code))}</code></pre>`;
  },
  "horizontal-rule": () => "<hr>",
  embed: embedHtml,
  callout: ({ tone, content }, render, { words }) =>
    `<div class="callout ${tone}" role="note"><p class="tone">${words[tone as Tone]}</p>` +
    `${render(content as Node[], false)}</div>`,
  table: ({ rows, headerRows }, render) => {
    const all = rows as { cells: { value: Node[] }[] }[];
    const row = (tag: string, { cells }: typeof all[number]) =>
      `<tr>${
        cells.map(({ value }) => `<${tag}>${render(value, true)}</${tag.slice(0, 2)}>`).join("")
      }</tr>`;
    const head = all.slice(0, headerRows as number).map((one) => row('th scope="col"', one));
    const body = all.slice(headerRows as number).map((one) => row("td", one));
    return `<div class="table" tabindex="0"><table>` +
      (head.length === 0 ? "" : `<thead>${head.join("")}</thead>`) +
      (body.length === 0 ? "" : `<tbody>${body.join("")}</tbody>`) + "</table></div>";
  },
};

/** An embedded player in Markdown: a link. */
export function embedLink({ url, title }: Node): string {
  const words = String(title || embedOf(url)?.name || url).replace(/[\\[\]]/g, "\\$&");
  return `[${words}](${markdownTarget(String(url))})`;
}

/** Code in Markdown, between fences that are longer than any in it. */
export function fencedCode({ code, language }: Node): string {
  const text = String(code);
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
