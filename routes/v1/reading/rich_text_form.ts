/**
 * Rich text as a string: HTML or Markdown, wherever a field holds some. Images stand with their address;
 * blocks of the site's own kinds have no form outside of its theme and are left out.
 *
 * @module
 */
import type { BlockDefinition } from "../../../kv/model/entities/collection.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { fieldType } from "../../../kv/model/fields/types/registry.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isUlid } from "../../../kv/model/values/ulid.ts";
import { escapeMarkup, Html } from "../../../jobs/render/markup.ts";
import { markdownTitle } from "../../../jobs/render/rich_text/markdown.ts";
import {
  portableTextHtml,
  portableTextMarkdown,
} from "../../../jobs/render/rich_text/portable_text.ts";
import type { RichTextForm } from "../../query/projection.ts";

/** Block definitions by name. */
type Blocks = ReadonlyMap<string, BlockDefinition>;

/** A value with all rich text in it in a form. */
export function withRichText(
  value: Json,
  field: NestedField,
  form: RichTextForm,
  blocks: Blocks,
): Json {
  if (value === null) return null;
  if (fieldType(field.type).richText) {
    return form === "html"
      ? portableTextHtml(value, imageHtml).markup
      : portableTextMarkdown(value, imageMarkdown);
  }
  const { fields } = field.options;
  if (fields !== undefined) {
    return Array.isArray(value)
      ? value.map((row) => isJsonObject(row) ? nested(row, fields, form, blocks) : row)
      : isJsonObject(value)
      ? nested(value, fields, form, blocks)
      : value;
  }
  return Array.isArray(value) && value.some((one) => isBlock(one, blocks))
    ? blocksWithRichText(value, form, blocks)
    : value;
}

/** Block instances with all rich text in them in a form. */
export function blocksWithRichText(value: Json[], form: RichTextForm, blocks: Blocks): Json[] {
  return value.map((one) => {
    const fields = isBlock(one, blocks) ? blocks.get(one.type)?.fields : undefined;
    if (!isBlock(one, blocks) || fields === undefined) return one;
    return { ...one, data: nested(one.data, fields, form, blocks) };
  });
}

function nested(
  values: JsonObject,
  fields: readonly NestedField[],
  form: RichTextForm,
  blocks: Blocks,
): JsonObject {
  const formed: JsonObject = { ...values };
  for (const field of fields) {
    if (!Object.hasOwn(values, field.name)) continue;
    formed[field.name] = withRichText(values[field.name] ?? null, field, form, blocks);
  }
  return formed;
}

function isBlock(
  value: Json,
  blocks: Blocks,
): value is JsonObject & { type: string; data: JsonObject } {
  return isJsonObject(value) && typeof value.type === "string" && blocks.has(value.type) &&
    isJsonObject(value.data);
}

type Node = { _type: string; [name: string]: unknown };

function imageHtml(node: Node): Html | null {
  const image = imageOf(node);
  if (image === null) return null;
  const { src, alt, caption } = image;
  const below = caption === "" ? "" : `<figcaption>${escapeMarkup(caption)}</figcaption>`;
  return new Html(`<figure><img src="${src}" alt="${escapeMarkup(alt)}">${below}</figure>`);
}

function imageMarkdown(node: Node): string | null {
  const image = imageOf(node);
  if (image === null) return null;
  const alt = image.alt.replace(/[\\[\]]/g, "\\$&").replace(/\s+/g, " ");
  return `![${alt}](${image.src}${markdownTitle(image.caption)})`;
}

/** An address that leads to the present name of the medium. */
function imageOf(
  { _type, media, alt, caption }: Node,
): { src: string; alt: string; caption: string } | null {
  if (_type !== "image" || !isUlid(media)) return null;
  const words = (value: unknown) => typeof value === "string" ? value : "";
  return { src: `/media/${media}/image`, alt: words(alt), caption: words(caption) };
}
