/**
 * Icons of block types in menus.
 *
 * @module
 */
import { ownValue } from "../../../kv/model/primitives/own_value.ts";

const DRAWINGS: Readonly<Record<string, string>> = {
  image: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.010",
  code: "M9 7l-5 5 5 5M15 7l5 5-5 5",
  table: "M4 5h16v14H4zM4 10h16M4 15h16M10 5v14",
  divider: "M4 12h16",
  "horizontal-rule": "M4 12h16",
  callout: "M12 8v5M12 16h.010M12 3a9 9 0 100 18 9 9 0 000-18z",
  embed: "M8 5v14l11-7z",
};

/** Blocks that a site has defined. */
const OWN_BLOCK = "M4 5h16v6H4zM4 14h7v5H4zM14 14h6v5h-6z";

/** The drawing of a kind of block, as one path. */
export function blockDrawing(name: string): string {
  return ownValue(DRAWINGS, name) ?? OWN_BLOCK;
}
