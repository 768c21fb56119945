/**
 * The facets that web and email addresses have in common.
 *
 * @module
 */
import { z } from "zod";
import type { FieldType } from "../field_type.ts";
import { ADDRESS_OPERATORS } from "../filter_operator.ts";
import { noText, SCALAR, textIndex } from "../../values/scalar_index.ts";

/** Addresses are compared as a whole and are not part of full-text search. */
export const ADDRESS = {
  kind: "string",
  holds: null,
  richText: false,
  referenceTo: null,
  roles: ["facts", "hidden"],
  options: z.strictObject({}),
  can: SCALAR,
  operators: ADDRESS_OPERATORS,
  facet: "values",
  indexValues: textIndex,
  searchText: noText,
} satisfies Partial<FieldType>;
