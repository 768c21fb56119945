/**
 * The choices of select and multi_select fields.
 *
 * @module
 */
import { z } from "zod";
import { CHOICE_CHARS_MAX, CHOICES_MAX } from "../../limits/content.ts";
import { boundedText } from "./text_check.ts";
import { customIssue } from "../input/zod_details.ts";

/** A list of texts in which none comes twice. */
export function distinct<T extends z.ZodType<string>>(list: z.ZodArray<T>): z.ZodArray<T> {
  return list.superRefine((texts, context) => {
    const seen = new Set<string>();
    for (const [position, text] of texts.entries()) {
      if (seen.has(text)) {
        context.addIssue(customIssue("NOT_UNIQUE", "Is listed twice", [position]));
      }
      seen.add(text);
    }
  });
}

/** The `choices` option. */
export const choiceList = distinct(
  z.array(boundedText(1, CHOICE_CHARS_MAX)).min(1).max(CHOICES_MAX),
);
