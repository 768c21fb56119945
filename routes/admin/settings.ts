/**
 * `/api/admin/settings`: all settings as one flat object, and a test of those of mails.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { sendTestMail } from "../../jobs/mail/test_mail.ts";
import { getUser } from "../../kv/people/users.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps.ts";
import { readJsonObject } from "../input/body.ts";
import { actorOf, type AdminEnv, may } from "./admin_env.ts";

/** Settings: read all, change some, try whether mails arrive. */
export function settingRoutes(deps: Deps): Hono<AdminEnv> {
  const { settings, people, content: { context } } = deps;
  return new Hono<AdminEnv>()
    .get("/", may("settings.read"), async (c) => c.json(await settings.all()))
    .patch("/", may("settings.write"), async (c) => {
      const changes = await readJsonObject(c.req.raw);
      // They open this machine's network to whoever may make webhooks.
      const opens = Object.hasOwn(changes, "webhooks.hosts");
      if (opens && !c.get("session").administrator) {
        throw new Refusal("FORBIDDEN", { about: "webhooks.hosts is for administrators" });
      }
      return c.json(await settings.patch(actorOf(c), changes));
    })
    .post("/test-mail", may("settings.write"), async (c) => {
      const user = getUser(await people.access.current(), c.get("session").userId);
      const { site } = await deps.publishing.rendering();
      return c.json(await sendTestMail(context, deps.sendMail, user, site));
    });
}
