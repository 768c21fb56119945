/**
 * Brings a store to format 4: documents with a review of a translation have the marks that lists of reviews read.
 * Earlier releases marked reviews of originals only, so reviews of translations were in no list.
 *
 * @module
 */
import { listReferencesStep } from "./list_references_step.ts";
import type { FormatStep } from "./stored_format.ts";

/** The step: it adds the rows that documents lack, marks included. */
export const listReviewsStep: FormatStep = {
  ...listReferencesStep,
  to: 4,
  name: "list reviews of translations",
};
