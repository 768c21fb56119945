/**
 * Limits of the routes, with units and reasons. Limits of stored data are in `kv/limits/`, those
 * of jobs in `jobs/limits.ts`.
 *
 * @module
 */

// Requests

/** Characters of one part of a path: no id, slug or name is that long, and the store's keys are bounded. */
export const SEGMENT_CHARS_MAX = 400;
/** Characters of a path that can be a page's. */
export const PAGE_PATH_CHARS_MAX = 1_400;
/** Bytes of a body that holds credentials; the longest ones take a tenth of it. */
export const CREDENTIAL_BODY_BYTES_MAX = 16_384;
/** Bytes of a form: the scopes of a consent are the most. */
export const FORM_BODY_BYTES_MAX = 262_144;
/** Bytes of the metadata document of an OAuth client. */
export const CLIENT_DOCUMENT_BYTES_MAX = 20_000;
/** How long such a document may take, milliseconds. */
export const CLIENT_DOCUMENT_MS_MAX = 5_000;
/** Addresses that one OAuth client may be answered at. */
export const REDIRECT_URIS_MAX = 20;
/** OAuth clients whose documents a process keeps. */
export const CLIENTS_KEPT_MAX = 200;
/** Characters of a setup code that the environment gives: it may be guessed ten times in 15 minutes. */
export const SETUP_CODE_CHARS_MIN = 12;
/** Characters of a key that stored secrets are sealed with: 16 random bytes in hex. */
export const SECRETS_KEY_CHARS_MIN = 32;
/** Keys of one object in a body: building an object costs the more per key the more it has. */
export const OBJECT_KEYS_MAX = 10_000;
/** Bytes of boundaries, headers and fields around a file. */
export const MULTIPART_FRAMING_BYTES_MAX = 100_000;
/** Bytes of one form field that accompanies a file. */
export const MULTIPART_FIELD_BYTES_MAX = 10_000;
/** Characters of a text that is looked for in media. */
export const MEDIA_QUERY_CHARS_MAX = 200;
/** Capabilities that one request may accept. */
export const ACCEPTED_CAPABILITIES_MAX = 100;
/** The last second of the year 2105: later times were meant in milliseconds. */
export const PAST_INSTANT_MAX = 4_291_747_199;
/** Characters of a version's name. */
export const VERSION_NAME_CHARS_MAX = 100;
/** Time limit of an image download, milliseconds. */
export const MEDIA_DOWNLOAD_MS_MAX = 30_000;

// Connections and what a process keeps

/** How long a client may read nothing of a streamed response, milliseconds. */
export const ANSWER_STALL_MS = 30_000;
/** Bytes of a body that nothing has read, and that are still received after the response. */
export const DISCARDED_BODY_BYTES_MAX = 65_536;
/** File descriptors that connections leave to files, objects and calls of other services. */
export const DESCRIPTORS_SPARE = 64;
/** With fewer file descriptors the start warns: some hundred connections would take them all. */
export const DESCRIPTORS_RECOMMENDED = 4_096;

/** Bytes that may wait for a live client that reads too slowly. */
export const BUFFERED_BYTES_MAX = 8_000_000;
/** Messages of a connection that may wait for their turn. */
export const UNREAD_MESSAGES_MAX = 500;
/**
 * Bytes of serialized events that a process shares between streams of the change feed; one event
 * may have more.
 */
export const CHANGE_BATCH_BYTES = 65_536;
/** Such batches that a process keeps, for streams that see different things. */
export const CHANGE_BATCHES_MAX = 16;
/** Tokens whose parsed state a process keeps. */
export const TOKENS_KEPT_MAX = 10_000;
/** Collections whose lists are prefetched for a request whose URL names them. */
export const PREFETCHED_LISTS_MAX = 20;
/**
 * Origins for which a process keeps the API's description; the Host header is the caller's to
 * choose.
 */
export const DESCRIBED_ORIGINS_MAX = 4;
/** Failed jobs that the metrics count; more are as bad. */
export const FAILED_COUNTED_MAX = 100;
/** A runner looks once a minute at least; after so many milliseconds something holds it. */
export const POLL_AGE_MS_MAX = 180_000;
/** Threads of jobs that end before they are ready, after which no more are tried. */
export const JOBS_THREAD_FAILURES_MAX = 3;
/** Processors without which a thread of jobs would only take from the requests. */
export const JOBS_THREAD_PROCESSORS_MIN = 2;
/** If a due job waits longer, no process is running jobs, milliseconds. */
export const DUE_AGE_MS_MAX = 900_000;
/** Smaller pages fit into one packet anyway, bytes. */
export const ZIPPED_BYTES_MIN = 1_400;

// What answers and screens show

/** Characters of a text that is shown in the field list of a document. */
export const MARKDOWN_SHORT_CHARS_MAX = 120;
/** Characters of text in an example. */
export const EXAMPLE_TEXT_CHARS_MAX = 200;
/**
 * How many batches of older versions are read to fill a page if the user may not see most of them.
 */
export const CHANGE_ROUNDS_MAX = 10;
/** Elements of a list in an example. */
export const EXAMPLE_ELEMENTS_MAX = 3;
/** Entries of a list that a screen shows. */
export const VALUE_ENTRIES_MAX = 50;
/** Levels of values inside values that it shows. */
export const VALUE_DEPTH_MAX = 4;
/** References that are looked up for one form. */
export const FORM_REFERENCES_MAX = 500;
/** Documents that are offered for one field, by title. */
export const REFERENCE_CHOICES_MAX = 100;
/** Users that a page offers in a filter, by name. */
export const USER_CHOICES_MAX = 100;
/** Levels of lists that a comparison indents, as the editor does. */
export const LIST_LEVELS_MAX = 6;
/** Unchanged blocks of the shortest passage that a comparison folds. */
export const FOLDED_BLOCKS_MIN = 2;
/** Blocks and folded passages that the brief comparison of a rich text shows. */
export const BRIEF_PARTS_MAX = 20;
/** Edits beyond which only beginning and end are compared; the work grows with their square. */
export const WORD_EDITS_MAX = 500;
/** Edits within all blocks of a rich text, beyond which changed blocks are shown as replaced. */
export const TEXT_EDITS_MAX = 5_000;
/** Entries of a day that a month shows. */
export const MONTH_ENTRIES_MAX = 4;
/** Versions of one sitting that the history shows. */
export const SITTING_VERSIONS_MAX = 100;
/** Failed jobs that the overview counts. */
export const FAILURES_COUNTED_MAX = 50;
/** Jobs of a lane that its screen counts. */
export const QUEUED_COUNTED_MAX = 20_000;
/** Characters of a message that are shown. */
export const MESSAGE_SHOWN_CHARS_MAX = 4_000;
/** Scheduled documents that a page shows. */
export const SCHEDULED_SHOWN_MAX = 500;
/** Scheduled documents without a time that it shows. */
export const TIMELESS_MAX = 20;
/** Documents that a release offers to add. */
export const RELEASE_CANDIDATES_MAX = 20;
/** Characters of a form that sets a time. */
export const SCHEDULE_FORM_CHARS_MAX = 4_000;
/** Collections whose pages are offered. */
export const PREVIEW_COLLECTIONS_MAX = 12;

// In the browser

/** Bytes of a message that the editor sends; the server takes some more. */
export const SENT_MESSAGE_BYTES_MAX = 390_000;
/** Others that the bar shows; more are counted. */
export const PEOPLE_SHOWN_MAX = 4;
/** Characters of unsent changes that a browser keeps of one document. */
export const UNSENT_CHARS_MAX = 1_000_000;
/** Paths of one change; above that, the whole value is sent. */
export const CHANGED_PATHS_MAX = 60;
/** How often a page checks whether its publishing has finished. */
export const PUBLISH_LOOKS_MAX = 40;
/** Rows with problems that the page of a transfer shows. */
export const REPORT_LINES_SHOWN = 50;
/** Rows of each collection that the plan of a transfer shows as samples. */
export const SAMPLE_ROWS_SHOWN = 3;
/** Cards that a column of a board shows. */
export const BOARD_CARDS_MAX = 50;
/** Users whose documents one list shows, by the filter for creators. */
export const LIST_CREATORS_MAX = 100;
/** Screens that the command palette lists. */
export const PALETTE_PLACES_MAX = 6;
/** Choices that a searchable list renders at a time. */
export const COMBOBOX_SHOWN_MAX = 100;
/** Documents that the server is asked for to go with them. */
export const COMBOBOX_FOUND_MAX = 20;
/** Documents that the palette lists by their titles, and again by their texts. */
export const PALETTE_DOCUMENTS_MAX = 8;
/** Documents that it lists if a filter limits them. */
export const PALETTE_FILTERED_MAX = 20;
/** Collections or people that it suggests for a filter. */
export const FILTER_SUGGESTIONS_MAX = 8;
/** Media that the palette lists. */
export const PALETTE_MEDIA_MAX = 4;
/** Images that the editor takes at once. */
export const PASTED_IMAGES_MAX = 10;
/** Characters of code up to which it is shown in colors while one writes. */
export const CODE_COLORED_CHARS_MAX = 100_000;
/** Images of pasted web pages that it fetches at once; of others the links stay, and can be tried again. */
export const PASTED_PAGE_IMAGES_MAX = 100;
/** Characters of an image caption in rich text. */
export const CAPTION_CHARS_MAX = 1_000;
/** Addresses of one image in a pasted page that are tried, the best first. */
export const IMAGE_ADDRESSES_MAX = 3;
/** Characters of a block's contents that are shown. */
export const OBJECT_SHOWN_CHARS_MAX = 2_000;
/** Characters of the words by which it is known. */
export const OBJECT_WORDS_CHARS_MAX = 120;
/** Characters of the seed of a random order. */
export const RANDOM_SEED_CHARS_MAX = 64;
/** Names in one `fields`, and steps of one of them. */
export const FIELD_PATHS_MAX = 100;
export const FIELD_PATH_LEVELS_MAX = 4;
/** Documents of a reverse include unless its limit says otherwise, and at most. */
export const REVERSE_LIMIT_DEFAULT = 20;
export const REVERSE_LIMIT_MAX = 100;
/** Counts of one request. */
export const COUNTS_MAX = 8;
/** Names in one `include`: references, and repeaters and groups on the way to them. */
export const INCLUDE_STEPS_MAX = 20;
/** Blocks inside of blocks that one `include` goes through, each of another type: all can hold all. */
export const INCLUDE_BLOCK_LEVELS_MAX = 2;
/** Documents and media that one answer includes; a repeater can hold many references. */
export const INCLUDED_MAX = 5_000;
/** Paths of one `include` that the description lists one by one. */
export const INCLUDE_PATHS_MAX = 200;
/** Uses of a file that are counted on its tile. */
export const MEDIA_USES_COUNTED_MAX = 100;
