/**
 * Known paths, wrong methods: 405 with an `Allow` header, derived from the routes themselves.
 *
 * @module
 */
import type { Env, Handler, Hono } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";

/**
 * Adds to each path of `app` the refusal of every method that neither it nor `elsewhere` has. `answer` makes the
 * handler that refuses.
 */
export function closeMethods<E extends Env>(
  app: Hono<E>,
  elsewhere: string[] = [],
  answer: (refuse: () => never) => Handler = (refuse) => refuse,
): Hono<E> {
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of app.routes) {
    if (method === "ALL") continue;
    const known = methods.get(path) ?? new Set(elsewhere);
    known.add(method);
    if (method === "GET") known.add("HEAD");
    methods.set(path, known);
  }
  for (const [path, known] of methods) {
    const refuse = () => {
      throw new Refusal("METHOD_NOT_ALLOWED", { allow: [...known].sort() });
    };
    app.all(path, answer(refuse));
  }
  return app;
}
