/**
 * `POST /api/admin/explorer-token`: issues a temporary token for the API explorer that reads the
 * published documents its user may see.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { createReadingToken } from "../../../kv/people/reading_tokens.ts";
import { getUser } from "../../../kv/people/users.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { maySomewhere } from "../content/document_access.ts";

/** The route; the answer is 201 `{token, scopes, expiresAt}`, and the token strictly reads. */
export function explorerTokenRoutes({ content, people }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>().post("/", maySomewhere("read"), async (c) => {
    const { userId, documents, permissions } = c.get("session");
    const { byId } = await content.schema.current();
    const readable = documents.within("read", [...byId.values()]).map(({ slug }) => `${slug}:read`);
    const scopes = documents.everywhere("read") ? ["*:read"] : readable;
    if (permissions.has("media.read")) scopes.push("media:read");
    const user = getUser(await people.access.current(), userId);
    const { token, expiresAt } = await createReadingToken(content.context, user, scopes);
    return c.json({ token, scopes, expiresAt }, 201);
  });
}
