/**
 * The impact of a schema change, as far as the user may see it.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Impact } from "../../../kv/schema/impact.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";

/** The impact without the names of invisible documents; the counts include them. */
export function impactView(c: HttpContext<AdminEnv>, impact: Impact): Impact {
  const { permissions } = c.get("session");
  return {
    ...impact,
    examples: permissions.has("documents.read") ? impact.examples : [],
    tokens: permissions.has("tokens.manage") ? impact.tokens : impact.tokens.map(() => "…"),
  };
}
