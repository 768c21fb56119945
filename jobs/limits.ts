/**
 * Every bound that this floor sets, with its unit and reason; those of what is stored stand in
 * `kv/limits.ts`.
 *
 * @module
 */

import { BODY_DEPTH_MAX } from "../kv/limits.ts";

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

// The runner and its crons

/** Jobs that one process runs at a time. */
export const RUNNING_MAX = 8;
/** Characters of all results of a job as JSON: they lie in its record. */
export const JOB_RESULTS_CHARS_MAX = 20_000;
/** Finished jobs that are kept. */
export const FINISHED_JOBS_MAX = 5_000;
/** Crons on the smallest plan of Deno Deploy. */
export const CRONS_MAX = 10;

// The public site

/** Addresses of one sitemap (sitemaps.org). */
export const SITEMAP_URLS_MAX = 50_000;
/** Lines up to which there is one file, whatever begins a part. */
export const WHOLE_LINES_MAX = 1_000;
/** Lines of a part at the most, however the ids fall. */
export const PART_LINES_MAX = 20_000;
/** Tags of one call (Deno Deploy). */
export const PURGE_TAGS_MAX = 500;

// Images

/** Most pixels of a picture that is transformed without a thread: what takes about a second. */
export const THREADLESS_PIXELS_MAX = 6_000_000;
