/**
 * `/api/admin/translations`: how far the translation of each collection has come.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { translationCounts } from "../../../kv/documents/lists/translation_counts.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { oneParameter } from "../../query/parameters.ts";
import { maySomewhere } from "./document_access.ts";

/** The matrix of collections and languages. */
export function translationCountRoutes({ content }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>().get("/", maySomewhere("read"), async (c) => {
    const { collections, languages } = await content.schema.current();
    if (languages === undefined) throw new Refusal("NOT_FOUND");
    const language = oneParameter(c.req.query(), "language") ?? null;
    if (language !== null && !languages.byCode.has(language)) {
      const known = languages.all.map(({ code }) => code).join(", ");
      const about = `${language.slice(0, 35)} is not one of ${known}`;
      throw new Refusal("LANGUAGE_INVALID", { about });
    }
    const { documents } = c.get("session");
    const readable = collections.filter(({ id }) => documents.in("read", id));
    return c.json({ data: await translationCounts(content, readable, language) });
  });
}
