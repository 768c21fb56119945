/**
 * Markdown as one types it: `## ` begins a heading, `**bold**` is bold, `[text](address)` a link.
 *
 * @module
 */
import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Mark } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import { isSafeHref } from "../../../kv/model/portable_text.ts";
import { freshKey } from "./keys.ts";
import { schema, type TextBlockAttributes } from "./schema.ts";

/** What the beginning of a line makes of its block. */
export const LINE_RULES:
  readonly (readonly [start: RegExp, block: Partial<TextBlockAttributes>])[] = [
    // The title of the page is its first heading.
    [/^#{1,2}\s$/, { style: "h2", listItem: null, level: null }],
    [/^###\s$/, { style: "h3", listItem: null, level: null }],
    [/^####\s$/, { style: "h4", listItem: null, level: null }],
    [/^>\s$/, { style: "blockquote", listItem: null, level: null }],
    [/^[-*+]\s$/, { style: "normal", listItem: "bullet", level: 1 }],
    [/^1[.)]\s$/, { style: "normal", listItem: "number", level: 1 }],
  ];

/** What signs around words make of them. The words are the second group, what stands before the first. */
export const MARK_RULES: readonly (readonly [around: RegExp, mark: string])[] = [
  [/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "strong"],
  [/(^|[^_\w])__([^_\s](?:[^_]*[^_\s])?)__$/, "strong"],
  [/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "em"],
  [/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, "em"],
  [/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike-through"],
  [/(^|[^`])`([^`]+)`$/, "code"],
];

const LINK_RULE = /(^|[^!])\[([^\[\]]+)\]\(([^()\s]+)\)$/;

/** The shortcuts, undone by Backspace. */
export function markdownPlugin(): Plugin {
  return inputRules({
    rules: [
      ...LINE_RULES.map(([start, block]) => lineRule(start, block)),
      ...MARK_RULES.map(([around, name]) => wordsRule(around, () => schema.marks[name]!.create())),
      wordsRule(LINK_RULE, (match) => linkMark(match[3]!)),
    ],
  });
}

/** The mark of a link; null when the address is none that visitors may follow. */
export function linkMark(href: string): Mark | null {
  if (!isSafeHref(href)) return null;
  return schema.mark("annotation", { def: { _type: "link", _key: freshKey(), href } });
}

function lineRule(start: RegExp, block: Partial<TextBlockAttributes>): InputRule {
  return new InputRule(start, (state, _match, from, to) => {
    const { parent } = state.selection.$from;
    if (parent.type.name !== "textblock" || parent.attrs.listItem !== null) return null;
    const transaction = state.tr.delete(from, to);
    const at = transaction.doc.resolve(from).before();
    return transaction.setNodeMarkup(at, undefined, { ...parent.attrs, ...block });
  });
}

/** Replaces the signs and keeps the words, whatever marks they have. */
function wordsRule(around: RegExp, markFor: (match: RegExpMatchArray) => Mark | null): InputRule {
  return new InputRule(around, (state, match, from, to) => {
    const mark = markFor(match);
    if (mark === null) return null;
    const before = from + match[1]!.length;
    const words = before + match[0].slice(match[1]!.length).indexOf(match[2]!);
    const end = words + match[2]!.length;
    const { parent } = state.doc.resolve(from);
    if (parent.type.name !== "textblock") return null;
    const transaction = state.tr;
    if (end < to) transaction.delete(end, to);
    transaction.delete(before, words);
    transaction.addMark(before, before + match[2]!.length, mark);
    return transaction.removeStoredMark(mark);
  });
}
