/**
 * What the routes are given: everything below them, made once in `main.ts` or by a test.
 *
 * @module
 */
import type { Content } from "../kv/content.ts";
import type { DocumentReader } from "../kv/document_reader.ts";
import type { RateLimiter } from "../kv/rate_limit/rate_limiter.ts";
import type { Settings } from "../kv/settings.ts";

/** The surroundings of every route. */
export interface Deps {
  content: Content;
  reader: DocumentReader;
  settings: Settings;
  limiter: RateLimiter;
  /** Proxies in front whose `X-Forwarded-For` is believed. */
  trustProxy: number;
}
