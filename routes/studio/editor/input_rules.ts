/**
 * Markdown shortcuts: `## ` starts a heading, `**bold**` is bold, `[text](url)` a link, ``` starts code, `---`
 * is a divider.
 *
 * @module
 */
import { InputRule, inputRules } from "prosemirror-inputrules";
import type { Mark } from "prosemirror-model";
import type { Command, EditorState, Plugin, Transaction } from "prosemirror-state";
import { isSafeHref } from "../../../kv/model/values/portable_text.ts";
import { languageOf } from "./objects/code_languages.ts";
import { freshKey } from "./keys.ts";
import { putObject } from "./objects/object_commands.ts";
import { type JsonObject, markType, schema, type TextBlockAttributes } from "./schema.ts";
import { code } from "./objects/text_objects.ts";

/** Rules for the start of a line. */
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

/** Rules for characters around text. The second group is the text, the first precedes it. */
export const MARK_RULES: readonly (readonly [around: RegExp, mark: string])[] = [
  [/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "strong"],
  [/(^|[^_\w])__([^_\s](?:[^_]*[^_\s])?)__$/, "strong"],
  [/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "em"],
  [/(^|[^_\w])_([^_\s](?:[^_]*[^_\s])?)_$/, "em"],
  [/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strike-through"],
  [/(^|[^`])`([^`]+)`$/, "code"],
];

const LINK_RULE = /(^|[^!])\[([^\[\]]+)\]\(([^()\s]+)\)$/;

/** The start of a code block with its language. */
export const FENCE = /^(?:```|~~~)([\w+#.-]{0,40})$/;

/** The rules, undone by Backspace. `objects` are the object types that a line may become. */
export function markdownPlugin(objects: ReadonlySet<string> = new Set()): Plugin {
  return inputRules({
    rules: [
      ...(objects.has("code")
        ? [objectRule(new RegExp(`${FENCE.source.slice(0, -1)}\\s$`), ([, name = ""]) => {
          return code("", languageOf(name));
        })]
        : []),
      ...(objects.has("horizontal-rule")
        ? [objectRule(/^(?:---|\*\*\*|___)$/, () => ({ _type: "horizontal-rule" }))]
        : []),
      ...LINE_RULES.map(([start, block]) => lineRule(start, block)),
      ...MARK_RULES.map(([around, name]) => wordsRule(around, () => markType(name).create())),
      wordsRule(LINK_RULE, (match) => linkMark(match[3] ?? "")),
    ],
  });
}

/** Enter behind a fence begins code. */
export const enterFence: Command = (state, dispatch) => {
  const { $from, empty } = state.selection;
  const fence = FENCE.exec($from.parent.textContent);
  if (!empty || $from.parent.type.name !== "textblock" || fence === null) return false;
  const made = becomeObject(state, code("", languageOf(fence[1] ?? "")));
  if (made !== null) dispatch?.(made);
  return made !== null;
};

/** Replaces the block at the cursor with an object. */
function becomeObject(state: EditorState, raw: JsonObject): Transaction | null {
  const { $from } = state.selection;
  if ($from.parent.attrs.listItem !== null) return null;
  return putObject(state.tr.delete($from.start(), $from.end()), raw);
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

/** A line that consists of the shortcut becomes an object. */
function objectRule(line: RegExp, make: (match: RegExpMatchArray) => JsonObject): InputRule {
  return new InputRule(line, (state, match) => {
    const { $from } = state.selection;
    // The last character is not in the text yet; text after the cursor stays.
    const isWhole = $from.parent.type.name === "textblock" &&
      $from.parentOffset === $from.parent.content.size;
    return isWhole ? becomeObject(state, make(match)) : null;
  });
}

/** Replaces the signs and keeps the words, whatever marks they have. */
function wordsRule(around: RegExp, markFor: (match: RegExpMatchArray) => Mark | null): InputRule {
  return new InputRule(around, (state, match, from, to) => {
    const mark = markFor(match);
    if (mark === null) return null;
    const [whole, lead = "", inner = ""] = match;
    const before = from + lead.length;
    const words = before + whole.slice(lead.length).indexOf(inner);
    const end = words + inner.length;
    const { parent } = state.doc.resolve(from);
    if (parent.type.name !== "textblock") return null;
    const transaction = state.tr;
    if (end < to) transaction.delete(end, to);
    transaction.delete(before, words);
    transaction.addMark(before, before + inner.length, mark);
    return transaction.removeStoredMark(mark);
  });
}
