/**
 * The environment of admin routes: the session, the required permission, and the actor of writes.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler, Next } from "@hono/hono";
import type { Actor } from "../../kv/model/entities/entity.ts";
import type { Permission } from "../../kv/model/entities/permission.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { AdminEnv } from "../deps/admin_session.ts";
import { ADMINISTRATOR_ONLY, markPermission } from "./admin_permission.ts";
import { type Paging, parsePaging } from "../query/paging.ts";

/** Lets a request through whose user has the permission; FORBIDDEN otherwise. */
export function may(permission: Permission): MiddlewareHandler<AdminEnv> {
  return markPermission(async function mayMiddleware(c: HttpContext<AdminEnv>, next: Next) {
    if (!c.get("session").permissions.has(permission)) throw new Refusal("FORBIDDEN");
    await next();
  }, permission);
}

/** Lets administrators through. */
export async function administratorOnly(
  c: HttpContext<AdminEnv>,
  next: () => Promise<void>,
): Promise<void> {
  if (!c.get("session").administrator) throw new Refusal("FORBIDDEN");
  await next();
}
markPermission(administratorOnly, ADMINISTRATOR_ONLY);

/** The actor of this request. */
export function actorOf(c: HttpContext<AdminEnv>): Actor {
  const { userId, audit, via, documents } = c.get("session");
  return { userId, audit, ...(via !== undefined && { via }), ...documents.limits };
}

/** The list envelope of one page of what is listed by position. */
export async function readPage<T>(
  c: HttpContext<AdminEnv>,
  pages: { read(start: number, end: number): Promise<{ data: T[]; total: number }> },
): Promise<{ data: T[]; meta: Paging & { total: number } }> {
  const paging = parsePaging(new URL(c.req.url).searchParams);
  const start = (paging.page - 1) * paging.perPage;
  const { data, total } = await pages.read(start, start + paging.perPage);
  return { data, meta: { ...paging, total } };
}

/** The list envelope of one page of `all`. */
export function pageOf<T>(c: HttpContext<AdminEnv>, all: readonly T[]): {
  data: T[];
  meta: Paging & { total: number };
} {
  const paging = parsePaging(new URL(c.req.url).searchParams);
  const start = (paging.page - 1) * paging.perPage;
  return {
    data: all.slice(start, start + paging.perPage),
    meta: { ...paging, total: all.length },
  };
}
