/**
 * `GET /healthz`: whether the store answers.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { schemaKey } from "../../kv/keys.ts";
import type { Deps } from "../deps/deps.ts";
import { closeMethods } from "../middleware/methods.ts";

/** Time limit of the store, milliseconds. */
const CHECK_TIMEOUT_MS = 2_000;

/** 200 once the store answers, else 503. */
export function healthRoute({ content: { context } }: Deps): Hono {
  const app = new Hono().get("/", async (c) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error("The store is not responding")), CHECK_TIMEOUT_MS);
    });
    try {
      await Promise.race([context.store.get(schemaKey), late]);
      return c.json({ status: "ok" }, 200, { "cache-control": "no-store" });
    } catch (error) {
      context.log.error("unhealthy", {}, error);
      return c.json({ status: "unavailable" }, 503, { "cache-control": "no-store" });
    } finally {
      clearTimeout(timer);
    }
  });
  return closeMethods(app);
}
