/**
 * Two texts compared word by word.
 *
 * @module
 */

/** A run of words that stayed, came or went. */
export interface Run {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Words beyond which only beginning and end are compared; the work grows with the product of both. */
const WORDS_MAX = 1_500;

/** The runs that lead from one text to the other. */
export function diffWords(before: string, after: string): Run[] {
  const a = wordsOf(before);
  const b = wordsOf(after);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (
    end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)
  ) end += 1;
  const middleA = a.slice(start, a.length - end);
  const middleB = b.slice(start, b.length - end);
  const runs: Run[] = [];
  push(runs, "same", a.slice(0, start));
  if (middleA.length > WORDS_MAX || middleB.length > WORDS_MAX) {
    push(runs, "removed", middleA);
    push(runs, "added", middleB);
  } else diffMiddle(runs, middleA, middleB);
  push(runs, "same", a.slice(a.length - end));
  return runs;
}

/** Words with the white space behind them. */
function wordsOf(text: string): string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

/** By the longest common subsequence. */
function diffMiddle(runs: Run[], a: string[], b: string[]): void {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j]
        ? lengths[(i + 1) * width + j + 1]! + 1
        : Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!);
    }
  }
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push(runs, "same", [a[i]!]);
      i += 1;
      j += 1;
    } else if (
      j === b.length ||
      (i < a.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      push(runs, "removed", [a[i]!]);
      i += 1;
    } else {
      push(runs, "added", [b[j]!]);
      j += 1;
    }
  }
}

function push(runs: Run[], kind: Run["kind"], words: string[]): void {
  if (words.length === 0) return;
  const last = runs.at(-1);
  if (last?.kind === kind) last.text += words.join("");
  else runs.push({ kind, text: words.join("") });
}
