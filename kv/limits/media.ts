/**
 * The bounds of media, each with its unit and reason.
 *
 * @module
 */

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

/** Seconds for which the address of a private medium is valid unless the request says otherwise, and at most. */
export const MEDIA_SIGNATURE_SECONDS_DEFAULT = 3_600;
export const MEDIA_SIGNATURE_SECONDS_MAX = 604_800;
/** The largest side of an image that may be asked for, pixels. */
export const IMAGE_SIDE_PIXELS_MAX = 4_000;
