/**
 * Comparisons without what has not changed: long unchanged passages are folded.
 *
 * @module
 */
import { FOLDED_BLOCKS_MIN } from "../../input/limits.ts";
import type { FieldChange } from "./field_changes.ts";
import type { BlockDiff } from "./rich_text_diff.ts";

/** A block, or a passage that is folded. */
export type DiffPart =
  | { kind: "row"; diff: BlockDiff; begins: boolean }
  | { kind: "fold"; rows: BlockDiff[] };

/** Unchanged blocks that are shown before and after a change. */
const CONTEXT_BLOCKS = 1;

/** Folds unchanged passages away from changes; `begins` marks the first block of adjacent changed ones. */
export function foldUnchanged(blocks: readonly BlockDiff[]): DiffPart[] {
  const isNear = (index: number) =>
    blocks.slice(Math.max(0, index - CONTEXT_BLOCKS), index + CONTEXT_BLOCKS + 1)
      .some(({ kind }) => kind !== "same");
  const parts: DiffPart[] = [];
  let passage: BlockDiff[] = [];
  const endPassage = () => {
    if (passage.length >= FOLDED_BLOCKS_MIN) parts.push({ kind: "fold", rows: passage });
    else parts.push(...passage.map((diff): DiffPart => ({ kind: "row", diff, begins: false })));
    passage = [];
  };
  blocks.forEach((diff, index) => {
    if (!isNear(index)) return void passage.push(diff);
    endPassage();
    const begins = diff.kind !== "same" && (blocks[index - 1]?.kind ?? "same") === "same";
    parts.push({ kind: "row", diff, begins });
  });
  endPassage();
  return parts;
}

/** The number of changes in fields; those of a rich text are counted by passages. */
export function countChanges(changes: readonly FieldChange[]): number {
  return changes.reduce(
    (sum, { blocks }) => sum + (blocks === undefined ? 1 : countPassages(blocks)),
    0,
  );
}

/** The number of changed passages: adjacent changed blocks are one. */
export function countPassages(blocks: readonly BlockDiff[]): number {
  return blocks.filter(({ kind }, index) =>
    kind !== "same" && (blocks[index - 1]?.kind ?? "same") === "same"
  ).length;
}
