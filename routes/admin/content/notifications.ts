/**
 * `/api/admin/notifications`: what the user is notified of, and up to when they have read it.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { z } from "zod";
import {
  findNotifications,
  isUnread,
  markNotificationsRead,
  type Notification,
  type Notifications,
} from "../../../kv/documents/notifications.ts";
import { seconds } from "../../../kv/context.ts";
import type { Schema } from "../../../kv/model/entities/collection.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { maySomewhere } from "./document_access.ts";

/** The body that marks notifications as read: all up to a time, epoch seconds. */
export const NotificationsReadBody = z.strictObject({ until: z.int().min(0) });

/** Notifications: list, mark as read. */
export function notificationRoutes({ content, people }: Deps): Hono<AdminEnv> {
  return new Hono<AdminEnv>()
    .use(maySomewhere("read"))
    .get("/", async (c) => {
      const [schema, access] = await Promise.all([
        content.schema.current(),
        people.access.current(),
      ]);
      const found = await findNotifications(content, access, c.get("session").userId);
      const data = found.all.flatMap((one) => wire(one, found, schema) ?? []);
      const unread = data.filter(({ read }) => !read).length;
      return c.json({ data, meta: { unread } });
    })
    .post("/read", async (c) => {
      const { until } = parseBody(NotificationsReadBody, await readJsonObject(c.req.raw));
      // A time to come would hide what is yet to happen.
      const past = Math.min(until, seconds(content.context));
      await markNotificationsRead(content.context, c.get("session").userId, past);
      return c.body(null, 204);
    });
}

/** A notification on the wire; null when its collection is gone. */
function wire(notification: Notification, all: Notifications, { byId }: Schema) {
  const { kind, documentId, collectionId, language, title, text, by, at } = notification;
  const collection = byId.get(collectionId)?.slug;
  if (collection === undefined) return null;
  return {
    kind,
    documentId,
    collection,
    ...(language !== undefined && { language }),
    title,
    text,
    by,
    at,
    read: !isUnread(notification, all),
  };
}
