/**
 * Routes whose first segment became reserved when collections could already have it as their slug: such a collection
 * keeps its public pages, which hide the routes.
 *
 * @module
 */
import { type Env, type Handler, Hono } from "@hono/hono";
import type { SchemaSource } from "../../kv/sources/schema_source.ts";

/** The routes of `app`, which pass every request on while a collection has the slug. */
export function unlessCollection<E extends Env>(
  schema: Pick<SchemaSource, "current">,
  slug: string,
  app: Hono<E>,
): Hono<E> {
  const outer = new Hono<E>();
  for (const { method, path, handler } of app.routes) {
    const guarded: Handler<E> = async (c, next) => {
      if ((await schema.current()).bySlug.has(slug)) return await next();
      return await (handler as Handler<E>)(c, next);
    };
    if (method === "ALL") outer.all(path, guarded);
    else outer.on(method, path, guarded);
  }
  return outer;
}
