/**
 * The bounds of transfers and redirects, each with its unit and reason.
 *
 * @module
 */

/** Redirect rules of a site: each address that has no page is matched against all of them. */
export const REDIRECT_RULES_MAX = 1_000;
/** Former addresses that transfers may bring: they are listed and counted together. */
export const FORMER_ADDRESSES_MAX = 200_000;
/** Bytes of a former address: it is a part of a key. */
export const FORMER_ADDRESS_BYTES_MAX = 1_500;
/** Redirects of one process whose hits wait to be written; more are not counted. */
export const REDIRECT_HITS_WAITING_MAX = 1_000;

// Uploads

/** Files of one upload. */
export const TRANSFER_FILES_MAX = 20;
/** Bytes of an upload, all its files together. */
export const TRANSFER_BYTES_MAX = 2_000_000_000;
/** Bytes of a file that is fetched from an address: it is held in memory. */
export const TRANSFER_DOWNLOAD_BYTES_MAX = 200_000_000;
/** How many times larger than packed an upload may be, once it is past the first bytes. */
export const TRANSFER_EXPANSION_MAX = 100;
/** Unpacked bytes that the ratio is not asked of. */
export const TRANSFER_EXPANSION_FREE_BYTES = 10_000_000;
/** Files in the archives of one upload. */
export const TRANSFER_ENTRIES_MAX = 100_000;
/** How long the files of a transfer are kept, milliseconds. */
export const TRANSFER_KEPT_MS = 30 * 86_400_000;
/** Transfers of a site: a list of them reads them all. */
export const TRANSFERS_MAX = 1_000;
/** Runs of one transfer, analyses and dry runs included. */
export const TRANSFER_RUNS_MAX = 200;

/** Characters of a token of an API. */
export const TRANSFER_TOKEN_CHARS_MAX = 4_000;

// Rows

/** Rows of one upload. */
export const TRANSFER_ROWS_MAX = 5_000_000;
/** Characters of one value. */
export const TRANSFER_VALUE_CHARS_MAX = 5_000_000;
/** Characters of one row: a few of the largest values. */
export const TRANSFER_ROW_CHARS_MAX = 16_000_000;
/** Levels of a row inside one another. */
export const TRANSFER_DEPTH_MAX = 64;
/** Kinds of rows in one upload, and fields of one kind that are recognized. */
export const TRANSFER_SOURCES_MAX = 200;
export const TRANSFER_FIELDS_MAX = 180;
/** Rows that a sample shows. */
export const TRANSFER_SAMPLE_MAX = 100;
/** Characters of a name of a source, a path in a row, or a value of a plan. */
export const TRANSFER_NAME_CHARS_MAX = 500;
/** Hosts whose media a plan fetches. */
export const TRANSFER_HOSTS_MAX = 200;
/** Values of a plan's map: authors, languages, statuses. */
export const TRANSFER_MAPPING_MAX = 10_000;
/** Settings that a source offers values for: menus, and one of each other setting. */
export const TRANSFER_OFFERS_MAX = 100;
/** Authors of a source that a plan lists. */
export const TRANSFER_AUTHORS_SHOWN_MAX = 500;
/** Problems that a report lists for one row. */
export const TRANSFER_PROBLEMS_MAX = 20;
/** Characters of a value that a report shows. */
export const TRANSFER_SHOWN_CHARS_MAX = 200;

// Choices

/** Different values of a column that is taken for a choice. */
export const TRANSFER_CHOICES_MAX = 20;
/** Rows from which on a column can be taken for a choice. */
export const TRANSFER_CHOICE_ROWS_MIN = 20;
/** Values of a column that are compared to find out whether it identifies rows. */
export const TRANSFER_COMPARED_MAX = 1_000_000;

// Translations

/** Bytes of an upload of translations. */
export const TRANSLATIONS_BYTES_MAX = 200_000_000;
/** Characters of one file of translations: it is held in memory. */
export const TRANSLATION_FILE_CHARS_MAX = 20_000_000;
/** Units of one file of translations. */
export const TRANSLATION_UNITS_MAX = 100_000;
/** Texts that the report of an import names. */
export const TRANSLATIONS_REPORTED_MAX = 1_000;
