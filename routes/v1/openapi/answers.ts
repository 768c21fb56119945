/**
 * Reusable answers: every failure with its codes, and the headers that answers carry.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { type RefusalCode, REFUSALS } from "../../../kv/refusals.ts";
import { ref } from "./shared_schemas.ts";

/** A part of the description. */
export type Part = { [key: string]: Json };

/** Text of the site for a `description`, which is Markdown: HTML in it stays text. */
export function markdown(text: string): string {
  return text.replaceAll("<", "&lt;");
}

/** Response headers by component name. */
export const HEADERS: { [name: string]: Part } = {
  ETag: header("Strong ETag of this representation.", '"7-3f1c"', true),
  WeakETag: header(
    "Weak ETag of the results: `took_ms` does not affect it.",
    'W/"3f1c"',
    true,
  ),
  WrittenETag: header("Strong ETag of this representation. Absent in a dry run.", '"7-3f1c"'),
  IdempotencyReplayed: header(
    "`true` if this is the stored response to an earlier request with the same key.",
    "true",
  ),
  Location: header("Path of the new resource.", "/api/v1/posts/01JZ0000000000000000000000", true),
  RateLimit: header(
    "Requests left in the quota (`r`) and seconds until the next one is available (`t`).",
    '"default";r=59;t=1',
  ),
  RateLimitPolicy: header(
    "The quota (`q`) and its window in seconds (`w`).",
    '"default";q=60;w=60',
  ),
  RetryAfter: {
    ...header("Seconds to wait before retrying.", "17", true),
    schema: { type: "string", pattern: "^[0-9]+$" },
  },
  RequestId: header(
    "Identifies this request in the server log.",
    "01JZ0000000000000000000000",
    true,
  ),
  DocumentsRead: header("How many documents and media the response took.", "12"),
  Allow: header("The methods that this path supports.", "GET, HEAD, POST", true),
  CacheControl: header("How long shared caches may store the response.", "public, max-age=60"),
};

function header(description: string, example: string, required = false): Part {
  return { description, ...(required ? { required } : {}), schema: { type: "string" }, example };
}

const HEADER_NAMES: { [component: string]: string } = {
  ETag: "ETag",
  WeakETag: "ETag",
  WrittenETag: "ETag",
  IdempotencyReplayed: "Idempotency-Replayed",
  Location: "Location",
  RateLimit: "RateLimit",
  RateLimitPolicy: "RateLimit-Policy",
  RetryAfter: "Retry-After",
  RequestId: "X-Request-Id",
  DocumentsRead: "X-Documents-Read",
  Allow: "Allow",
  CacheControl: "Cache-Control",
};

/** The named headers and those that every answer has, as references. */
export function headers(...components: string[]): Part {
  const all = [...components, "RequestId"];
  return Object.fromEntries(
    all.map((name) => [HEADER_NAMES[name] ?? name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** The headers of an answer that was counted against a quota. */
export function countedHeaders(...components: string[]): Part {
  return headers(...components, "RateLimit", "RateLimitPolicy");
}

interface Failure {
  status: number;
  description: string;
  codes: RefusalCode[];
  headers?: string[];
  /** The code whose example shows a failed field. */
  detail?: Part;
}

const DETAIL = { field: "rating", code: "TOO_LARGE", message: "Must be at most 5" };
const FILTER_DETAIL = {
  field: "field.rating",
  code: "INVALID_FILTER_VALUE",
  message: "Is not a number",
};

/** Every failure by component name. */
const FAILURES: { [name: string]: Failure } = {
  ListQueryInvalid: {
    status: 400,
    description: "A parameter is invalid. The message names it and lists what is allowed.",
    codes: [
      "PARAMETER_INVALID",
      "PAGINATION_INVALID",
      "CURSOR_INVALID",
      "FIELD_INVALID",
      "INCLUDE_INVALID",
      "COUNT_INVALID",
      "FACET_INVALID",
      "FILTER_INVALID",
      "FILTER_OPERATOR_INVALID",
      "SORT_FIELD_INVALID",
      "FILTER_FIELD_INVALID",
      "FIELD_NOT_FILTERABLE",
      "LANGUAGE_INVALID",
    ],
  },
  PagingInvalid: {
    status: 400,
    description: "`page` or `perPage` is invalid.",
    codes: ["PAGINATION_INVALID", "PARAMETER_INVALID"],
  },
  ReadQueryInvalid: {
    status: 400,
    description: "A parameter is invalid. The message names it and lists what is allowed.",
    codes: [
      "PARAMETER_INVALID",
      "FIELD_INVALID",
      "INCLUDE_INVALID",
      "COUNT_INVALID",
      "FILTER_INVALID",
      "FILTER_OPERATOR_INVALID",
      "SORT_FIELD_INVALID",
      "FILTER_FIELD_INVALID",
      "FIELD_NOT_FILTERABLE",
      "LANGUAGE_INVALID",
    ],
  },
  SearchInvalid: {
    status: 400,
    description: "`page`, `perPage`, `exact` or `facets` is invalid.",
    codes: ["PAGINATION_INVALID", "PARAMETER_INVALID", "FACET_INVALID"],
  },
  BodyInvalid: {
    status: 400,
    description:
      "The body is missing, not a JSON object, or nested too deeply, or a parameter or header is out of range.",
    codes: ["BODY_INVALID", "PARAMETER_INVALID"],
  },
  Unauthenticated: {
    status: 401,
    description: "The token is missing, malformed, unknown, expired or revoked.",
    codes: ["UNAUTHENTICATED"],
  },
  Forbidden: {
    status: 403,
    description: "The token lacks the required scope.",
    codes: ["FORBIDDEN"],
  },
  CollectionNotFound: {
    status: 404,
    description: "The collection does not exist: it was deleted or its slug has changed.",
    codes: ["COLLECTION_NOT_FOUND"],
  },
  ListNotFound: {
    status: 404,
    description:
      "The collection does not exist (it was deleted or its slug has changed), or there is no open release with that ID.",
    codes: ["COLLECTION_NOT_FOUND", "NOT_FOUND"],
  },
  NotFound: {
    status: 404,
    description: "The document does not exist, or the token is not allowed to see it.",
    codes: ["NOT_FOUND", "COLLECTION_NOT_FOUND"],
  },
  VersionPruned: {
    status: 410,
    description: "The version from that time has been removed from the history.",
    codes: ["VERSION_PRUNED"],
  },
  QueryRefused: {
    status: 422,
    description: "`at` is not an integer, or is in the future.",
    codes: ["VALIDATION_FAILED"],
    detail: { field: "at", code: "TOO_LARGE", message: "Must not be in the future" },
  },
  MethodNotAllowed: {
    status: 405,
    description:
      "The path does not support this method. An empty path parameter also causes this error.",
    codes: ["METHOD_NOT_ALLOWED"],
    headers: ["Allow"],
  },
  Conflict: {
    status: 409,
    description:
      "The slug is already taken, or another request changed the document at the same time.",
    codes: ["SLUG_CONFLICT", "CONFLICT"],
  },
  DeleteConflict: {
    status: 409,
    description: "Another request changed the resource at the same time.",
    codes: ["CONFLICT"],
  },
  PreconditionFailed: {
    status: 412,
    description: "`If-Match` does not match the current ETag.",
    codes: ["PRECONDITION_FAILED"],
  },
  PayloadTooLarge: {
    status: 413,
    description: "The body is larger than 5 MB.",
    codes: ["PAYLOAD_TOO_LARGE"],
  },
  UnsupportedMediaType: {
    status: 415,
    description: "The content type is not supported.",
    codes: ["UNSUPPORTED_MEDIA_TYPE"],
  },
  ListRefused: {
    status: 422,
    description: "A filter value has the wrong type for its field.",
    codes: ["VALIDATION_FAILED"],
    detail: FILTER_DETAIL,
  },
  SearchRefused: {
    status: 422,
    description: "A search parameter is out of range.",
    codes: ["VALIDATION_FAILED"],
    detail: { field: "q", code: "TOO_SHORT", message: "Must have at least 2 characters" },
  },
  ParameterInvalid: {
    status: 400,
    description: "A parameter or header is invalid.",
    codes: ["PARAMETER_INVALID"],
  },
  CursorInvalid: {
    status: 400,
    description: "The cursor was not issued by this service, or a parameter is out of range.",
    codes: ["CURSOR_INVALID", "PARAMETER_INVALID"],
  },
  CursorExpired: {
    status: 410,
    description: "The cursor is older than the stored changes. Start again without a cursor.",
    codes: ["CURSOR_EXPIRED"],
  },
  KeyReused: {
    status: 422,
    description: "The idempotency key was already used for a different request.",
    codes: ["IDEMPOTENCY_KEY_REUSED"],
  },
  CreateRefused: {
    status: 422,
    description: "Field validation failed, or the body has an unknown key.",
    codes: ["VALIDATION_FAILED", "IDEMPOTENCY_KEY_REUSED"],
    detail: DETAIL,
  },
  PatchRefused: {
    status: 422,
    description:
      "Field validation failed, the body has an unknown key, or the request would change the status.",
    codes: [
      "VALIDATION_FAILED",
      "STATUS_TRANSITION_NOT_SUPPORTED",
      "IDEMPOTENCY_KEY_REUSED",
    ],
    detail: DETAIL,
  },
  RateLimited: {
    status: 429,
    description: "The quota is exhausted. Retry after the time in `Retry-After`.",
    codes: ["RATE_LIMITED"],
    headers: ["RetryAfter"],
  },
  Internal: {
    status: 500,
    description: "Unexpected error. The server log has the details under the request ID.",
    codes: ["INTERNAL"],
  },
  Unavailable: {
    status: 503,
    description: "The store is not responding. Retry after the time in `Retry-After`.",
    codes: ["UNAVAILABLE"],
    headers: ["RetryAfter"],
  },
};

/** The failures that any authenticated request may meet. */
export const BEARER_FAILURES = ["Unauthenticated", "RateLimited", "Internal", "Unavailable"];

/** The failures that any request may meet. */
export const PUBLIC_FAILURES = ["Internal", "Unavailable"];

/** Component `responses`: every failure, and "not modified". */
export function responseComponents(): Part {
  const components: Part = {
    NotModified: {
      description: "`If-None-Match` matches the current ETag.",
      headers: countedHeaders("ETag"),
    },
  };
  for (const [name, failure] of Object.entries(FAILURES)) {
    components[name] = failureResponse(failure);
  }
  return components;
}

function failureResponse(failure: Failure): Part {
  // Repeats all properties, because linters report properties that a subschema does not name.
  const error = { code: { enum: failure.codes }, message: {}, details: {} };
  const narrowed: Part = {
    type: "object",
    properties: { error: { type: "object", properties: error } },
  };
  return {
    description: failure.description,
    headers: countedHeaders(...failure.headers ?? []),
    content: {
      "application/json": {
        schema: { allOf: [ref("Problem"), narrowed] },
        examples: Object.fromEntries(
          failure.codes.map((code) => [code, { value: failureExample(code, failure.detail) }]),
        ),
      },
    },
  };
}

function failureExample(code: RefusalCode, detail?: Part): Part {
  const details = code === "VALIDATION_FAILED" && detail !== undefined ? { details: [detail] } : {};
  return { error: { code, message: REFUSALS[code], ...details } };
}

/** References to failures, by status. */
export function failures(...names: string[]): Part {
  const answers: Part = {};
  for (const name of names) {
    answers[String(FAILURES[name]!.status)] = { $ref: `#/components/responses/${name}` };
  }
  return answers;
}

/** A reference to "not modified", by status. */
export const NOT_MODIFIED: Part = { "304": { $ref: "#/components/responses/NotModified" } };

/** A JSON answer. */
export function jsonAnswer(
  description: string,
  headers: Part,
  schema: Part,
  examples?: Part,
): Part {
  const content = { "application/json": { schema, ...(examples ? { examples } : {}) } };
  return { description, headers, content };
}
