/**
 * `/api/admin/previews`, and `/preview` of a document: links that show it to people without an account.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { z } from "zod";
import type { Collection } from "../../../kv/model/entities/collection.ts";
import type { DocumentState } from "../../../kv/model/entities/document.ts";
import { laidOver } from "../../../kv/model/entities/working_copy.ts";
import { translationLaidOver } from "../../../kv/model/languages/in_language.ts";
import { originalOf, translationOf } from "../../../kv/model/languages/translation.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import {
  createPreview,
  getPreview,
  listPreviews,
  PREVIEW_TTL,
  revokePreview,
} from "../../../kv/documents/lists/previews.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readOptionalObject } from "../../input/body.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { oneParameter } from "../../query/parameters.ts";
import { actorOf, pageOf } from "../admin_env.ts";
import { maySomewhere, refuseOnDocument } from "./document_access.ts";

/** How long a preview link is valid, seconds. */
export const PreviewBody = z.strictObject({
  ttl: z.int().min(PREVIEW_TTL.min).max(PREVIEW_TTL.max).default(PREVIEW_TTL.initial),
});

/** Previews: list and revoke. */
export function previewAdminRoutes(deps: Deps): Hono<AdminEnv> {
  const { context } = deps.content;
  return new Hono<AdminEnv>()
    .get("/", maySomewhere("read"), async (c) => {
      const { documents } = c.get("session");
      const of = oneParameter(c.req.query(), "documentId");
      const previews = (await listPreviews(context)).filter((one) =>
        of === undefined || ("documentId" in one && one.documentId === of)
      );
      if (documents.everywhere("read")) return c.json(pageOf(c, previews));
      // A release may hold documents of any collection.
      const found = await Promise.all(
        previews.map((one) => "documentId" in one ? deps.reader.find(one.documentId) : null),
      );
      const data = previews.filter((_, position) => {
        const stored = found[position];
        return stored !== null && stored !== undefined && documents.on("read", stored.state);
      });
      return c.json(pageOf(c, data));
    })
    .delete("/:id", maySomewhere("editOwn"), async (c) => {
      const { documents } = c.get("session");
      const id = c.req.param("id");
      if (!documents.everywhere("edit")) {
        const preview = await getPreview(context, id);
        if (!("documentId" in preview)) throw new Refusal("FORBIDDEN");
        await refuseOnDocument(deps, c.get("session"), "edit", preview.documentId);
      }
      await revokePreview(context, id);
      return c.body(null, 204);
    });
}

/** Creates a preview of an existing document. */
export async function postPreview(
  deps: Deps,
  c: HttpContext<AdminEnv>,
  documentId: string,
  language?: string,
): Promise<Response> {
  const { ttl } = parseBody(PreviewBody, await readOptionalObject(c.req.raw));
  const { content, reader } = deps;
  const stored = await reader.find(documentId);
  const { byId } = await content.schema.current();
  const collection = byId.get(stored?.state.collectionId ?? "");
  if (stored === null || collection === undefined || stored.state.status === "trashed") {
    throw new Refusal("NOT_FOUND");
  }
  const createdBy = actorOf(c).userId;
  const template = await deps.settings.get<string>("preview.url");
  const { id, token, expiresAt } = await createPreview(content.context, { documentId }, {
    createdBy,
    ttl,
  });
  const own = deps.baseUrl || ownOrigin(c, deps.trustProxy);
  const url = template === ""
    ? `${own}/preview/${token}`
    : filledIn(template, { token, language }, laidOver(stored.state), collection);
  return c.json({ id, url, token, expiresAt }, 201, { "cache-control": "no-store" });
}

/** Makes a preview of the site as an open release will make it. */
export async function postReleasePreview(
  deps: Deps,
  c: HttpContext<AdminEnv>,
  releaseId: string,
): Promise<Response> {
  const { ttl } = parseBody(PreviewBody, await readOptionalObject(c.req.raw));
  if (!(await deps.releases.current()).byId.has(releaseId)) throw new Refusal("NOT_FOUND");
  const { context } = deps.content;
  const createdBy = actorOf(c).userId;
  const { id, token, expiresAt } = await createPreview(context, { releaseId }, { createdBy, ttl });
  const own = deps.baseUrl || ownOrigin(c, deps.trustProxy);
  const url = `${own}/preview/${token}/`;
  return c.json({ id, url, token, expiresAt }, 201, { "cache-control": "no-store" });
}

/** The address of a front end of one's own; the language is that of the original unless one is given. */
function filledIn(
  template: string,
  { token, language }: { token: string; language: string | undefined },
  state: DocumentState,
  collection: Collection,
): string {
  const translation = language === undefined ? undefined : translationOf(state, language);
  const { slug } = translation === undefined ? state : translationLaidOver(translation);
  const values: Record<string, string> = {
    token,
    id: state.id,
    slug,
    collection: collection.slug,
    language: language ?? originalOf(state, collection) ?? "",
  };
  return template.replace(
    /\{(token|id|slug|collection|language)\}/g,
    (_, name) => encodeURIComponent(values[name] ?? ""),
  );
}
