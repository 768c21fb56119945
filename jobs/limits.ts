/**
 * Every bound that this floor sets, with its unit and reason; those of what is stored stand in
 * `kv/limits/`.
 *
 * @module
 */

import { BODY_DEPTH_MAX } from "../kv/limits/requests.ts";

// Pages

/** Blocks inside blocks that are rendered: each is three of the levels that a body may have. */
export const BLOCK_DEPTH_MAX = Math.ceil(BODY_DEPTH_MAX / 3);

// Plugins, for one call

/** Bytes that a plugin's objects may take. */
export const MEMORY_BYTES_MAX = 32_000_000;
/** Milliseconds of one call on the processor, all its parts together. */
export const CPU_MS_MAX = 100;
/** Milliseconds of one call, waiting included. */
export const WALL_MS_MAX = 5_000;
/** Characters of what goes in, comes out, or crosses the border in between. */
export const MESSAGE_CHARS_MAX = 262_144;
/** Calls of the host that one call may make. */
export const HOST_CALLS_MAX = 100;
/** Bytes of one piece: as text they must pass the border of the sandbox. */
export const PIECE_BYTES_MAX = 150_000;
/** Lines that one call may log. */
export const LOG_LINES_MAX = 50;
/** Characters of such a line. */
export const LOG_CHARS_MAX = 500;
/** Bytes of an answer that a plugin fetches. */
export const HOST_ANSWER_BYTES_MAX = 200_000;
/** How long such an answer may take, milliseconds. */
export const HOST_ANSWER_MS_MAX = 4_000;
/** Bytes of the stack of a plugin's code. */
export const STACK_BYTES_MAX = 256_000;
/** Messages to plugins of one event. */
export const EVENT_MESSAGES_MAX = 200;
/** Messages to plugins of one hour. */
export const HOUR_MESSAGES_MAX = 200;

// The runner and its crons

/** Jobs that one process runs at a time. */
export const RUNNING_MAX = 8;
/**
 * Additional jobs that wait for outside receivers: those of all webhooks of a site, one each, those of
 * plugins, one for each address, and mails.
 */
export const OUTBOUND_MAX = 160;
/** Mails that one process hands over at a time: a mail server that stalls leaves slots to the others. */
export const MAILS_AT_ONCE_MAX = 8;
/** Users to whose daily summaries one step adds an event. */
export const DIGESTS_STAGED_MAX = 100;
/** Events that a daily summary has; it says how many more there are. */
export const DIGEST_SHOWN_MAX = 50;
/** Requests under way in another thread that jobs give way to, each by as much. */
export const REQUESTS_GIVEN_WAY_MAX = 4;
/** The longest pause of publishing computations while requests are in progress, milliseconds. */
export const REST_MS_MAX = 200;
/** Pieces of publishing whose results are handed over, and committed, together. */
export const PIECES_TOGETHER_MAX = 32;
/** The same while requests are in progress: their commits wait for those of the pieces. */
export const PIECES_BESIDE_REQUESTS_MAX = 3;
/** The same if requests have a thread of their own: of publishing, they wait for commits only. */
export const PIECES_BESIDE_THREAD_MAX = 8;
/** Due entries of kinds at their limit that one poll skips in a lane; the next poll continues after them. */
export const PASSED_OVER_MAX = 480;
/** Characters of all results of a job as JSON: they lie in its record. */
export const JOB_RESULTS_CHARS_MAX = 20_000;
/** Finished jobs that are kept. */
export const FINISHED_JOBS_MAX = 5_000;
/** Crons on the smallest plan of Deno Deploy. */
export const CRONS_MAX = 10;
/** Cohorts of one kind and lane at a time: while one waits for the store, another computes. */
export const COHORTS_MAX = 2;
/** Jobs of a cohort that starts while requests are in progress: their commits wait for those of the cohort. */
export const COHORT_BESIDE_MAX = 16;
/** How often a step runs again at once because what it read had changed; then it counts as failed. */
export const STALE_RUNS_MAX = 12;
/** How often the store is asked before a runner gives its job up to the next process. */
export const COMMIT_ATTEMPTS_MAX = 6;
/** Leases watched at the same time; forgetting one only restarts its watch. */
export const WATCHED_LEASES_MAX = 10_000;
/** How long a minute's sweep may stay with what it found. */
export const SWEEP_MS_MAX = 50_000;
/** Characters of an error that is kept, of a job or of a plugin. */
export const ERROR_CHARS_MAX = 500;
/** Jobs that the command line lists. */
export const JOBS_LISTED_MAX = 50;

// The public site

/** Addresses of one sitemap (sitemaps.org). */
export const SITEMAP_URLS_MAX = 50_000;
/** Lines up to which there is one file, whatever begins a part. */
export const WHOLE_LINES_MAX = 1_000;
/** The most lines of a part, whatever the ids are. */
export const PART_LINES_MAX = 20_000;
/** Bytes of rendered lists that a process keeps in memory. */
export const LIST_PAGES_BYTES_MAX = 16_000_000;
/** Tags of one call (Deno Deploy). */
export const PURGE_TAGS_MAX = 500;
/** Collections whose newest documents are on the first page. */
export const HOME_COLLECTIONS_MAX = 24;
/** How often others may be faster in changing what a page is rendered from. */
export const RENDER_CONFLICTS_MAX = 12;
/** Tags of a document by which related ones are found: its first ones. */
export const RELATED_TAGS_MAX = 4;
/** Documents that a page leads on to, unless its author chose more. */
export const RELATED_MAX = 3;
/** Documents of one collection on the page of a document that they carry: of an author, of a topic. */
export const BACKLINKS_MAX = 6;
/** References of one page that are followed, of media and of documents each; others show nothing. */
export const FOLLOWED_REFERENCES_MAX = 400;
/** How long one purge may take, milliseconds. */
export const PURGE_MS_MAX = 10_000;
/** Characters of the reasons in a change summary. */
export const REASONS_CHARS_MAX = 400;
/** Characters of a headline that search engines take. */
export const HEADLINE_CHARS_MAX = 110;
/** Spelled days that are kept. */
export const SPELLED_DAYS_MAX = 1_000;
/** Longest excerpt, characters. */
export const EXCERPT_CHARS_MAX = 200;
/** Sections in the site's navigation. */
export const SITE_SECTIONS_MAX = 12;
/** Width of a picture that is shared: networks show no more, pixels. */
export const SHARED_WIDTH_MAX = 1_280;
/** Callouts and tables inside of one another, in rich text. */
export const RICH_TEXT_OBJECT_DEPTH_MAX = 3;
/** Cells of one table in rich text that are rendered. */
export const TABLE_CELLS_MAX = 5_000;
/** Marks on one span that are rendered. */
export const MARKS_MAX = 16;
/** Milliseconds one template may take. */
export const RENDER_MS_MAX = 2_000;
/** Characters of templates one rendering may parse. */
export const PARSE_CHARS_MAX = 2_000_000;
/** Bytes that one rendering may allocate, as the template engine counts them. */
export const RENDER_MEMORY_MAX = 20_000_000;

// Images

/** Most pixels of a picture that is transformed without a thread: what takes about a second. */
export const THREADLESS_PIXELS_MAX = 6_000_000;
/** Pixels up to which transparency is resampled exactly, which takes sixteen bytes each. */
export const FLOAT_PIXELS_MAX = 1_000_000;
/** How long one transform may take, milliseconds. */
export const TRANSFORM_MS_MAX = 30_000;
/** How long a thread for images may take to start, milliseconds. */
export const CODEC_START_MS_MAX = 10_000;
/** How often a thread may be silent before there are none: it may have been a busy moment. */
export const SILENCES_MAX = 2;
/** Transforms that wait for their turn, and uploads; more are refused for the moment. */
export const WAITING_TRANSFORMS_MAX = 50;
/** Pixels and bytes of a picture that is decoded between requests: that takes a few milliseconds. */
export const INLINE_CHECK_PIXELS_MAX = 40_000;
export const INLINE_CHECK_BYTES_MAX = 32_000;
/** Uploads whose check is remembered, by digest, so that a repetition is not decoded again. */
export const REMEMBERED_CHECKS_MAX = 1_000;

// Receivers, mail and packages

/** Bytes of the answer to a webhook or hook that are read; more is refused. */
export const DELIVERY_ANSWER_BYTES_MAX = 64_000;
/** How long the receiver of a webhook or hook may take, milliseconds. */
export const DELIVERY_ANSWER_MS_MAX = 15_000;
/** Redirects that a download follows. */
export const REDIRECTS_MAX = 5;
/** How long the download of a package may take, milliseconds. */
export const PACKAGE_DOWNLOAD_MS_MAX = 60_000;
/** And while a person waits for it. */
export const PACKAGE_CHECK_MS_MAX = 20_000;
/** Reasons against a package that are reported and stored. */
export const PACKAGE_REASONS_MAX = 40;
/** Reasons that one fault of a package lists. */
export const FAULT_REASONS_MAX = 20;
/** Times that templates are read for variables, each time with other values given: a theme of a hundred partials needs few. */
export const TEMPLATE_READINGS_MAX = 1_000;
/** Characters of a reason. */
export const REASON_CHARS_MAX = 300;
/** Bytes of unpacked packages kept for the next use. */
export const PACKAGE_CACHE_BYTES_MAX = 30_000_000;
/** Bytes of headers and padding that a tarball has for each file. */
export const TAR_FRAMING_BYTES_MAX = 4_096;
/** Characters of the subject of a mail, or of a name in it. */
export const MAIL_LINE_CHARS_MAX = 300;
/** Characters of what a mail server complains about. */
export const COMPLAINT_CHARS_MAX = 300;

/** Bytes of the color profile of a picture. */
export const PROFILE_BYTES_MAX = 1_000_000;

// Jobs of the whole site

/** How long a scheduled change waits for a release that is due before it, milliseconds. */
export const RELEASE_WAIT_MS_MAX = 60_000;
/** Documents whose value was lost that a migration names. */
export const LOST_NAMED_MAX = 20;
/** Changed entities of a type that PRUNE keeps in mind; where more have changed it looks at all of them. */
export const PRUNE_CHANGED_MAX = 100_000;
/** Media or objects that a sweep looks at in one chunk. */
export const SWEEP_CHUNK_MAX = 500;
/** Collections whose index an import compacts; the hourly cron finds the rest. */
export const IMPORT_COMPACTED_MAX = 300;
/** How long an import waits for its pages before it ends without them, milliseconds. */
export const IMPORT_PAGES_MS_MAX = 900_000;
/** How often the example site is looked for before its making counts as failed. */
export const SEED_POLLS_MAX = 600;

// Transfers

/** How long the download of a source may take, milliseconds. */
export const TRANSFER_DOWNLOAD_MS_MAX = 300_000;
/** How long the download of a file of a source may take, milliseconds. */
export const TRANSFER_MEDIUM_MS_MAX = 30_000;
/** Rows that a field of a plugin of WordPress has in one post. */
export const TRANSFER_FIELD_ROWS_MAX = 1_000;
/** Answers of an API that is transferred, and the bytes of each. */
export const TRANSFER_API_REQUESTS_MAX = 100_000;
export const TRANSFER_API_PAGE_BYTES_MAX = 50_000_000;
/** How long an answer of an API may take, and how long a busy one is waited for, milliseconds. */
export const TRANSFER_API_PAGE_MS_MAX = 60_000;
export const TRANSFER_API_WAIT_MS_MAX = 30_000;
/** Addresses of media that a run fetches at a time. */
export const TRANSFER_FETCHES_MAX = 8;
/**
 * Rows of a transfer that are written at a time: enough for two commits in flight, and the rows that wait for the next
 * two. More of them outlive the young generation, and are decided again when a compaction closes their epoch.
 */
export const TRANSFER_ROWS_AT_ONCE_MAX = 192;
/** Rows of a transfer that are mapped at a time, while earlier ones are written. */
export const TRANSFER_ROWS_MAPPED_MAX = 100;
/** Places of a refusal that the error of a transfer names. */
export const TRANSFER_ERROR_PLACES_MAX = 5;
/** Entities that the result of an undo names because they stay. */
export const TRANSFER_LEFT_NAMED_MAX = 100;
/** Files of a media library that nothing shows, named in the report of a transfer. */
export const TRANSFER_FILES_NAMED_MAX = 50;
/** Documents of a collection that are examined before a field is taken back. */
export const TRANSFER_EXAMINED_MAX = 10_000;

/** Bytes of an answer of an OpenID provider. */
export const OIDC_ANSWER_BYTES_MAX = 1_000_000;
/** How long such an answer may take, milliseconds. */
export const OIDC_ANSWER_MS_MAX = 10_000;
/** Characters of an ID token that a session keeps for signing out at the provider. */
export const ID_TOKEN_CHARS_MAX = 16_000;
/** Groups of a user that are looked at. */
export const OIDC_GROUPS_MAX = 1_000;

/** The most characters of a code span in transferred Markdown, so that lone backticks do not make a text expensive. */
export const MARKDOWN_SPAN_CHARS_MAX = 1_000;
/** Bytes of a document's postings in languages in one commit; a larger posting is recorded alone. */
export const POSTED_BYTES_MAX = 200_000;
