/**
 * Every bound that the store, the specification or good sense sets, with its unit and reason.
 *
 * @module
 */

/** Largest value of one key, bytes (Deno KV). */
export const KV_VALUE_BYTES_MAX = 65_536;
/** Largest key, bytes (Deno KV). */
export const KV_KEY_BYTES_MAX = 2_048;
/** Checks in one commit: a denokv server takes ten (Deno 100), of which the fence of a remote store is one. */
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

/** How long a contended write is retried before it is refused, milliseconds; but it is tried a few times anyway. */
export const WRITE_DEADLINE_MS = 3_000;
/** The same for a create, which finds another slug each time and so gets through in the end. */
export const CREATE_DEADLINE_MS = 180_000;

/** Documents on a list page when nothing is asked for. */
export const PER_PAGE_DEFAULT = 20;
/** The most documents on a list page; more is clamped. */
export const PER_PAGE_MAX = 100;
/** The most search results on a page. */
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
if (3 * SPILL_BYTES + INLINE_BYTES_MAX > KV_COMMIT_BYTES_MAX) {
  throw new RangeError("A commit must hold a state just below the spill threshold");
}

/** Requests a minute of a token when nothing is asked for. */
export const QUOTA_DEFAULT = 60;
/** The most requests per minute of a token; a rate-limit window fits in one value far beyond that. */
export const QUOTA_MAX = 1_000_000_000;
/** Scopes of one token. */
export const TOKEN_SCOPES_MAX = 200;
/** Allowed origins of one token: with its scopes they must fit inside its row. */
export const TOKEN_ORIGINS_MAX = 50;
/** Requests a minute of a client address: searches, and requests that fail authentication. */
export const ADDRESS_QUOTA = 60;
/** The earliest and the latest instant that may be given, epoch seconds: the years -9999 to 9999. */
export const INSTANT_SECONDS_MIN = -377_705_116_800;
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

/** How long changes are kept for cursors that come back, seconds: five days more than is promised. */
export const CHANGES_KEPT_SECONDS = 35 * 86_400;
/** Changes on a page by default, and the most. */
export const CHANGES_PER_PAGE_DEFAULT = 100;
export const CHANGES_PER_PAGE_MAX = 1_000;
/** The longest that a request may wait for a change, seconds. */
export const CHANGES_WAIT_SECONDS_MAX = 30;

/** Failures in a row after which the code of a plugin is paused. */
export const CODE_FAILURES_MAX = 5;
/** Webhooks of one site. */
export const WEBHOOKS_MAX = 100;
/** How long messages to webhooks are kept, with their answers, milliseconds. */
export const DELIVERIES_KEPT_MS = 7 * 86_400_000;
/** Messages of one webhook that its list shows, the newest. */
export const DELIVERIES_LISTED_MAX = 1_000;

/** Releases of one site, published ones included: a list of them reads them all. */
export const RELEASES_MAX = 1_000;
/** Releases of one site that are not published yet. */
export const RELEASES_OPEN_MAX = 100;
/** Documents of one release: what is planned for them is one commit, and what came of it is another. */
export const RELEASE_DOCUMENTS_MAX = 400;
/** Working copies of a site up to which `draft=true` finds documents by what they hold. */
export const WORKING_COPIES_LAID_MAX = 20_000;

/** Documents that an agent is given when it asks for no number: more is much to read. */
export const MCP_PER_PAGE_DEFAULT = 20;

/** How long an upload may take to come up to speed, milliseconds. */
export const UPLOAD_GRACE_MS = 20_000;
/** The slowest an upload may be after that, on the whole: 25 MB in under 17 minutes. */
export const UPLOAD_BYTES_PER_SECOND_MIN = 25_000;

// Text of fields and entities

/** Characters of a name, label or subject, and of a slug that is only looked up. */
export const NAME_CHARS_MAX = 200;
/** Characters of a description or of a help text. */
export const DESCRIPTION_CHARS_MAX = 1_000;
/** Characters of the id of something from elsewhere: a publisher, a time zone, what a plugin asks for. */
export const ID_CHARS_MAX = 64;
/** The farthest position, or page, that may be named. */
export const POSITION_MAX = 1_000_000;
/** Kinds of blocks that a field names. */
export const BLOCK_KINDS_MAX = 200;
/** Types of files that a field names, and characters of each. */
export const MIMES_MAX = 50;
export const MIME_CHARS_MAX = 100;
/** Characters of one choice; within what is indexed of a text. */
export const CHOICE_CHARS_MAX = 200;
/** Characters of an address; what browsers, servers and sitemaps agree on. */
export const URL_CHARS_MAX = 2_048;
/** Characters of a mail address (RFC 5321). */
export const EMAIL_CHARS_MAX = 254;
/** Farthest second from the epoch that a `Date` can hold. */
export const DATE_SECONDS_MAX = 8_640_000_000_000;
/** Characters of a `_type` or `_key`. */
export const RICH_TEXT_NAME_CHARS_MAX = 128;
/** Deepest level of a list inside a rich text that is edited and rendered. */
export const RICH_TEXT_LIST_LEVEL_MAX = 6;
/** Characters of the path of a value inside a document. */
export const FIELD_PATH_CHARS_MAX = 512;
/** And its steps. */
export const FIELD_PATH_STEPS_MAX = 40;
/** Changes that a comparison of two states lists. */
export const DIFF_CHANGES_MAX = 1_000;
/** Former keys that a field remembers. */
export const FORMER_KEYS_MAX = 20;
/** Documents that a dry run of a change to a schema names. */
export const IMPACT_EXAMPLES_MAX = 10;
/** Characters of a value in an example. */
export const EXAMPLE_CHARS_MAX = 200;
/** Ids of one document that get a row: old and new ones must fit in one commit with all the rest. */
export const REFERENCE_ROWS_MAX = 300;
/** Views that one owner may have. */
export const VIEWS_MAX = 100;
/** Characters of a view's name. */
export const VIEW_NAME_CHARS_MAX = 80;
/** Columns that the layout of a list knows. */
export const LAYOUT_COLUMNS_MAX = 200;
/** Characters of a view's query. */
export const VIEW_QUERY_CHARS_MAX = 2_000;
/** Characters of a cursor of the change feed. */
export const CHANGE_CURSOR_CHARS_MAX = 1_000;
/** Levels that are compared one by one; what is deeper counts as one value. */
export const DIFF_DEPTH_MAX = 12;

// People, tokens, roles

/** Characters of a password. */
export const PASSWORD_CHARS_MIN = 12;
/** And the most: hashing reads all of it. */
export const PASSWORD_CHARS_MAX = 200;
/** Characters of a credential that is only right or wrong. */
export const CREDENTIAL_CHARS_MAX = 1_000;
/** Characters of a role's name. */
export const ROLE_NAME_CHARS_MAX = 64;
/** Roles of one user. */
export const USER_ROLES_MAX = 20;
/** Users of one site: what is known of them is kept in memory. */
export const USERS_MAX = 10_000;
/** Roles of one site. */
export const ROLES_MAX = 100;
/** Sessions of a user that are listed. */
export const SESSIONS_LISTED_MAX = 1_000;
/** Characters of what a browser says it is. */
export const AGENT_CHARS_MAX = 300;
/** Attempts to sign in within a quarter of an hour, of an address and of an account. */
export const SIGN_IN_ATTEMPTS_MAX = 10;
/** How long a token works on after it was replaced, seconds: a week. */
export const TOKEN_OVERLAP_SECONDS_MAX = 604_800;
/** Characters of one origin. */
export const ORIGIN_CHARS_MAX = 300;

// Media and objects

/** Largest upload, bytes (the specification's `maxBytes`). */
export const MEDIA_BYTES_MAX = 25_000_000;
/** Characters of an alternative text. */
export const ALT_CHARS_MAX = 1_000;
/** Characters of the path of a folder of media. */
export const FOLDER_CHARS_MAX = 300;
/** Folders inside of one another. */
export const FOLDER_LEVELS_MAX = 8;
/** Tags of a medium. */
export const TAGS_MAX = 30;
/** Characters of a tag. */
export const TAG_CHARS_MAX = 60;
/** Characters of a medium's title. */
export const MEDIA_TITLE_CHARS_MAX = 300;
/** Characters of a file name. */
export const FILENAME_CHARS_MAX = 200;
/** Bound of a side that nothing was asked for, pixels. */
export const UNASKED_SIDE_PIXELS_MAX = 1920;
/** Most pixels of a picture that is transformed: 12 million take 330 MB for a second or two. */
export const TRANSFORM_PIXELS_MAX = 16_000_000;
/** Longest side of a picture, pixels: what JPEG can say. */
export const SIDE_PIXELS_MAX = 65_535;
/** Crops of a picture, and shapes that a site adds. */
export const CROPS_MAX = 20;
/** Documents that use a medium, as far as they are looked for. */
export const MEDIA_USES_MAX = 1_000;
/** Longest key, bytes (S3). */
export const OBJECT_KEY_BYTES_MAX = 1_024;
/** Longest part between two slashes, bytes: leaves room for escapes in a file name of 255. */
export const OBJECT_KEY_PART_BYTES_MAX = 255;

// Packages and webhooks

/** Themes, and plugins, of one site. */
export const PACKAGES_MAX = 100;
/** Files of a package besides manifest and signature. */
export const PACKAGE_FILES_MAX = 200;
/** Bytes of packages by kind, packed and unpacked. */
export const PACKAGE_BYTES_MAX: Readonly<
  Record<"plugin" | "theme", { packed: number; unpacked: number }>
> = {
  plugin: { packed: 1_000_000, unpacked: 5_000_000 },
  theme: { packed: 5_000_000, unpacked: 25_000_000 },
};
/** Bytes of the manifest of a package or of a backup. */
export const MANIFEST_BYTES_MAX = 100_000;
/** Characters of a package's id. */
export const PACKAGE_ID_CHARS_MAX = 128;
/** Capabilities of one package. */
export const CAPABILITIES_MAX = 50;
/** Entries of the public site's menu. */
export const MENU_ENTRIES_MAX = 24;
/** Publishers that a site trusts. */
export const PUBLISHERS_MAX = 100;
/** Choices of one setting of a package. */
export const SETTING_CHOICES_MAX = 200;
/** Characters of the address that previews are shown at, its placeholders included. */
export const PREVIEW_URL_CHARS_MAX = 1_000;
/** Versions that may be set to be kept of each entity. */
export const KEPT_VERSIONS_MAX = 100_000;
/** Exports that may be set to be kept. */
export const KEPT_EXPORTS_MAX = 365;
/** Characters of an address that a plugin writes to. */
export const MAIL_ADDRESS_CHARS_MAX = 320;
/** Hooks of one plugin. */
export const HOOKS_MAX = 20;
/** Hosts that one plugin may call. */
export const HOSTS_MAX = 50;
/** Characters of the address of a webhook, and of any that a manifest names. */
export const ADDRESS_CHARS_MAX = 2_000;
/** Characters of the path of a file inside a package. */
export const PACKAGE_PATH_CHARS_MAX = 200;
/** Settings of one package. */
export const PACKAGE_SETTINGS_MAX = 100;
/** Characters of a text that a package is set to. */
export const SETTING_CHARS_MAX = 10_000;
/** Characters of a capability. */
export const CAPABILITY_CHARS_MAX = 160;
/** Characters of a version or of a range. */
export const VERSION_CHARS_MAX = 64;
/** Mails of one call of a plugin. */
export const PLUGIN_MAILS_MAX = 5;
/** Characters of the words of a plugin's mail; with all else it fits in a job. */
export const MAIL_TEXT_CHARS_MAX = 10_000;
/** Characters of a payload as JSON; larger things belong into the object store. */
export const JOB_PAYLOAD_CHARS_MAX = 16_000;
/** Collections that one webhook may name. */
export const WEBHOOK_COLLECTIONS_MAX = 100;
/** People that one mail about a document names. */
export const MAIL_RECIPIENTS_MAX = 20;

// Live editing

/** Largest message of a client, bytes: an operation takes one commit. */
export const LIVE_MESSAGE_BYTES_MAX = 400_000;
/** Paths that one operation changes. */
export const EDIT_PATHS_MAX = 100;
/** Live connections of one process. */
export const LIVE_CONNECTIONS_MAX = 2_000;
/** Connections of one document, in all processes. */
export const CONNECTIONS_PER_DOCUMENT_MAX = 100;

// Backups

/** Bytes of a packed backup. */
export const IMPORT_BYTES_MAX = 10_000_000_000;

// Restores and time travel

/** Entities that a look into the past shows of each type. */
export const SAMPLE_MAX = 5;

// Releases

/** Characters of a release's description. */
export const RELEASE_DESCRIPTION_CHARS_MAX = 2_000;
/** Characters of the reason why a release could not go out. */
export const RELEASE_REASON_CHARS_MAX = 400;

// Search

/** Characters of a snippet, marks and escapes not counted. */
export const SNIPPET_CHARS_MAX = 240;

// Review and comments

/** People that one comment mentions; one mail job notifies all of them. */
export const MENTIONS_MAX = 20;
/** Characters of a note. */
export const REVIEW_NOTE_CHARS_MAX = 2_000;
