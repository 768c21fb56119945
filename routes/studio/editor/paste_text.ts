/**
 * Plain text that is pasted: lines that are Markdown are read as such, and an address becomes a link.
 *
 * @module
 */
import { Fragment, type Node, Slice } from "prosemirror-model";
import type { EditorState, Transaction } from "prosemirror-state";
import { RICH_TEXT_LIST_LEVEL_MAX } from "../../../kv/limits.ts";
import { textNodes } from "./from_portable.ts";
import { LINE_RULES, linkMark, MARK_RULES } from "./input_rules.ts";
import { schema } from "./schema.ts";

/** Pasted plain text; lines that are Markdown are read as such. */
export function readPlainText(text: string): Slice {
  const blocks = blocksOf(text.replace(/\r\n?/g, "\n").split("\n"));
  if (blocks.length === 0) return Slice.empty;
  const isWords = blocks.length === 1 && blocks[0]!.attrs.style === "normal" &&
    blocks[0]!.attrs.listItem === null;
  return new Slice(Fragment.from(blocks), isWords ? 1 : 0, isWords ? 1 : 0);
}

/** A block of each line; what stands between fences is one block of code. */
function blocksOf(lines: readonly string[]): Node[] {
  const blocks: Node[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    const fence = /^\s*(```+|~~~+)/.exec(line)?.[1];
    const end = fence === undefined
      ? -1
      : lines.findIndex((other, index) => index > at && other.trim().startsWith(fence));
    if (end > at) {
      const code = lines.slice(at + 1, end).join("\n");
      if (code.trim() !== "") blocks.push(codeBlock(code));
      at = end;
    } else if (TABLE_ROW.test(line)) {
      if (!TABLE_RULE.test(line)) blocks.push(schema.node("textblock", null, tableRow(line)));
    } else if (line.trim() !== "") blocks.push(lineBlock(line));
  }
  return blocks;
}

/** Code is a paragraph in which every word is code: there is no other form of it in rich text. */
function codeBlock(code: string): Node {
  // Spaces at the beginning of a line mean something here, and would be lost in a page.
  const kept = code.replace(/\t/g, "    ").replace(
    /^ +/gm,
    (indent) => "\u00a0".repeat(indent.length),
  );
  return schema.node("textblock", null, textNodes(kept, [schema.mark("code")]));
}

/** A row of a table in Markdown, and the one that divides its head from its body. */
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;

/** Rich text has no tables: the cells of a row stay apart in a line. */
function tableRow(line: string): Node[] {
  const cells = line.trim().slice(1, -1).split("|").map((cell) => cell.trim());
  return cells.flatMap((cell, index) => [
    ...(index > 0 ? [schema.text(" | ")] : []),
    ...inlineNodes(cell),
  ]);
}

/**
 * An address that is pasted over words makes them a link; null when that is not what was done.
 */
export function linkOver(state: EditorState, text: string): Transaction | null {
  const href = text.trim();
  const { empty, from, to, $from, $to } = state.selection;
  const isWithin = $from.sameParent($to) && $from.parent.isTextblock;
  if (empty || !isWithin || !/^(?:https?:\/\/|mailto:)\S+$/i.test(href)) return null;
  const mark = linkMark(href);
  return mark === null ? null : state.tr.addMark(from, to, mark);
}

function lineBlock(line: string): Node {
  const indent = /^\s*/.exec(line)![0].replace(/\t/g, "  ").length;
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
      (match: RegExpExecArray) => linkMark(match[3]!),
    ] as const,
  ];
  for (const [pattern, markFor] of patterns) {
    const match = pattern.exec(text);
    const mark = match && markFor(match);
    if (!match || !mark) continue;
    const before = text.slice(0, match.index) + match[1]!;
    const inner = inlineNodes(match[2]!).map((node) => node.mark(mark.addToSet(node.marks)));
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
