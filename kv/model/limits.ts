/**
 * Bounds of requests, with their units and reasons; those of stored data are in `kv/limits/`.
 *
 * @module
 */

/** Events that one webhook names, repeated ones counted: every element of a list is checked. */
export const EVENTS_NAMED_MAX = 100;

/** Pixels of a picture: a few kilobytes can spell far more, and browsers and servers unpack all of them. */
export const PICTURE_PIXELS_MAX = 100_000_000;

/** Hours after which a session may be ended, however often it is used: a month. */
export const SESSION_HOURS_MAX = 720;

/** Bytes of the Content Credentials of one file; they are in memory while it is stored. Large ones hold thumbnails. */
export const CREDENTIALS_BYTES_MAX = 10_000_000;
/** Characters of a name in them that are shown. */
export const CREDENTIALS_NAME_CHARS_MAX = 200;
