/**
 * Labels in languages of the content.
 *
 * @module
 */
import { z } from "zod";
import { LANGUAGES_MAX } from "../../limits/content.ts";
import { isCanonical } from "./language.ts";
import { boundedText } from "../values/text_check.ts";

/** A text by the code of its language. */
export const labels = z.record(
  z.string().refine(isCanonical, "Must be a BCP 47 code in canonical case"),
  boundedText(1, 200),
).refine((texts) => Object.keys(texts).length <= LANGUAGES_MAX, {
  message: `At most ${LANGUAGES_MAX} languages`,
  params: { code: "TOO_LONG" },
});

/** Labels of the choices of a field. */
export const choiceLabels = z.record(z.string(), labels);
