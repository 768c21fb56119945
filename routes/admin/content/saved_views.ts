/**
 * `/api/admin/views`: saved views of document lists, one's own and shared ones.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import {
  listViews,
  parseSavedView,
  removeView,
  type SavedView,
  saveView,
} from "../../../kv/documents/lists/saved_views.ts";
import { getCollection, type Schema } from "../../../kv/model/entities/collection.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv, AdminSession } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { pageOf } from "../admin_env.ts";
import { maySomewhere } from "./document_access.ts";

/** Views: list, save, forget. */
export function savedViewRoutes({ content }: Pick<Deps, "content">): Hono<AdminEnv> {
  const { context } = content;
  return new Hono<AdminEnv>()
    .use(maySomewhere("read"))
    .get("/", async (c) => {
      const schema = await content.schema.current();
      const { userId, documents } = c.get("session");
      const views = (await listViews(context, userId)).filter(({ collectionId }) =>
        collectionId === null || documents.in("read", collectionId)
      );
      return c.json(pageOf(c, views.flatMap((view) => wire(view, schema) ?? [])));
    })
    .post("/", async (c) => {
      const input = parseSavedView(await readJsonObject(c.req.raw));
      const schema = await content.schema.current();
      const collectionId = input.collection === null
        ? null
        : getCollection(schema, input.collection).id;
      if (input.shared && !mayShare(c.get("session"), collectionId)) throw new Refusal("FORBIDDEN");
      const view = await saveView(context, c.get("session").userId, input, collectionId);
      return c.json(wire(view, schema), 201);
    })
    .delete("/:id", async (c) => {
      const session = c.get("session");
      await removeView(context, session.userId, c.req.param("id"), (view) => {
        return mayShare(session, view.collectionId);
      });
      return c.body(null, 204);
    });
}

/** Only users who may publish can change shared views. */
export function mayShare(
  { documents }: Pick<AdminSession, "documents">,
  collectionId: string | null,
): boolean {
  return collectionId === null
    ? documents.everywhere("publish")
    : documents.in("publish", collectionId);
}

/** A view on the wire; null when its collection is gone. */
function wire({ collectionId, userId: _, ...view }: SavedView, schema: Schema) {
  if (collectionId === null) return { ...view, collection: null };
  const collection = schema.byId.get(collectionId);
  return collection === undefined ? null : { ...view, collection: collection.slug };
}
