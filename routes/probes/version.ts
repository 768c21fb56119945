/**
 * `GET /version`: which release this is, and which format its store has.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { FORMAT } from "../../kv/upgrade/stored_format.ts";
import type { Deps } from "../deps/deps.ts";
import { closeMethods } from "../middleware/methods.ts";

/** Answers `{version, format}`. */
export function versionRoute({ version }: Deps): Hono {
  const app = new Hono().get("/", (c) => {
    return c.json({ version, format: FORMAT }, 200, { "cache-control": "no-store" });
  });
  return closeMethods(app);
}
