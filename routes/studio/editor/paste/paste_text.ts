/**
 * Pasting plain text: Markdown lines are converted, and a URL becomes a link or an embed.
 *
 * @module
 */
import { Fragment, type Node, Slice } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { RICH_TEXT_LIST_LEVEL_MAX } from "../../../../kv/limits/content.ts";
import { allowedEmbed } from "../objects/embed_hosts.ts";
import { languageOf } from "../objects/code_languages.ts";
import { textNodes } from "./from_portable.ts";
import { LINE_RULES, linkMark, MARK_RULES } from "../input_rules.ts";
import { freshKey } from "../keys.ts";
import { putObject } from "../objects/object_commands.ts";
import { type JsonObject, schema } from "../schema.ts";
import { callout, code, table } from "../objects/text_objects.ts";
import { blockOf } from "./to_portable.ts";

/** Kinds of objects that a text may hold. */
export type Offered = ReadonlySet<string>;

/** Pasted plain text; lines that are Markdown are read as such, as objects those that are `offered`. */
export function readPlainText(text: string, offered: Offered = new Set()): Slice {
  const blocks = blocksOf(text.replace(/\r\n?/g, "\n").split("\n"), offered);
  if (blocks.length === 0) return Slice.empty;
  const [first] = blocks;
  const isWords = blocks.length === 1 && first?.type.name === "textblock" &&
    first.attrs.style === "normal" && first.attrs.listItem === null;
  return new Slice(Fragment.from(blocks), isWords ? 1 : 0, isWords ? 1 : 0);
}

/** One block per line; fenced code, a table and a callout are one block each. */
function blocksOf(lines: readonly string[], offered: Offered): Node[] {
  const blocks: Node[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const run = runAt(lines, at);
    if (run !== null) {
      blocks.push(...run.read(lines.slice(at, run.end), offered));
      at = run.end - 1;
    } else if (DIVIDER.test(line) && offered.has("horizontal-rule")) {
      blocks.push(objectNode({ _type: "horizontal-rule" }));
    } else if (line.trim() !== "") blocks.push(lineBlock(line));
  }
  return blocks;
}

const FENCE = /^\s*(```+|~~~+)\s*([\w+#.-]*)/;
const DIVIDER = /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/;
/** A row of a table in Markdown, and the one that divides its head from its body. */
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const CALLOUT = /^\s*>\s*\[!(note|tip|important|warning|caution)\]\s*$/i;
const QUOTED = /^\s*>/;

/** A group of lines: its end and its block. */
interface Run {
  end: number;
  read: (lines: readonly string[], offered: Offered) => Node[];
}

/** The run that begins at a line; null where none does. */
function runAt(lines: readonly string[], at: number): Run | null {
  const line = lines[at] ?? "";
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) {
    const end = lines.findIndex((other, index) => index > at && other.trim().startsWith(fence));
    return end < 0 ? null : { end: end + 1, read: codeOf };
  }
  const pattern = TABLE_ROW.test(line) ? TABLE_ROW : CALLOUT.test(line) ? QUOTED : null;
  if (pattern === null) return null;
  const behind = lines.findIndex((other, index) => index > at && !pattern.test(other));
  const end = behind < 0 ? lines.length : behind;
  return { end, read: pattern === TABLE_ROW ? tableOf : calloutOf };
}

function codeOf(lines: readonly string[], offered: Offered): Node[] {
  const text = lines.slice(1, -1).join("\n");
  if (text.trim() === "") return [];
  if (!offered.has("code")) return [codeBlock(text)];
  return [objectNode(code(text, languageOf(FENCE.exec(lines[0] ?? "")?.[2] ?? "")))];
}

/** If the field allows no tables, the cells of a row are separated in one line. */
function tableOf(lines: readonly string[], offered: Offered): Node[] {
  const rows = lines.filter((line) => !TABLE_RULE.test(line)).map(cellsOf);
  if (!offered.has("table")) return rows.map(rowBlock);
  const hasHead = lines.length > 1 && TABLE_RULE.test(lines[1] ?? "");
  const values = rows.map((cells) => cells.map((cell) => cellBlocks(inlineNodes(cell))));
  return [objectNode(table(values, hasHead ? 1 : 0))];
}

function calloutOf(lines: readonly string[], offered: Offered): Node[] {
  const tone = (CALLOUT.exec(lines[0] ?? "")?.[1] ?? "").toLowerCase();
  const inner = lines.slice(1).map((line) => line.replace(/^\s*>\s?/, ""));
  if (!offered.has("callout")) return inner.filter((line) => line !== "").map(lineBlock);
  const content = blocksOf(inner, new Set()).map(blockOf);
  return [objectNode(callout(content.length === 0 ? undefined : content, tone))];
}

function objectNode(raw: JsonObject): Node {
  return schema.node("object", { raw: { ...raw, _key: freshKey() } });
}

/** The contents of a cell with this text: nothing or a paragraph. */
function cellBlocks(words: Node[]): JsonObject[] {
  if (words.length === 0) return [];
  return [blockOf(schema.node("textblock", { key: freshKey() }, words))];
}

/** If the field allows no code blocks, the code becomes a paragraph of inline code. */
function codeBlock(code: string): Node {
  // Spaces at the beginning of a line mean something here, and would be lost in a page.
  const kept = code.replace(/\t/g, "    ").replace(
    /^ +/gm,
    (indent) => "\u00a0".repeat(indent.length),
  );
  return schema.node("textblock", null, textNodes(kept, [schema.mark("code")]));
}

function cellsOf(line: string): string[] {
  return line.trim().slice(1, -1).split(/(?<!\\)\|/).map((cell) =>
    cell.trim().replaceAll("\\|", "|")
  );
}

function rowBlock(cells: readonly string[]): Node {
  const words = cells.flatMap((cell, index) => [
    ...(index > 0 ? [schema.text(" | ")] : []),
    ...inlineNodes(cell),
  ]);
  return schema.node("textblock", null, words);
}

/** A URL pasted over selected text makes it a link; null if this is not the case. */
export function linkOver(state: EditorState, text: string): Transaction | null {
  const href = text.trim();
  const { empty, from, to, $from, $to } = state.selection;
  const isWithin = $from.sameParent($to) && $from.parent.isTextblock;
  if (empty || !isWithin || !/^(?:https?:\/\/|mailto:)\S+$/i.test(href)) return null;
  const mark = linkMark(href);
  return mark === null ? null : state.tr.addMark(from, to, mark);
}

/** A URL pasted alone into an empty block becomes an embed; null for any other paste. */
export function embedAlone(state: EditorState, text: string): Transaction | null {
  const { $from, empty } = state.selection;
  const url = text.trim();
  const isAlone = empty && $from.parent.type.name === "textblock" &&
    $from.parent.content.size === 0 && $from.parent.attrs.listItem === null;
  if (!isAlone || allowedEmbed(url) === null) return null;
  return putObject(state.tr, { _type: "embed", url });
}

function lineBlock(line: string): Node {
  const indent = (/^\s*/.exec(line)?.[0] ?? "").replace(/\t/g, "  ").length;
  const bare = line.trim();
  const start = /^(#{1,4}|>|[-*+]|\d{1,3}[.)])\s+/.exec(bare);
  const sign = start?.[1]?.replace(/^\d+/, "1");
  const rule = sign && LINE_RULES.find(([pattern]) => pattern.test(`${sign} `));
  if (!start || !rule) return schema.node("textblock", null, inlineNodes(bare));
  const level = Math.min(1 + Math.floor(indent / 2), RICH_TEXT_LIST_LEVEL_MAX);
  const attributes = rule[1].listItem ? { ...rule[1], level } : rule[1];
  return schema.node("textblock", attributes, inlineNodes(bare.slice(start[0].length)));
}

/** The words of a line, with the marks that signs around them mean. */
function inlineNodes(text: string): Node[] {
  const patterns = [
    ...MARK_RULES.map(([around, name]) => [unanchored(around), () => schema.mark(name)] as const),
    [
      /(^|[^!])\[([^\[\]]+)\]\(([^()\s]+)\)/,
      (match: RegExpExecArray) => linkMark(match[3] ?? ""),
    ] as const,
  ];
  for (const [pattern, markFor] of patterns) {
    const match = pattern.exec(text);
    const mark = match && markFor(match);
    if (!match || !mark) continue;
    const before = text.slice(0, match.index) + (match[1] ?? "");
    const inner = inlineNodes(match[2] ?? "").map((node) => node.mark(mark.addToSet(node.marks)));
    return [
      ...inlineNodes(before),
      ...inner,
      ...inlineNodes(text.slice(match.index + match[0].length)),
    ];
  }
  return textNodes(text, []);
}

function unanchored({ source }: RegExp): RegExp {
  return new RegExp(source.replace(/\$$/, ""));
}
