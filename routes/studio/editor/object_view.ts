/**
 * How blocks look that the editor carries along without knowing them.
 *
 * @module
 */
/// <reference lib="dom" />
import type { Node } from "prosemirror-model";
import type { NodeView } from "prosemirror-view";
import { make } from "../browser/elements.ts";
import type { JsonObject } from "./schema.ts";

/** Characters of a block's contents that are shown. */
const SHOWN_MAX = 2_000;

/** A card with the type of the block, and its contents for those who want to see them. */
export class ObjectView implements NodeView {
  readonly dom: HTMLElement;

  constructor(node: Node) {
    const { _type, _key, ...contents } = node.attrs.raw as JsonObject;
    const json = JSON.stringify(contents, null, 2);
    this.dom = make(
      "div",
      { class: "pt-object" },
      make(
        "details",
        {},
        make("summary", {}, make("strong", {}, String(_type)), " is kept as it is"),
        make("pre", {}, json.length > SHOWN_MAX ? `${json.slice(0, SHOWN_MAX)} …` : json),
      ),
    );
  }

  stopEvent(event: Event): boolean {
    return (event.target as Element).closest?.("summary") !== null && event.type === "click";
  }

  /** Opening and closing is no change. */
  ignoreMutation(): boolean {
    return true;
  }
}
