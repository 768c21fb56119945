/**
 * The kind of block that every rich text may hold: an image.
 *
 * @module
 */
import { ALT_CHARS_MAX } from "../../../kv/limits/media.ts";
import type { NestedField } from "../../../kv/model/fields/field_definition.ts";
import { CAPTION_CHARS_MAX } from "../../input/limits.ts";

/** An image in rich text, as the site renders it. */
export const IMAGE_BLOCK = {
  name: "image",
  label: "Image",
  fields: [
    { name: "media", label: "Image", type: "media", required: true, help: "", options: {} },
    {
      name: "alt",
      label: "Alt text",
      type: "text",
      required: false,
      help:
        "Describes the image for people who can't see it. If empty, the alt text from the library is used.",
      options: { maxLength: ALT_CHARS_MAX },
    },
    {
      name: "caption",
      label: "Caption",
      type: "text",
      required: false,
      help: "Shown below the image.",
      options: { maxLength: CAPTION_CHARS_MAX },
    },
  ] satisfies NestedField[],
};
