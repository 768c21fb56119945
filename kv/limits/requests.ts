/**
 * The bounds of requests: bodies, lists, filters, searches, the change feed, each with its unit and reason.
 *
 * @module
 */

/** Largest JSON body, bytes. */
export const BODY_BYTES_MAX = 5_000_000;
/** Deepest nesting of a JSON body; the outermost object is level 1. */
export const BODY_DEPTH_MAX = 64;
/** Documents on a list page when nothing is asked for. */
export const PER_PAGE_DEFAULT = 20;
/** The most documents on a list page; more is clamped. */
export const PER_PAGE_MAX = 100;
/** The most search results on a page. */
export const SEARCH_PER_PAGE_MAX = 50;
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
/** Documents of a collection whose lists are worked out as of an instant. */
export const PAST_DOCUMENTS_MAX = 100_000;
/** Characters of the words of a search, after trimming. */
export const SEARCH_CHARS_MIN = 2;
/** And the most. */
export const SEARCH_CHARS_MAX = 100;
/** Collections that one search may name. */
export const SEARCH_COLLECTIONS_MAX = 20;
/** Characters of a query string, without its cursor. */
export const QUERY_CHARS_MAX = 8_000;
/** Characters of a cursor: 32 sort keys of indexed text are longer than a query. */
export const CURSOR_CHARS_MAX = 64_000;
/** Failed fields that one response lists; a hostile body must not be answered with a larger one. */
export const DETAILS_MAX = 1_000;
/** The earliest and the latest instant that may be given, epoch seconds: the years -9999 to 9999. */
export const INSTANT_SECONDS_MIN = -377_705_116_800;
export const INSTANT_SECONDS_MAX = 253_402_300_799;
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
/** How long changes are kept for cursors that come back, seconds: five days more than is promised. */
export const CHANGES_KEPT_SECONDS = 35 * 86_400;
/** Changes on a page by default, and the most. */
export const CHANGES_PER_PAGE_DEFAULT = 100;
export const CHANGES_PER_PAGE_MAX = 1_000;
/** The longest that a request may wait for a change, seconds. */
export const CHANGES_WAIT_SECONDS_MAX = 30;
/** Documents that an agent is given when it asks for no number: more is much to read. */
export const MCP_PER_PAGE_DEFAULT = 20;
/** How long an upload may take to come up to speed, milliseconds. */
export const UPLOAD_GRACE_MS = 20_000;
/** The slowest an upload may be after that, on the whole: 25 MB in under 17 minutes. */
export const UPLOAD_BYTES_PER_SECOND_MIN = 25_000;
/** The farthest position, or page, that may be named. */
export const POSITION_MAX = 1_000_000;
/** Characters of a cursor of the change feed. */
export const CHANGE_CURSOR_CHARS_MAX = 1_000;
/** Characters of a snippet, marks and escapes not counted. */
export const SNIPPET_CHARS_MAX = 240;
