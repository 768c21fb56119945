/**
 * The key of a block. Apart from the rest of the editor, so that modules which do not load the editor can read it.
 *
 * @module
 */
import type { Node } from "prosemirror-model";

/** The key of a block, or null. */
export function keyOf({ attrs }: Node): string | null {
  const key = attrs.raw?._key ?? attrs.key;
  return typeof key === "string" && key !== "" ? key : null;
}
