/**
 * Two texts compared word by word.
 *
 * @module
 */
import { diffArrays } from "diff";
import { WORD_EDITS_MAX } from "../../input/limits.ts";

/** A run of words that stayed, came or went. */
export interface Run {
  kind: "same" | "added" | "removed";
  text: string;
}

/** The runs that turn one text into the other. */
export function diffWords(before: string, after: string): Run[] {
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const changes = diffArrays(a, b, { maxEditLength: WORD_EDITS_MAX }) ?? coarseChanges(a, b);
  return changes.map(({ added, removed, value }): Run => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value.join(""),
  })).filter(({ text }) => text !== "");
}

/** Words with the spaces behind them; ends of lines for themselves, so that each line is compared alone. */
function wordsOf(text: string): string[] {
  return text.match(/\S+[^\S\n]*|\s+/g) ?? [];
}

interface Change {
  value: string[];
  added?: boolean;
  removed?: boolean;
}

/** Only the common prefix and suffix are kept; the rest is one removal and one insertion. */
function coarseChanges(a: string[], b: string[]): Change[] {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    { value: a.slice(0, start) },
    { value: a.slice(start, a.length - end), removed: true },
    { value: b.slice(start, b.length - end), added: true },
    { value: a.slice(a.length - end) },
  ];
}
