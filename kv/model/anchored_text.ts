/**
 * A rich text in which the words of comments are found again, also in its tables and callouts.
 *
 * @module
 */
import { ANCHOR_ELSEWHERE_CHARS_MAX } from "../limits/content.ts";
import { AnchoredBlocks, type AnchorEffort } from "./anchored_blocks.ts";
import {
  type AnchorContext,
  type CommentAnchor,
  type FoundRange,
  pathName,
  type TextPosition,
} from "./comment_anchor.ts";
import type { Json } from "./entities/entity.ts";
import { isJsonObject } from "./values/json_object.ts";

/** The blocks of a rich text, a table cell or a callout. */
interface Part {
  path: string[];
  blocks: AnchoredBlocks;
}

/** A rich text, prepared to find the words of many comments. */
export class AnchoredText {
  /** By the names of their paths. */
  readonly #parts = new Map<string, Part>();
  readonly #effort: AnchorEffort = { compared: 0, matched: 0 };
  /** Characters that have been searched for words from other parts. */
  #searched = 0;

  constructor(value: Json | undefined) {
    const blocks = Array.isArray(value) ? value : [];
    this.#add([], blocks);
    for (const block of blocks) {
      if (!isJsonObject(block) || typeof block._key !== "string") continue;
      if (block._type === "callout" && Array.isArray(block.content)) {
        this.#add([block._key], block.content);
      }
      if (block._type !== "table" || !Array.isArray(block.rows)) continue;
      for (const row of block.rows) {
        if (!isJsonObject(row) || !Array.isArray(row.cells)) continue;
        for (const cell of row.cells) {
          if (!isJsonObject(cell) || typeof cell._key !== "string") continue;
          if (Array.isArray(cell.value)) this.#add([block._key, cell._key], cell.value);
        }
      }
    }
  }

  /**
   * The words of an anchor as they are now: in the text, table cell or callout that they were in, else unchanged in
   * another one, else corrected in another one; null if they were removed.
   */
  find(anchor: CommentAnchor, context?: AnchorContext): FoundRange | null {
    const home = this.#parts.get(pathName(anchor.start));
    const found = home?.blocks.find(anchor, context) ?? null;
    if (home !== undefined && found !== null) return within(home.path, found);
    for (const { path, blocks } of this.#parts.values()) {
      const elsewhere = blocks.findExact(anchor);
      if (elsewhere !== null) return within(path, elsewhere);
    }
    return this.#moved(anchor, { context, home });
  }

  #moved(
    anchor: CommentAnchor,
    { context, home }: { context: AnchorContext | undefined; home: Part | undefined },
  ): FoundRange | null {
    let best: { range: FoundRange; cost: number } | null = null;
    for (const part of this.#parts.values()) {
      if (part === home) continue;
      this.#searched += part.blocks.length;
      if (this.#searched > ANCHOR_ELSEWHERE_CHARS_MAX) break;
      const found = part.blocks.findMoved(anchor, context);
      if (found === null || (best !== null && found.cost >= best.cost)) continue;
      best = { range: within(part.path, found.range), cost: found.cost };
    }
    return best?.range ?? null;
  }

  /** The text around the words of an anchor; undefined if they are not there. */
  contextOf(anchor: CommentAnchor): AnchorContext | undefined {
    return this.#parts.get(pathName(anchor.start))?.blocks.contextOf(anchor);
  }

  #add(path: string[], blocks: readonly Json[]): void {
    this.#parts.set(pathName({ path }), { path, blocks: new AnchoredBlocks(blocks, this.#effort) });
  }
}

function within(path: string[], { start, end, ...rest }: FoundRange): FoundRange {
  if (path.length === 0) return { start, end, ...rest };
  const inPart = (position: TextPosition): TextPosition => ({ ...position, path });
  return { ...rest, start: inPart(start), end: inPart(end) };
}
