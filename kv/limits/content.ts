/**
 * The bounds of content: collections, fields, documents, releases, live editing, each with its unit and reason.
 *
 * @module
 */

/** Characters of a title. */
export const TITLE_CHARS_MAX = 300;
/** Characters of a given slug. */
export const SLUG_CHARS_MAX = 128;
/** Characters of a derived slug, before its `-2`. */
export const SLUG_DERIVED_CHARS_MAX = 96;
/** Languages of a site: each may add columns to a list index, and a page to each document. */
export const LANGUAGES_MAX = 50;
/** Characters of the code of a language. */
export const LANGUAGE_CODE_CHARS_MAX = 35;
/** Languages that stand in for one, in a setting or a request. */
export const FALLBACKS_MAX = 8;
/** Terms of the glossary for translators. */
export const GLOSSARY_TERMS_MAX = 500;
/** Characters of a note of the glossary. */
export const GLOSSARY_NOTE_CHARS_MAX = 1_000;
/** Characters of the style for translators. */
export const TRANSLATION_STYLE_CHARS_MAX = 4_000;
/** Characters of a text value that are indexed. */
export const INDEXED_CHARS_MAX = 500;
/** Fields of one collection, nested ones not counted: it is defined with all of them in one commit. */
export const FIELDS_MAX = 190;
/** Comments on one document, answers counted; they are kept together. */
export const COMMENTS_MAX = 200;
/** Characters of one comment. */
export const COMMENT_CHARS_MAX = 2_000;
/** Characters of the words that a comment quotes. */
export const ANCHOR_QUOTE_CHARS_MAX = 1_000;
/** Characters of the key of a block that a comment names. */
export const ANCHOR_KEY_CHARS_MAX = 200;
/** Objects, each inside the one before, that the block of a comment is in. */
export const ANCHOR_PATH_KEYS_MAX = 8;
/** Characters before and after the words of a comment that are stored to recognize the words when they were corrected. */
export const ANCHOR_CONTEXT_CHARS = 32;
/**
 * The part of its letters that a commented passage may lose and still be the same. With a third, each word of a
 * sentence can have a typo corrected; two sentences about the same thing often share half of their letters.
 */
export const ANCHOR_LOST_MAX = 1 / 3;
/** The most that such a passage may grow by: twice its length, and not by more than some sentences. */
export const ANCHOR_GROWTH_MAX = 2;
export const ANCHOR_GROWTH_CHARS_MAX = 200;
/** Characters around their former place in which corrected words are looked for: a third of a second for 200 long comments. */
export const ANCHOR_SEARCHED_CHARS_MAX = 4_000;
/** Letters of similar text that are found for all comments on a text: a monotonous one is similar to itself everywhere. */
export const ANCHOR_MATCHED_LETTERS_MAX = 1_000_000;
/** Places of each kind that are considered to find the words of a comment, and those compared letter by letter. */
export const ANCHOR_CANDIDATES_MAX = 50;
export const ANCHOR_COMPARED_MAX = 4;
/** Characters of table cells and callouts in which corrected words from elsewhere are looked for, for all comments. */
export const ANCHOR_ELSEWHERE_CHARS_MAX = 400_000;
/** Pairs of letters that are compared for all comments on a text: a tenth of a second. */
export const ANCHOR_COMPARED_LETTERS_MAX = 20_000_000;
/** Collections of one site. */
export const COLLECTIONS_MAX = 1_000;
/** Characters of the heading that collections are listed under in the studio: it has one line of a narrow column. */
export const COLLECTION_GROUP_CHARS_MAX = 60;
/** The highest position of a collection in the studio's navigation. */
export const COLLECTION_POSITION_MAX = 1_000_000;
/** Levels of groups inside of which fields can be indexed: `seo.noindex`, `seo.robots.index`. */
export const INDEXED_GROUP_LEVELS_MAX = 2;
/** Files of one push of the schema: collections, block definitions and a few more. */
export const SCHEMA_FILES_MAX = 2_000;
/** Steps of one file of migrations. */
export const MIGRATION_STEPS_MAX = 100;
/** Target collections that a reference field names. */
export const TARGET_COLLECTIONS_MAX = 20;
/** References of one field unless its definition says otherwise, and at most. */
export const REFERENCES_DEFAULT = 100;
export const REFERENCES_MAX = 1_000;
/** Levels of repeaters and groups inside one another. */
export const FIELD_NESTING_MAX = 5;
/** `unique` fields of one collection: each may cost a check of the nine that a commit has. */
export const UNIQUE_FIELDS_MAX = 5;
/** Fields of one repeater, group or block definition. */
export const NESTED_FIELDS_MAX = 50;
/** Characters of a field's `pattern`. */
export const PATTERN_CHARS_MAX = 1_000;
/** Instructions of a compiled pattern; with the next limit, they bound the worst match to seconds. */
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
/** Releases of one site, published ones included: a list of them reads them all. */
export const RELEASES_MAX = 1_000;
/** Releases of one site that are not published yet. */
export const RELEASES_OPEN_MAX = 100;
/** Documents of one release: one commit holds the plan for all of them, another one the results. */
export const RELEASE_DOCUMENTS_MAX = 400;
/** The most working copies of a site among which `draft=true` finds documents by their values. */
export const WORKING_COPIES_LAID_MAX = 20_000;
/** Characters of a name, label or subject, and of a slug that is only looked up. */
export const NAME_CHARS_MAX = 200;
/** Characters of a description or of a help text. */
export const DESCRIPTION_CHARS_MAX = 1_000;
/** Characters of an external ID: a publisher, a time zone, a request of a plugin. */
export const ID_CHARS_MAX = 64;
/** Kinds of blocks that a field names. */
export const BLOCK_KINDS_MAX = 200;
/** Types of files that a field names, and characters of each. */
export const MIMES_MAX = 50;
export const MIME_CHARS_MAX = 100;
/** Characters of one choice; within what is indexed of a text. */
export const CHOICE_CHARS_MAX = 200;
/** Characters of a URL: the length that browsers, servers and sitemaps all accept. */
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
/** Steps of such a path. */
export const FIELD_PATH_STEPS_MAX = 40;
/** Changes that a comparison of two states lists. */
export const DIFF_CHANGES_MAX = 1_000;
/** Former keys that a field remembers. */
export const FORMER_KEYS_MAX = 20;
/** Documents that a dry run of a change to a schema names. */
export const IMPACT_EXAMPLES_MAX = 10;
/** Characters of a value in an example. */
export const EXAMPLE_CHARS_MAX = 200;
/** Views that one owner may have. */
export const VIEWS_MAX = 100;
/** Characters of a view's name. */
export const VIEW_NAME_CHARS_MAX = 80;
/** Columns that the layout of a list knows. */
export const LAYOUT_COLUMNS_MAX = 200;
/** Characters of a view's query. */
export const VIEW_QUERY_CHARS_MAX = 2_000;
/** Levels that a comparison of states descends; a deeper value is compared as a whole. */
export const DIFF_DEPTH_MAX = 12;
/** Largest message of a client, bytes: an operation takes one commit. */
export const LIVE_MESSAGE_BYTES_MAX = 400_000;
/** Paths that one operation changes. */
export const EDIT_PATHS_MAX = 100;
/** Live connections of one process. */
export const LIVE_CONNECTIONS_MAX = 2_000;
/** Connections of one document, in all processes. */
export const CONNECTIONS_PER_DOCUMENT_MAX = 100;
/** Characters of a release's description. */
export const RELEASE_DESCRIPTION_CHARS_MAX = 2_000;
/** Characters of the reason why a release could not go out. */
export const RELEASE_REASON_CHARS_MAX = 400;
/** People that one comment mentions; one mail job notifies all of them. */
export const MENTIONS_MAX = 20;
/** People whom one request asks for a review; one mail job notifies all of them. */
export const REVIEWERS_MAX = 20;
/** Notifications that a user is shown, newest first. */
export const NOTIFICATIONS_MAX = 50;
/** Documents of each kind of cause, and failed jobs, that notifications are looked for in. */
export const NOTIFYING_DOCUMENTS_MAX = 100;
/** Characters of a note. */
export const REVIEW_NOTE_CHARS_MAX = 2_000;
