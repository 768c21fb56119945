/**
 * Images in rich text at any depth of a value.
 *
 * @module
 */
import { isJsonObject } from "../../kv/model/values/json_object.ts";
import type { Json } from "../../kv/model/entities/entity.ts";

/** A picture in a text. */
export interface TextPicture {
  media: string;
  /** The words that it has at this place; empty for those of the medium. */
  alt: string;
}

/** The images in a value, in order, including duplicates. */
export function textPictures(value: Json | undefined): TextPicture[] {
  if (Array.isArray(value)) return value.flatMap(textPictures);
  if (!isJsonObject(value)) return [];
  const { _type, media, alt } = value;
  if (_type === "image" && typeof media === "string") {
    return [{ media, alt: typeof alt === "string" ? alt.trim() : "" }];
  }
  return Object.values(value).flatMap(textPictures);
}
