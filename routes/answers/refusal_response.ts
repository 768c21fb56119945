/**
 * Refusals as HTTP responses: the status of each code, and the error envelope.
 *
 * @module
 */
import { ObjectStoreUnavailable, StoreUnavailable } from "../../kv/unavailable.ts";
import { DETAILS_MAX } from "../../kv/limits/requests.ts";
import { Refusal, type RefusalCode, unavailable } from "../../kv/refusals.ts";
import { StoreLocked } from "../../kv/store/driver.ts";

const STATUS = {
  PARAMETER_INVALID: 400,
  LANGUAGE_INVALID: 400,
  PAGINATION_INVALID: 400,
  FACET_INVALID: 400,
  FIELD_INVALID: 400,
  INCLUDE_INVALID: 400,
  COUNT_INVALID: 400,
  FILTER_INVALID: 400,
  FILTER_OPERATOR_INVALID: 400,
  FILTER_FIELD_INVALID: 400,
  FIELD_NOT_FILTERABLE: 400,
  SORT_FIELD_INVALID: 400,
  CURSOR_INVALID: 400,
  BODY_INVALID: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  PROOF_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  NOT_FOUND: 404,
  COLLECTION_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  SLUG_CONFLICT: 409,
  CURSOR_EXPIRED: 410,
  VERSION_PRUNED: 410,
  PRECONDITION_FAILED: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  STATUS_TRANSITION_NOT_SUPPORTED: 422,
  RESTORE_NOT_SUPPORTED: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const satisfies Record<RefusalCode, number>;

/** The status of a refusal. */
export function statusOf(refusal: Refusal): number {
  return STATUS[refusal.code];
}

/**
 * Turns a thrown error into a refusal: itself, an unavailable store, or a bug. A request whose
 * `Host` header is not a valid host gets NOT_FOUND.
 */
export function asRefusal(error: unknown, address?: string): Refusal {
  if (error instanceof Refusal) return error;
  if (address !== undefined && !URL.canParse(address)) {
    return new Refusal("NOT_FOUND", {}, { cause: error });
  }
  if (
    error instanceof StoreLocked || error instanceof StoreUnavailable ||
    error instanceof ObjectStoreUnavailable
  ) {
    return unavailable(error);
  }
  return new Refusal("INTERNAL", {}, { cause: error });
}

/** The error envelope of a refusal. */
export function errorOf({ code, message, facts: { details } }: Refusal) {
  return { code, message, ...(details && { details: details.slice(0, DETAILS_MAX) }) };
}

/** The error envelope of a refusal. */
export function refusalResponse(refusal: Refusal, headers: Record<string, string> = {}): Response {
  const { retryAfterSeconds, allow, closes } = refusal.facts;
  return new Response(JSON.stringify({ error: errorOf(refusal) }), {
    status: statusOf(refusal),
    headers: {
      ...headers,
      "content-type": "application/json",
      "cache-control": "no-store",
      ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
      ...(allow && { allow: allow.join(", ") }),
      ...(closes && { connection: "close" }),
    },
  });
}
