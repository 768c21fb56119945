/**
 * Portable Text of other systems, kept as it is but for the names of images and code.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { isJsonObject, type JsonObject } from "../../../kv/model/values/json_object.ts";
import { isSafeHref } from "../../../kv/model/values/portable_text.ts";
import type { ConvertedText } from "./rich_text_builder.ts";

/** Converts rich text that is Portable Text already. */
export function portableToBlocks(value: Json): ConvertedText {
  const warnings = new Set<string>();
  const blocks = Array.isArray(value) ? value.filter(isJsonObject) : [];
  return { blocks: blocks.map((block) => converted(block, warnings)), warnings: [...warnings] };
}

function converted(block: JsonObject, warnings: Set<string>): JsonObject {
  const { _type } = block;
  if (_type === "block") return withSafeLinks(block);
  if (_type === "image" && isJsonObject(block.asset)) {
    const { asset, alt, caption, _key } = block;
    const src = String(asset._ref ?? asset.url ?? block._sanityAsset ?? "");
    return {
      _type: "image",
      ...(_key !== undefined && { _key }),
      src,
      ...(typeof alt === "string" && { alt }),
      ...(typeof caption === "string" && { caption }),
    };
  }
  if (_type === "image" && typeof block._sanityAsset === "string") {
    const { _sanityAsset: src, ...rest } = block;
    return { ...rest, src };
  }
  if (_type === "code" && typeof block.code === "string") return block;
  if (!["image", "table", "callout", "embed", "horizontal-rule", "html"].includes(String(_type))) {
    warnings.add(`Objects of the type "${String(_type).slice(0, 60)}" are kept and not shown`);
  }
  return block;
}

function withSafeLinks(block: JsonObject): JsonObject {
  if (!Array.isArray(block.markDefs)) return block;
  return {
    ...block,
    markDefs: block.markDefs.map((mark) =>
      isJsonObject(mark) && typeof mark.href === "string" && !isSafeHref(mark.href)
        ? { ...mark, href: "" }
        : mark
    ),
  };
}
