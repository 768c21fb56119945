/**
 * The bounds of blocks inside blocks: how deep, and how many on one page.
 *
 * @module
 */
import { ROWS_MAX } from "../../../kv/limits/content.ts";
import type { BlockDefinition, Schema } from "../../../kv/model/entities/collection.ts";
import { BLOCK_DEPTH_MAX } from "../../limits.ts";

/** Counts the blocks of one page. */
export class BlockBounds {
  readonly #blocks: Schema["blocks"];
  #depth = 0;
  #count = 0;

  constructor({ blocks }: Schema) {
    this.#blocks = blocks;
  }

  /** Whether an object in rich text is an image: `image`, unless a kind of block has that name. */
  isImage(type: string): boolean {
    return type === "image" && !this.#blocks.has(type);
  }

  /** Renders a block and its nested blocks with `render`; null for an unknown block and beyond the bounds. */
  within<T>(name: string, render: (definition: BlockDefinition) => T): T | null {
    const definition = this.#blocks.get(name);
    if (definition === undefined || this.#depth >= BLOCK_DEPTH_MAX) return null;
    if (++this.#count > ROWS_MAX) return null;
    this.#depth += 1;
    try {
      return render(definition);
    } finally {
      this.#depth -= 1;
    }
  }
}
