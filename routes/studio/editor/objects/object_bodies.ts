/**
 * The objects with inline editors.
 *
 * @module
 */
import { make } from "../../browser/page/elements.ts";
import { CalloutBody } from "./callout_body.ts";
import { CodeBody } from "./code_body.ts";
import { EmbedBody } from "./embed_body.ts";
import type { BodyFacts, ObjectBody } from "./object_body.ts";
import type { JsonObject } from "../schema.ts";
import { TableBody } from "./table_body.ts";
import { gridOf } from "./table_grid.ts";

/** The contents of an object; null for one that is of no such kind, or of another shape. */
export function bodyOf(raw: JsonObject, facts: BodyFacts): ObjectBody | null {
  switch (raw._type) {
    case "code":
      return typeof raw.code === "string" ? new CodeBody(raw, facts) : null;
    case "table":
      return gridOf(raw) === null ? null : new TableBody(raw, facts);
    case "callout":
      return Array.isArray(raw.content) ? new CalloutBody(raw, facts) : null;
    case "embed":
      return typeof raw.url === "string" ? new EmbedBody(raw, facts) : null;
    case "horizontal-rule":
      return dividerBody();
    default:
      return null;
  }
}

function dividerBody(): ObjectBody {
  const dom = make("div", { class: "pt-divider" }, make("hr", {}));
  return { dom, show: () => {}, focus: () => {}, destroy: () => {} };
}
