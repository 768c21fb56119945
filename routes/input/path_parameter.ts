/**
 * Parameters of a route's path.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";

/** The parameter of a matched path. Its absence is a bug: the route's path does not have it. */
export function pathParameter(http: HttpContext, name: string): string {
  const value = http.req.param(name);
  if (value === undefined) throw new Error(`The path has no parameter ${name}`);
  return value;
}
