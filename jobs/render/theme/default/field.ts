/**
 * A field's value by its type, for documents and blocks that the theme has no template of their own for.
 *
 * @module
 */
import { FIELD_RENDERINGS } from "../../views/field_renderings.ts";

const CASES = Object.entries(FIELD_RENDERINGS)
  .map(([type, { template }]) => `{%- when "${type}" -%}${template}`);

/** `field.liquid` */
export const FIELD = ["{%- case field.type -%}", ...CASES, "{%- endcase -%}"].join("\n");
