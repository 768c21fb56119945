/**
 * The operators of filters, and which of them fit what kind of value.
 *
 * @module
 */

/** Every operator, as parameters and JSON filters spell them. */
const FILTER_OPERATORS = [
  "eq",
  "ne",
  "in",
  "nin",
  "exists",
  "gt",
  "gte",
  "lt",
  "lte",
  "contains",
  "startsWith",
  "endsWith",
  "all",
  "match",
] as const;

/** An operator of a filter. */
export type FilterOperator = typeof FILTER_OPERATORS[number];

/** Operators of everything that can be filtered by. */
export const EQUALITY_OPERATORS = ["eq", "ne", "in", "nin", "exists"] as const;

/** Operators that compare by order. */
export const RANGE_OPERATORS = ["gt", "gte", "lt", "lte"] as const;
/** Operators that look at a part of a text. */
export const SUBSTRING_OPERATORS = ["contains", "startsWith", "endsWith"] as const;

/** Operators of values that have an order: numbers and times. */
export const ORDER_OPERATORS = [...EQUALITY_OPERATORS, ...RANGE_OPERATORS] as const;
/** Operators of addresses. */
export const ADDRESS_OPERATORS = [...EQUALITY_OPERATORS, ...SUBSTRING_OPERATORS] as const;
/** Operators of text. */
export const TEXT_OPERATORS = [...ORDER_OPERATORS, ...SUBSTRING_OPERATORS] as const;
/** Operators of lists of choices. */
export const LIST_OPERATORS = [...EQUALITY_OPERATORS, "all"] as const;
/** Operators of lists of ids of documents. */
export const REFERENCES_OPERATORS = [...LIST_OPERATORS, "match"] as const;
/** Operators of ids of documents; `match` filters by the target's own fields. */
export const REFERENCE_OPERATORS = [...EQUALITY_OPERATORS, "match"] as const;
