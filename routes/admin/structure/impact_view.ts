/**
 * What a change of the schema would touch, as far as the user may see it.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Impact } from "../../../kv/schema/impact.ts";
import type { AdminEnv } from "../admin_env.ts";

/** The impact without names of what the user may not see; the counts stay. */
export function impactView(c: HttpContext<AdminEnv>, impact: Impact): Impact {
  const { permissions } = c.get("session");
  return {
    ...impact,
    examples: permissions.has("documents.read") ? impact.examples : [],
    tokens: permissions.has("tokens.manage") ? impact.tokens : impact.tokens.map(() => "…"),
  };
}
