/**
 * Bounds of what a process of this floor does at a time: attempts, batches, what it keeps in memory. They
 * are chosen by measurement; what the API or the store bounds is in `limits/`.
 *
 * @module
 */

// Media and objects

/** Bytes within which a picture must state its size; in a JPEG color profiles precede it. */
export const MEDIA_HEAD_BYTES_MAX = 1_048_576;
/**
 * Items of an AVIF file, and ranges of them, that are looked at; a picture of tiles has a few
 * hundred.
 */
export const AVIF_ITEMS_MAX = 20_000;
/** Places of metadata in an AVIF file. */
export const AVIF_METADATA_PLACES_MAX = 100;
/** Bytes of the boxes that are held whole: descriptions of items and tracks, color profiles among them. */
export const AVIF_DESCRIPTION_BYTES_MAX = 4_000_000;
/** Boxes of an AVIF file inside one another. */
export const AVIF_DEPTH_MAX = 8;

// Backups

/** Bytes of rows that make a part of a backup while it is written: so much is read again after a crash. */
export const BACKUP_PART_BYTES = 8_000_000;
/** Unpacked bytes that wait to be read; beyond, a header is so long that it would fill the memory. */
export const TARBALL_WAITING_BYTES_MAX = 32_000_000;
/** Failures of a backup that are listed; a hostile file must not be answered with a larger one. */
export const BACKUP_ERRORS_MAX = 100;
/** Faults of one kind that are worth telling. */
export const FAULTS_NAMED_MAX = 5;
/** Missing media and packages that an import names. */
export const MISSING_NAMED_MAX = 20;
/** Bytes of one line of a backup: a state with everything in it. */
export const BACKUP_LINE_BYTES_MAX = 40_000_000;
/** Bytes of a package: what a theme may have, and its frame. */
export const PACKED_BYTES_MAX = 6_000_000;
/** Bytes that a tarball may have once unpacked. */
export const UNPACKED_BYTES_MAX = 64_000_000_000;
/** How many times larger than packed a tarball may be, once it is past the first bytes. */
export const UNPACKED_RATIO_MAX = 400;
/** Files in one tarball. */
export const TARBALL_FILES_MAX = 200_000;

// Restores and time travel

/** Documents of a restore that one waits for, one behind the other. */
export const RESTORE_CHAIN_MAX = 1_000;
/** Entities of a step that are named because they could not be restored. */
export const UNRESTORED_NAMED_MAX = 50;
/** Names that one restore puts back. */
export const RESTORED_NAMES_MAX = 200;

// Rate limits

/** Different times of requests that a rate window keeps as they are. */
export const WINDOW_RUNS_MAX = 8_192;
/** Leases of a rate window that are out at the same time. */
export const WINDOW_LEASES_MAX = 64;
/** Smallest quota of which slots are leased. */
export const LEASE_QUOTA_MIN = 1_000;
/** A lease of less spares nothing; so a quota of less than 32 is always exact. */
export const LEASED_SLOTS_MIN = 2;
/** The smallest lease of a quota's second half: below it none is taken, so that the end is exact. */
export const LEASED_REST_MIN = 16;

/** Bytes of looked-up matches of searches that are kept for each reader of a list index. */
export const MATCHED_ROWS_BYTES_MAX = 8_000_000;

// Search

/** Words of one segment that a prefix expands to; the first in order. */
export const PREFIX_TERMS_MAX = 20_000;
/** Bytes of postings that a prefix may take from one segment. */
export const PREFIX_BYTES_MAX = 4_000_000;
/** Characters of a text that are looked at for a snippet. */
export const SNIPPET_TEXT_CHARS_MAX = 50_000;
/** Matches that are looked at in one text. */
export const SNIPPET_MATCHES_MAX = 200;
/** Characters of one match that are marked. */
export const MATCH_CHARS_MAX = 100;
/** Letters that a word must have for other spellings to be tried. */
export const CORRECTED_CHARS_MIN = 5;
/** Other spellings of one word that are tried, the most frequent ones. */
export const SPELLINGS_MAX = 5;
/** Letters that are tried in the place of the first one of a word. */
export const SPELLING_LETTERS_MAX = 150;
/** Terms of one segment that are compared with a word. */
export const COMPARED_TERMS_MAX = 50_000;
/** Words of one query for which other spellings are looked up. */
export const CORRECTED_WORDS_MAX = 4;
/** Corrected queries that are tried. */
export const CORRECTED_QUERIES_MAX = 16;
/** Bytes of the positions of a word in one segment up to which they count for the order of what is found. */
export const POSITION_BYTES_MAX = 64_000;
/** Matches that are looked at again. */
export const RESCORED_MAX = 100;
/** Other forms of one word that are looked for, the most frequent ones. */
export const STEM_FORMS_MAX = 20;
/** Letters in which they must begin alike, and which a word must have to be stemmed. */
export const STEM_LETTERS_MIN = 3;
export const ORDERED_GAP_MAX = 3;
/** Words of one document that are indexed; what follows is not found. */
export const INDEXED_WORDS_MAX = 100_000;
/** Bytes of one posting; words that would exceed it are not found. */
export const POSTING_BYTES_MAX = 300_000;
/** Characters of one document that are looked at for words. */
export const INDEXED_TEXT_CHARS_MAX = 1_000_000;
/** Terms of one document that its language is detected from. */
export const DETECTED_TERMS_MAX = 4_000;
/** Code units of a term; the rest of a longer word is not looked at. */
export const TERM_UNITS_MAX = 40;
/** Clauses of one query; what follows is not looked for. A query of 100 characters has at most 50 words. */
export const SEARCH_CLAUSES_MAX = 64;

// Attempts

/** How often the numbers that a derived slug may leave out are doubled. */
export const SKIPS_DOUBLED_MAX = 6;
/** How often a commit is made again because an epoch of an index was closed. */
export const EPOCH_ATTEMPTS_MAX = 20;
/** Entries that a range read takes at a time: each batch is one snapshot. */
export const RANGE_BATCH_MAX = 500;
/** How often a list, now or at an instant, is read again because its index has changed. */
export const READ_ATTEMPTS_MAX = 10;
/** How often a prune of a history starts again if one of its versions is named in between. */
export const PRUNE_ATTEMPTS_MAX = 3;
/** How often a query starts again because a compaction deleted what it was reading. */
export const SEARCH_ATTEMPTS_MAX = 4;
/** How often a larger delta of the search index is read again because it has changed. */
export const DELTA_READS_MAX = 4;
/** How often a contended change of a plugin's health is tried again. */
export const HEALTH_ATTEMPTS_MAX = 20;
/** How often operations that failed are tried again before their editors must come back. */
export const EDIT_RETRIES_MAX = 5;
/** How often a pin is saved again because another one was saved at the same time. */
export const PIN_ATTEMPTS_MAX = 8;
/** How often a rename is tried again when the folder was removed under it. */
export const RENAME_ATTEMPTS_MAX = 20;
/**
 * Page size of an embedded store's file. SQLite packs rows of up to a quarter of a page (4,085 bytes here)
 * into shared pages; longer ones overflow to pages of their own. Measured with pages of 4, 8, 16 and 32 KB: a
 * published document of 1.5 KB with two versions takes 18.0, 17.4, 11.7 and 11.5 KB of the file, one of 7.5 KB
 * 32, 40, 42 and 33 KB, at the same processor time. Larger pages write more for each commit.
 */
export const STORE_PAGE_BYTES = 16_384;
/**
 * Bytes of the file that keeps room on the disk of an embedded store: Deno KV removes expired rows through a log that
 * it writes over again after 1,000 pages. A disk with less room than twice this is treated as full at the start.
 */
export const DISK_RESERVE_BYTES = 16_777_216;
/** Attempts to open a fresh file that another process is creating at this moment. */
export const OPEN_ATTEMPTS_MAX = 20;
/** Between attempts to reach the store, milliseconds. Those without an answer stay under way: there must be few. */
export const REACH_MS_MAX = 4_000;
/** Commits one after the other whose checks fail, until it is asked whether the fence is what failed. */
export const FENCE_CONFLICTS_MAX = 3;
/** How often a commit is sent again because the fence had moved. */
export const FENCED_ATTEMPTS_MAX = 4;

// What one commit takes

/** Checks that Deno allows in one commit of an embedded database. */
export const EMBEDDED_CHECKS_MAX = 100;
/**
 * Members of a group commit are packed up to this many mutations: far below the store's own
 * limits.
 */
export const GROUP_MUTATIONS_MAX = 400;
/** And up to this many bytes. */
export const GROUP_BYTES_MAX = 256_000;
/** Entries of a row that the commits of a group have in common, some 100 bytes each: it fits into a value. */
export const LIST_ENTRIES_MAX = 400;
/** How long a commit of the embedded store waits for others to share it, milliseconds. */
export const COMMIT_DELAY_MS = 1;
/** More than so many need not be waited for: each spares less than the one before. */
export const DELAYED_MEMBERS_MAX = 8;
/** Commits wait while at least this share of those that waited was shared by another writer. */
export const DELAY_PAID_MIN = 0.25;
/** While fewer were, one of so many tries it. */
export const DELAY_PROBES = 16;
/** Bytes after which a chunk of restored rows is full. */
export const BACKUP_CHUNK_BYTES_MAX = 600_000;
/** Documents that swap their slugs or values in one commit: each takes one of its nine checks. */
export const RESTORED_TOGETHER_MAX = 7;
/** Bytes of the operations of one commit, roughly; one alone may have more. */
export const EDITS_BYTES_MAX = 300_000;
/** Flushed operations that are kept for clients that reconnect. */
export const KEPT_EDITS_MAX = 200;
/** Pieces of old operations that one flush deletes. */
export const TRIMMED_PIECES_MAX = 300;
/** Pieces deleted in one commit; they are read before, so few. */
export const DELETED_PIECES_MAX = 50;
/** Obsolete segments that one call looks at. */
export const OBSOLETE_SEGMENTS_MAX = 200;
/** Keys of the search delta that one commit deletes. */
export const DELTA_DELETES_MAX = 500;

// Compactions

/** A reader of the change feed that finds more open entries than this asks for a compaction. */
export const OPEN_CHANGES_MAX = 1_000;
/** Log entries from which a compaction is worth its commits. */
export const COMPACTION_EVENTS_MIN = 512;
/** The most events of a merged segment: making one is some seconds of work in the background. */
export const SEGMENT_EVENTS_MAX = 2_000_000;
/** Segments of the timeline that are merged at a time. */
export const TIMELINE_MERGE_MAX = 8;
/** Delta rows from which a compaction is worth its commits. */
export const COMPACTION_ROWS_MIN = 512;
/** Delta rows that one call merges by default. */
export const DELTA_ROWS_MAX = 4_096;
/** Documents that one call reads for missing columns by default. */
export const FILL_ROWS_MAX = 4_000;
/** The most segments of one merge: their indexes fit in a byte. */
export const MERGE_SEGMENTS_MAX = 255;
/** Bytes of column names from which a manifest is packed. */
export const PACKED_COLUMNS_BYTES_MIN = 16_000;
/** Postings and removals from which a compaction is worth its commits. */
export const COMPACTION_PENDING_MIN = 256;
/** Documents that become one segment of the search index. */
export const SEGMENT_DOCUMENTS_MAX = 4_000;
/** Removals that one compaction of the search index takes. */
export const SEGMENT_REMOVALS_MAX = 4_000;
/** How long a segment may be in the making before it counts as abandoned. */
export const BUILD_MS_MAX = 3_600_000;

// Readers and their memory

/** Bytes of cached documents, estimated; the rest of the memory belongs to the indexes. */
export const DOCUMENT_CACHE_BYTES_MAX = 40_000_000;
/** The same in a thread of jobs, which seldom read a document twice. */
export const JOBS_DOCUMENT_CACHE_BYTES_MAX = 4_000_000;
/** Larger documents are not worth a place in the cache. */
export const CACHED_DOCUMENT_BYTES_MAX = 100_000;
/** Bytes of rows that a process remembers for writes that begin without a read: of about 10,000 small documents. */
export const ASSUMED_ROWS_BYTES_MAX = 16_000_000;
/** Share of such writes that must have held lately: a failed one costs others of its group commit a turn. */
export const ASSUMED_HITS_MIN = 0.75;
/** Below that, one of so many is tried all the same, to see whether it has become better. */
export const ASSUMED_PROBES = 16;
/** Sights that a process remembers to have written. */
export const REMEMBERED_VISIBILITIES_MAX = 10_000;
/** Rows up to which a list as of an instant is kept. */
export const PAST_ROWS_KEPT_MAX = 20_000;
/** Entities looked at for a sample: some may be gone or secret. */
export const SAMPLE_CANDIDATES_MAX = 10;
/** Bytes of segments that are kept; ten million versions fit. */
export const TIMELINE_BYTES_MAX = 100_000_000;
/** Columns that are filled together; their fields make part of a stored value. */
export const FILLED_COLUMNS_MAX = 16;
/** Documents that a search in a language covers; of more, those whose language changed last. */
export const SEARCHED_IN_LANGUAGE_MAX = 2_000;
/** Documents that are read for one filter because it depends on what texts have beyond what is indexed. */
export const CUT_ROWS_READ_MAX = 1_000;
/** Documents that are not public and are searched for words: each is read once a version, no index has them. */
export const SEARCHED_UNPUBLISHED_MAX = 1_000;
/** Documents that are read for a search in a language because they match only with values that fall back. */
export const SEARCHED_GAPS_MAX = 1_000;
/** Such documents that are in memory together: each may be of megabytes. */
export const CUT_ROWS_READ_TOGETHER = 20;
/** Filters whose documents of that kind are remembered for a reader of an index. */
export const CUT_FILTERS_KEPT_MAX = 32;
/** Documents whose rows are loaded at a time. */
export const LOAD_ROWS_MAX = 500;
/** Bytes of what is worked out about one state of the open delta. */
export const DELTA_CACHE_BYTES_MAX = 4_000_000;
/**
 * Bytes of all readers and of derived data by default: the columns and ten sorts of a
 * million documents.
 */
export const LIST_INDEX_BYTES_MAX = 256_000_000;
/** Delta rows of a list index from which a compaction is asked for. */
export const OPEN_ROWS_MAX = 128;
/** Rows of one answer that are sorted and filtered without a pause: some milliseconds for the widest. */
export const ROW_LAYER_ROWS = 2_048;
/** Bytes of what is worked out about the rows of one answer. */
export const ROW_LIST_CACHE_BYTES_MAX = 1_000_000;
/** From this many changed shards on, all are read in one go. */
export const RELOADED_SHARDS_MAX = 16;
/** Matches up to which buffers are kept; a query with more gets buffers of its own. */
export const KEPT_MATCHES_MAX = 250_000;
/** Queries that are remembered as asked lately: about as many as answers fit. */
export const REMEMBERED_QUERIES_MAX = 256;
/** Up to here the best are kept in a heap; further down all matches are sorted. */
export const TOP_HITS_HEAP_MAX = 1_000;
/** Answers to queries that are kept, each a list of all that fit. */
export const MEDIA_RESULTS_KEPT_MAX = 30;
/** Passwords that one process hashes at the same time. */
export const PARALLEL_HASHES_MAX = 3;
/** Hashes that wait for their turn: some ten seconds' work. */
export const WAITING_HASHES_MAX = 100;
/** Memory that a stored hash may ask for, bytes. */
export const HASH_MEMORY_BYTES_MAX = 256 * 1024 * 1024;
/** Tokens of which a process counts at a time. */
export const COUNTED_TOKENS_MAX = 10_000;
/** Buckets a process remembers; forgetting one costs a read, or the early end of a lease. */
export const BUCKETS_MAX = 10_000;
/** Due entries that are counted in a lane by default; more are as bad. */
export const DUE_COUNTED_MAX = 1_000;
/** Bytes of the edit sessions of histories that are kept. */
export const EDIT_SESSIONS_BYTES_MAX = 8_000_000;
/** Counted rows that are decoded without a pause. */
export const COUNTED_TOGETHER = 100;
/** Buckets of counted rows that are read at a time. */
export const COUNTED_BUCKETS_AT_ONCE = 8;
/** Stamps of buckets that the first count of a process reads; older buckets are read again once they change. */
export const COUNTED_STAMPS_READ_MAX = 2_000;

// Objects, pages and packages

/** An answer to bytes is a line or an error in XML. */
export const UPLOAD_ANSWER_BYTES_MAX = 1_000_000;
/** Shorter states are not worth the deflating, bytes. */
export const DEFLATED_STATE_BYTES_MIN = 700;
/** Sizes of the window of deflate as powers of two: zlib takes no smaller or larger ones for raw data. */
export const DEFLATE_WINDOW_BITS_MIN = 9;
export const DEFLATE_WINDOW_BITS_MAX = 15;
/** Sizes of the buffers of deflate, bytes: zlib takes no smaller ones, and longer results take several. */
export const DEFLATE_BUFFER_BYTES_MIN = 64;
export const DEFLATE_BUFFER_BYTES_MAX = 65_536;
/** Shorter pages are not worth the compression. */
export const COMPRESSED_PAGE_BYTES_MIN = 1_500;
/** A sweep of packages that has not ended after this has died, milliseconds. */
export const PACKAGE_SWEEP_MS_MAX = 3_600_000;

// Live editing

/** Operations of one document that may be queued in one process; more are refused. */
export const WAITING_EDITS_MAX = 500;
/** The most operations that wait to be flushed while flushing fails. */
export const PENDING_EDITS_MAX = 1_000;
/** Bytes of held back values that wait for their editors; more is set aside as a version. */
export const HELD_BYTES_MAX = 200_000;

// A row holds at most two inline-or-chunked parts below the spill threshold, and its snapshot spills then.

/** Large documents of a list page that are read at the same time. */
export const READ_AHEAD_MAX = 8;
/** Bytes of large documents that a list page reads ahead of what it has written; one may be larger. */
export const READ_AHEAD_BYTES_MAX = 2_000_000;
/** Pieces of bulk work that go forward at a time on a remote store. */
export const REMOTE_CONCURRENCY = 64;
/** Lines of a bulk request that are worked on at the same time: enough to fill shared commits. */
export const BULK_LINES_AT_ONCE = 256;
/** Bytes of those lines; what waits beyond it is not read yet. */
export const BULK_BYTES_AT_ONCE = 6_000_000;
/**
 * Bytes of a bulk request's body that may not have been read yet when its answer begins: from then on the runtime
 * takes them into memory, whether they are read or not.
 */
export const BULK_BYTES_UNREAD = 16_000_000;
/** Characters of its answer that are held back at most, until so much of the body was read. */
export const BULK_ANSWER_CHARS_HELD = 24_000_000;

// Reading and writing

/** How often a contended write is tried before it is refused. */
export const WRITE_ATTEMPTS_MAX = 40;
/** How often it is tried at least, however long that takes: on a slow store one attempt may outlast the deadline. */
export const WRITE_ATTEMPTS_MIN = 8;
/** How long a write waits until others of its process have written to the same entity, milliseconds. */
export const WRITE_LOCK_WAIT_MS_MAX = 20_000;
/** Media that one request moves or tags. */
export const ORGANIZED_MEDIA_MAX = 100;

/** How long a request that makes a field unique reserves its values itself, before the job does, milliseconds. */
export const UNIQUE_WAIT_MS = 5_000;

// Publishing

/** Versions between a release's check and its publication that are read to see what was decided in between. */
export const RELEASE_VERSIONS_READ_MAX = 50;
/** Tags that a job of publishing names; more of them have the whole site rendered. */
export const CHANGED_TAGS_MAX = 50;
/** Documents that use a medium and are read at a time. */
export const USES_AT_ONCE = 50;
/** Levels of boxes of a film that are looked into; those that are looked into have four. */
export const FILM_DEPTH_MAX = 8;
/** Bytes at the end of a sound that are held back until it is known whether tags stand there. */
export const SOUND_TAIL_BYTES = 262_144;
/** Streams of an Ogg file that are followed; films have two or three. */
export const OGG_STREAMS_MAX = 64;
/** Messages about the audit log that one commit queues; each takes two of its mutations. */
export const AUDIT_MESSAGES_PER_COMMIT = 150;
/** Former addresses between two whose positions are kept: a page reads at most so many more rows than it shows. */
export const FORMER_ADDRESSES_PER_MARK = 1_000;
