/**
 * The `Authorization` header.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";

/** The text of the bearer token of a request. */
export function bearerText(http: HttpContext): string | undefined {
  return http.req.header("authorization")?.match(/^Bearer +([^ ]+) *$/i)?.[1];
}
