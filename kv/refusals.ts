/**
 * Every expected failure, with its fixed sentence. The routes give each code its status; nothing below
 * them knows HTTP. Anything thrown that is not a {@linkcode Refusal} is a bug.
 *
 * @module
 */
import { ObjectsFull, StoreFull } from "./unavailable.ts";

/** After a full disk stopped a write, a client waits this long before it tries again, seconds. */
const FULL_RETRY_SECONDS = 10;

/** Fixed sentence per code. */
export const REFUSALS = {
  PARAMETER_INVALID: "A parameter or header is invalid",
  LANGUAGE_INVALID: "There is no such language",
  PAGINATION_INVALID: "Pagination is invalid",
  FACET_INVALID: "The field does not support facets",
  CURSOR_INVALID: "The cursor does not belong to this list",
  FIELD_INVALID: "Unknown field",
  INCLUDE_INVALID: "This cannot be included",
  COUNT_INVALID: "This cannot be counted",
  FILTER_INVALID: "The filter is invalid",
  FILTER_OPERATOR_INVALID: "The operator does not fit the field",
  FILTER_FIELD_INVALID: "The collection has no such field",
  FIELD_NOT_FILTERABLE: "The field cannot be filtered by",
  SORT_FIELD_INVALID: "The field cannot be sorted by",
  BODY_INVALID: "The body must be a JSON object",
  UNAUTHENTICATED: "Authentication required",
  FORBIDDEN: "Not allowed",
  PROOF_REQUIRED: "A recent proof of identity is required",
  SECOND_FACTOR_REQUIRED: "A second factor must be set up first",
  NOT_FOUND: "Not found",
  COLLECTION_NOT_FOUND: "Collection not found",
  METHOD_NOT_ALLOWED: "Method not allowed",
  CONFLICT: "The change conflicts with the current state",
  VERSION_PRUNED: "The version has been pruned from the history",
  SLUG_CONFLICT: "The slug is already used in this collection",
  PRECONDITION_FAILED: "The document has changed since it was read",
  CURSOR_EXPIRED: "The cursor has expired",
  PAYLOAD_TOO_LARGE: "The body is too large",
  UNSUPPORTED_MEDIA_TYPE: "The content type is not supported",
  VALIDATION_FAILED: "Validation failed",
  IDEMPOTENCY_KEY_REUSED: "The idempotency key belongs to another request",
  STATUS_TRANSITION_NOT_SUPPORTED: "The status cannot be changed here",
  RESTORE_NOT_SUPPORTED: "This entity type cannot be restored",
  RATE_LIMITED: "Rate limit exceeded",
  INTERNAL: "Internal error",
  UNAVAILABLE: "The store is not responding",
} as const;

/** Stable code of an expected failure. */
export type RefusalCode = keyof typeof REFUSALS;

/** Stable code of one failed field. */
export type DetailCode =
  | "REQUIRED"
  | "INVALID_TYPE"
  | "TOO_SMALL"
  | "TOO_LARGE"
  | "TOO_LONG"
  | "TOO_SHORT"
  | "PATTERN_MISMATCH"
  | "INVALID_CHOICE"
  | "NOT_UNIQUE"
  | "UNKNOWN_KEY"
  | "INVALID_REFERENCE"
  | "INVALID_FILTER_VALUE"
  | "INVALID_STATUS"
  | "INVALID_SCOPE"
  | "INVALID_LANGUAGE";

/** One failed field of a body or query; `field` is a dotted path. */
export interface Detail {
  field: string;
  code: DetailCode;
  message: string;
}

/** The facts of a refusal besides its code. */
export interface RefusalFacts {
  /** The variable part, appended to the fixed sentence: `The field cannot be sorted by: price`. */
  about?: string;
  details?: Detail[];
  /** Seconds after which trying again makes sense. */
  retryAfterSeconds?: number;
  /** Whether the connection is of no more use. */
  closes?: true;
  /** The methods that the path knows, for METHOD_NOT_ALLOWED. */
  allow?: string[];
}

/** An expected failure, safe to show to the caller. */
export class Refusal extends Error {
  override name = "Refusal";

  constructor(
    readonly code: RefusalCode,
    readonly facts: RefusalFacts = {},
    options?: ErrorOptions,
  ) {
    super(REFUSALS[code] + (facts.about === undefined ? "" : `: ${facts.about}`), options);
  }
}

/** Each detail as a line: `slug: Another document has this slug`. */
export function detailLines(details: readonly Detail[] = []): string[] {
  return details.map(({ field, message }) => `${field}: ${message}`);
}

/** A VALIDATION_FAILED with one detail. */
export function invalid(field: string, code: DetailCode, message: string): Refusal {
  return new Refusal("VALIDATION_FAILED", { details: [{ field, code, message }] });
}

/** The refusal of a store that stays locked, contended, silent or full; trying again makes sense. */
export function unavailable(cause: unknown): Refusal {
  if (cause instanceof StoreFull || cause instanceof ObjectsFull) {
    const facts = { about: "the disk is full", retryAfterSeconds: FULL_RETRY_SECONDS };
    return new Refusal("UNAVAILABLE", facts, { cause });
  }
  return new Refusal("UNAVAILABLE", { retryAfterSeconds: 1 }, { cause });
}
