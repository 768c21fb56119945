/**
 * Known paths, wrong methods: 405 with an `Allow` header, derived from the routes themselves.
 *
 * @module
 */
import type { Env, Hono } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";

/** Adds to each path of `app` the refusal of every method that neither it nor `elsewhere` has. */
export function closeMethods<E extends Env>(app: Hono<E>, elsewhere: string[] = []): Hono<E> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set(elsewhere);
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  }
  for (const [path, known] of methods) {
    app.all(path, () => {
      throw new Refusal("METHOD_NOT_ALLOWED", { allow: [...known].sort() });
    });
  }
  return app;
}
