/**
 * Every bound that the store, the specification or good sense sets, with its unit and reason.
 *
 * @module
 */

/** Largest value of one key, bytes (Deno KV). */
export const KV_VALUE_BYTES_MAX = 65_536;
/** Largest key, bytes (Deno KV). */
export const KV_KEY_BYTES_MAX = 2_048;
/**
 * Checks in one commit: ten is the strictest published limit (a denokv server; Deno itself allows 100), and
 * one of them belongs to the write fence of a remote store.
 */
export const KV_CHECKS_MAX = 9;
/** Mutations in one commit (Deno KV). */
export const KV_MUTATIONS_MAX = 1_000;
/** Total size of one commit, bytes (Deno KV). */
export const KV_COMMIT_BYTES_MAX = 819_200;
/** Keys of one getMany (Deno KV). */
export const KV_GET_MANY_MAX = 10;
/** Entries one range read may return (Deno KV). */
export const KV_LIST_MAX = 1_000;

/** Bytes of one piece of a chunked value: leaves room for the value's envelope. */
export const CHUNK_BYTES = 60_000;
/** A state up to this many bytes is kept inside its row; larger ones are chunked. */
export const INLINE_BYTES_MAX = 48_000;
/** Serialised states, and a document's `data` or `blocks`, above this go to the object store. */
export const SPILL_BYTES = 204_800;

/** Largest JSON body, bytes. */
export const BODY_BYTES_MAX = 5_000_000;
/** Deepest nesting of a JSON body; the outermost object is level 1. */
export const BODY_DEPTH_MAX = 64;

/** How long a contended write is retried before it is refused, milliseconds. */
export const WRITE_DEADLINE_MS = 3_000;
/** The same for a create, which finds another slug each time and so gets through in the end. */
export const CREATE_DEADLINE_MS = 180_000;
/** How often a contended write is retried before it is refused. */
export const WRITE_ATTEMPTS_MAX = 40;

/** Documents on a list page when nothing is asked for. */
export const PER_PAGE_DEFAULT = 20;
/** Documents on a list page at the most; more is clamped. */
export const PER_PAGE_MAX = 100;
/** Search results on a page at the most. */
export const SEARCH_PER_PAGE_MAX = 50;

/** Characters of a title. */
export const TITLE_CHARS_MAX = 300;
/** Characters of a given slug. */
export const SLUG_CHARS_MAX = 128;
/** Characters of a derived slug, before its `-2`. */
export const SLUG_DERIVED_CHARS_MAX = 96;
/** Characters of a text value that are indexed. */
export const INDEXED_CHARS_MAX = 500;

/** Fields of one collection, nested ones not counted: it is defined with all of them in one commit. */
export const FIELDS_MAX = 190;
/** Comments on one document, answers counted; they are kept together. */
export const COMMENTS_MAX = 200;
/** Characters of one comment. */
export const COMMENT_CHARS_MAX = 2_000;
/** Collections of one site. */
export const COLLECTIONS_MAX = 1_000;
/** Levels of repeaters and groups inside one another. */
export const FIELD_NESTING_MAX = 5;
/** Sort keys of one list request. */
export const SORT_KEYS_MAX = 32;
/** Values one list request may filter by. */
export const FILTER_VALUES_MAX = 100;
/** Conditions of one list request. */
export const FILTER_CONDITIONS_MAX = 40;
/** Levels of and, or and not inside one another. */
export const FILTER_LEVELS_MAX = 6;
/** Levels of `match` inside one another. */
export const MATCH_LEVELS_MAX = 2;
/** Includes of one request. */
export const INCLUDES_MAX = 8;
/** Levels of references that one include follows. */
export const INCLUDE_LEVELS_MAX = 3;
/** Facets of one list request. */
export const FACETS_MAX = 8;
/** Values of one facet. */
export const FACET_VALUES_MAX = 100;
/** Versions of one document that its headless history lists: ten times the cap of what is kept unless set. */
export const VERSIONS_LISTED_MAX = 1_000;
/** Documents of a site whose lists are worked out as of an instant. */
export const PAST_DOCUMENTS_MAX = 100_000;
/** Characters of the words of a search, after trimming. */
export const SEARCH_CHARS_MIN = 2;
/** And at the most. */
export const SEARCH_CHARS_MAX = 100;
/** Collections that one search may name. */
export const SEARCH_COLLECTIONS_MAX = 20;
/** Characters of a query string, without its cursor. */
export const QUERY_CHARS_MAX = 8_192;
/** Characters of a cursor: 32 sort keys of indexed text are longer than a query. */
export const CURSOR_CHARS_MAX = 64_000;
/** `unique` fields of one collection: each may cost a check of the nine that a commit has. */
export const UNIQUE_FIELDS_MAX = 5;

/** Failed fields that one response lists; a hostile body must not be answered with a larger one. */
export const DETAILS_MAX = 1_000;
/** Fields of one repeater, group or block definition. */
export const NESTED_FIELDS_MAX = 50;
/** Characters of a field's `pattern`. */
export const PATTERN_CHARS_MAX = 1_000;
/** Instructions of a compiled pattern; with the next limit, what bounds the worst match to seconds. */
export const PATTERN_PROGRAM_MAX = 2_500;
/** Characters of a text that a pattern is run on; longer text in such a field is refused. */
export const PATTERN_TEXT_CHARS_MAX = 50_000;
/** Choices of a select or multi_select. */
export const CHOICES_MAX = 1_000;
/** Elements of a repeater, a block field or the block tree. */
export const ROWS_MAX = 10_000;
/** Blocks, spans and mark definitions of one rich text. */
export const RICH_TEXT_NODES_MAX = 50_000;
/** Deepest nesting inside one rich text block. */
export const RICH_TEXT_DEPTH_MAX = 32;

if (CHUNK_BYTES >= KV_VALUE_BYTES_MAX || INLINE_BYTES_MAX >= CHUNK_BYTES) {
  throw new RangeError("CHUNK_BYTES and INLINE_BYTES_MAX must fit in one value");
}
// A row holds at most two inline-or-chunked parts below the spill threshold, and its snapshot spills then.
if (3 * SPILL_BYTES + INLINE_BYTES_MAX > KV_COMMIT_BYTES_MAX) {
  throw new RangeError("A commit must hold a state just below the spill threshold");
}

/** Requests a minute of a token when nothing is asked for. */
export const QUOTA_DEFAULT = 60;
/** Requests a minute of a token at the most; a rate-limit window fits in one value far beyond that. */
export const QUOTA_MAX = 1_000_000_000;
/** Scopes of one token. */
export const TOKEN_SCOPES_MAX = 200;
/** Allowed origins of one token: with its scopes they must fit inside its row. */
export const TOKEN_ORIGINS_MAX = 50;
/** Requests a minute of a client address: searches, and requests that fail authentication. */
export const ADDRESS_QUOTA = 60;
/** The latest instant that may be given, epoch seconds: the end of the year 9999. */
export const INSTANT_SECONDS_MAX = 253_402_300_799;
/** A token's `last_used_at` is written at most this often, seconds. */
export const LAST_USED_SECONDS = 60;

/** How long the record of a write with an idempotency key answers repetitions, milliseconds. */
export const IDEMPOTENCY_MS = 86_400_000;
/** Characters of an idempotency key. */
export const IDEMPOTENCY_KEY_CHARS_MAX = 200;
/** Lines of one bulk request. */
export const BULK_LINES_MAX = 100_000;
/** Bytes of one bulk request. */
export const BULK_BYTES_MAX = 100_000_000;
/** Lines of a bulk request that count as one request against the quota. */
export const BULK_LINES_PER_REQUEST = 100;
/** Lines of a bulk request that are worked on at the same time: enough to fill shared commits. */
export const BULK_LINES_AT_ONCE = 64;
/** Bytes of those lines; what waits beyond it is not read yet. */
export const BULK_BYTES_AT_ONCE = 6_000_000;

/** How long changes are kept for cursors that come back, seconds: five days more than is promised. */
export const CHANGES_KEPT_SECONDS = 35 * 86_400;
/** Changes on a page when nothing is asked for, and at the most. */
export const CHANGES_PER_PAGE_DEFAULT = 100;
export const CHANGES_PER_PAGE_MAX = 1_000;
/** How long a request may wait for a change at the most, seconds. */
export const CHANGES_WAIT_SECONDS_MAX = 30;

/** Webhooks of one site. */
export const WEBHOOKS_MAX = 100;
/** How long messages to webhooks are kept, with their answers, milliseconds. */
export const WEBHOOK_DELIVERIES_KEPT_MS = 7 * 86_400_000;
/** Messages of one webhook that its list shows, the newest. */
export const WEBHOOK_DELIVERIES_LISTED_MAX = 1_000;

/** Releases of one site, published ones included: a list of them reads them all. */
export const RELEASES_MAX = 1_000;
/** Releases of one site that are not published yet. */
export const RELEASES_OPEN_MAX = 100;
/** Documents of one release: what is planned for them is one commit, and what came of it is another. */
export const RELEASE_DOCUMENTS_MAX = 400;

/** Documents that an agent is given when it asks for no number: more is much to read. */
export const MCP_PER_PAGE_DEFAULT = 20;

/** How long an upload may take to come up to speed, milliseconds. */
export const UPLOAD_GRACE_MS = 20_000;
/** The slowest an upload may be after that, on the whole: 25 MB in under 17 minutes. */
export const UPLOAD_BYTES_PER_SECOND_MIN = 25_000;

/** Large documents of a list page that are read at the same time. */
export const READ_AHEAD_MAX = 8;
/** Bytes of large documents that a list page reads ahead of what it has written; one may be larger. */
export const READ_AHEAD_BYTES_MAX = 2_000_000;
