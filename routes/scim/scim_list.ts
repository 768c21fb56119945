/**
 * Lists of SCIM resources.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { SCIM_PAGE_MAX } from "../../kv/limits/people.ts";
import { ScimError, scimJson, type ScimResource, shownResource } from "./scim_answer.ts";

/** A page of resources, as `startIndex` and `count` ask for it. */
export function listAnswer<T>(
  c: HttpContext,
  all: readonly T[],
  resourceOf: (one: T) => ScimResource,
  headers: Record<string, string>,
): Response {
  const startIndex = Math.max(1, numberOf(c, "startIndex", 1));
  const count = Math.min(SCIM_PAGE_MAX, Math.max(0, numberOf(c, "count", SCIM_PAGE_MAX)));
  const page = all.slice(startIndex - 1, startIndex - 1 + count);
  const shown = page.map((one) => shownResource(c, resourceOf(one)));
  return scimJson(listBody(shown, all.length, startIndex), 200, headers);
}

/** The body of a list; `total` counts the resources of other pages too. */
export function listBody(resources: unknown[], total = resources.length, startIndex = 1) {
  return {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:ListResponse"],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

function numberOf(c: HttpContext, name: string, initial: number): number {
  const text = c.req.query(name);
  if (text === undefined) return initial;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimError(400, `${name} must be a number`, "invalidValue");
}
