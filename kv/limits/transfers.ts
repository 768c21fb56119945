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
