/**
 * The position of a collection's field in the form of a document, and the condition for showing it. The
 * options of the definition set both; they affect editors only: hidden values are stored, checked and served.
 *
 * @module
 */
import { z } from "zod";
import { boundedText } from "../values/text_check.ts";

/** The options of a field about its place in the form. */
export const FieldPlacement = z.strictObject({
  /** Fields of one tab stand on it together; those of none are on the first, with the page's blocks. */
  tab: boundedText(1, 200).exactOptional(),
  /** Fields of one group stand together under its name, below those of none. */
  group: boundedText(1, 200).exactOptional(),
  /** Whether the field is in the side column. */
  side: z.boolean().exactOptional(),
  /** Name of another field: it is shown while that one has a value. A field that is gone hides nothing. */
  showWhen: z.string().regex(/^[a-z][a-zA-Z0-9_]{0,63}$/, "Must be the name of a field")
    .exactOptional(),
  /** With `showWhen`: while that one has this value, `true` and `false` for a switch. */
  showWhenIs: boundedText(1, 200).exactOptional(),
});
export type FieldPlacement = z.infer<typeof FieldPlacement>;

/** The names of what it says. */
export const PLACEMENT_NAMES = Object.keys(FieldPlacement.shape) as (keyof FieldPlacement)[];
