/**
 * How many words a text has, and how long they take to read; of a selection, how many are in it.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import type { EditorState } from "prosemirror-state";
import { asidesText } from "../../../kv/model/values/portable_text.ts";
import { make } from "../browser/page/elements.ts";

/** Words that most people read in a minute. */
const WORDS_A_MINUTE = 230;

const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
/** Nodes never change, so each is counted once. */
const counted = new WeakMap<Node, number>();

/** The line below a text. */
export class WordCount {
  readonly element = make("p", { class: "pt-count" });

  show({ doc, selection }: EditorState): void {
    const all = wordsOf(doc);
    const { from, to, empty } = selection;
    const within = empty ? 0 : countWords(doc.textBetween(from, to, "\n", " "));
    const number = all.toLocaleString("en");
    const words = all === 1 ? "word" : "words";
    this.element.textContent = within > 0
      ? `${within.toLocaleString("en")} of ${number} ${words}`
      : `${number} ${words} · ${minutes(all)}`;
    this.element.hidden = all === 0;
  }
}

/** The words of a text, those in its code, tables and callouts too. */
export function wordsOf(doc: Node): number {
  let sum = 0;
  doc.forEach((node) => {
    let count = counted.get(node);
    if (count === undefined) {
      count = countWords(
        node.type.name === "object"
          ? asidesText([node.attrs.raw])
          : node.textBetween(0, node.content.size, "\n", " "),
      );
      counted.set(node, count);
    }
    sum += count;
  });
  return sum;
}

/** The words of a text in any script. */
export function countWords(text: string): number {
  let count = 0;
  for (const { isWordLike } of segmenter.segment(text)) if (isWordLike) count += 1;
  return count;
}

function minutes(words: number): string {
  const whole = Math.max(1, Math.round(words / WORDS_A_MINUTE));
  return whole === 1 ? "1 min read" : `${whole} min read`;
}
