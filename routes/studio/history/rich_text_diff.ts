/**
 * Two rich texts compared: their blocks aligned, and the words of aligned blocks compared with formatting.
 *
 * @module
 */
import { diffArrays } from "diff";
import { TEXT_EDITS_MAX, WORD_EDITS_MAX } from "../../input/limits.ts";
import type { BlockForm, ComparedBlock, Word } from "./block_form.ts";
import type { Run } from "./word_diff.ts";

/** Words with the same formatting that stayed, came or went. */
export type FormattedRun = Word & { kind: Run["kind"] };

/** A block of one text, the other, or both. */
export interface BlockDiff {
  kind: "same" | "added" | "removed" | "changed";
  /** The form in the old text; null for an added block. */
  before: BlockForm | null;
  /** The form in the new text; null for a removed block. */
  after: BlockForm | null;
  runs: FormattedRun[];
  /** The difference that the words do not show: "Text → Heading". */
  note: string | null;
}

/** A block of each text, or of one alone. */
type Pair = readonly [was: ComparedBlock | null, is: ComparedBlock | null];

/** The edits that word comparisons of one text may still need. */
interface EditBudget {
  left: number;
}

/** The share of words that two blocks have in common if one is an edit of the other. */
const SIMILAR_SHARE = 0.5;

/** The blocks of two texts in reading order; removed blocks stand before those that replace them. */
export function diffRichText(
  before: readonly ComparedBlock[],
  after: readonly ComparedBlock[],
): BlockDiff[] {
  const diffs: BlockDiff[] = [];
  const budget: EditBudget = { left: TEXT_EDITS_MAX };
  let removed: ComparedBlock[] = [];
  let added: ComparedBlock[] = [];
  // Blocks of which the other text has no counterpart by key may still be edits of each other, such as pasted ones.
  const endGap = () => {
    diffs.push(...align(removed, added, areSimilar).map((pair) => pairDiff(pair, budget)));
    [removed, added] = [[], []];
  };
  for (const [was, is] of align(before, after, areCounterparts)) {
    if (was !== null && is !== null) {
      endGap();
      diffs.push(pairDiff([was, is], budget));
    } else if (was !== null) removed.push(was);
    else if (is !== null) added.push(is);
  }
  endGap();
  return diffs;
}

/** Pairs the blocks of two texts in order. */
function align(
  before: readonly ComparedBlock[],
  after: readonly ComparedBlock[],
  comparator: (a: ComparedBlock, b: ComparedBlock) => boolean,
): Pair[] {
  const changes = diffArrays([...before], [...after], {
    comparator,
    maxEditLength: WORD_EDITS_MAX,
  });
  if (changes === undefined) {
    return [...before.map((was): Pair => [was, null]), ...after.map((is): Pair => [null, is])];
  }
  const pairs: Pair[] = [];
  let [oldAt, newAt] = [0, 0];
  for (const { added, removed, count } of changes) {
    for (let n = 0; n < count; n++) {
      const was = added ? null : before[oldAt++] ?? null;
      pairs.push([was, removed ? null : after[newAt++] ?? null]);
    }
  }
  return pairs;
}

/** Whether two blocks are the same one, changed or not. */
function areCounterparts(a: ComparedBlock, b: ComparedBlock): boolean {
  return a.content === b.content || (a.key !== null && a.key === b.key && isSameKind(a, b));
}

/** Whether one block reads like an edit of the other. */
function areSimilar(a: ComparedBlock, b: ComparedBlock): boolean {
  if (!isSameKind(a, b)) return false;
  if (a.form.kind === "object") return true;
  const [own, other] = [a.vocabulary, b.vocabulary];
  return own.intersection(other).size >= SIMILAR_SHARE * Math.max(own.size, other.size, 1);
}

function isSameKind({ form: a }: ComparedBlock, { form: b }: ComparedBlock): boolean {
  return a.kind === b.kind && (a.kind === "text" || a.style === b.style);
}

function pairDiff([was, is]: Pair, budget: EditBudget): BlockDiff {
  const forms = { before: was?.form ?? null, after: is?.form ?? null };
  if (was === null || is === null) {
    const kind = was === null ? "added" : "removed";
    return { kind, ...forms, runs: runsOf(kind, (was ?? is)?.words ?? []), note: null };
  }
  if (was.content === is.content) {
    return { kind: "same", ...forms, runs: runsOf("same", is.words), note: null };
  }
  const runs = diffFormatted(was.words, is.words, budget);
  return { kind: "changed", ...forms, runs, note: noteOf(was.form, is.form, runs) };
}

function noteOf(was: BlockForm, is: BlockForm, runs: FormattedRun[]): string | null {
  if (was.label !== is.label) return `${was.label} → ${is.label}`;
  if (was.level !== is.level) return `Level ${was.level} → ${is.level}`;
  if (was.image?.url !== is.image?.url) return "Image replaced";
  return runs.some(({ kind }) => kind !== "same") ? null : "Settings changed";
}

/** The runs that turn the words of one block into those of another; formatting counts as a difference. */
function diffFormatted(
  before: readonly Word[],
  after: readonly Word[],
  budget: EditBudget,
): FormattedRun[] {
  const maxEditLength = Math.min(WORD_EDITS_MAX, budget.left);
  const changes = diffArrays([...before], [...after], { comparator: isSameWord, maxEditLength });
  const edits = changes?.filter(({ added, removed }) => added || removed)
    .reduce((sum, { count }) => sum + count, 0);
  budget.left -= edits ?? maxEditLength;
  if (changes === undefined) return [...runsOf("removed", before), ...runsOf("added", after)];
  return changes.flatMap(({ added, removed, value }) =>
    runsOf(added ? "added" : removed ? "removed" : "same", value)
  );
}

function isSameWord(a: Word, b: Word): boolean {
  return a.text === b.text && hasSameFormat(a, b);
}

function hasSameFormat(a: Word, b: Word): boolean {
  return a.href === b.href && a.marks.join() === b.marks.join();
}

/** Words as few runs as their formatting allows. */
function runsOf(kind: FormattedRun["kind"], words: readonly Word[]): FormattedRun[] {
  const runs: FormattedRun[] = [];
  for (const word of words) {
    const last = runs.at(-1);
    if (last !== undefined && hasSameFormat(last, word)) last.text += word.text;
    else runs.push({ ...word, kind });
  }
  return runs;
}
