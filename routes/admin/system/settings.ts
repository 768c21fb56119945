/**
 * `/api/admin/settings`: all settings as one flat object, and a test of those of mails.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { sendTestMail } from "../../../jobs/mail/test_mail.ts";
import { getUser } from "../../../kv/people/users.ts";
import { refuseLanguages } from "../../../kv/schema/languages.ts";
import { findSetting } from "../../../kv/model/entities/setting.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { requireProof, settingAct } from "../people/sensitive_acts.ts";
import { withCheckedProviders } from "../people/provider_settings.ts";
import { signInChecks } from "../people/sign_in_checks.ts";
import type { Deps } from "../../deps/deps.ts";
import { readJsonObject } from "../../input/body.ts";
import { actorOf, may } from "../admin_env.ts";

/** Refuses a change of a setting that takes more than the user has, or a proof. */
function refuseSetting(c: HttpContext<AdminEnv>, key: string): void {
  const { administrator, permissions } = c.get("session");
  const needs = findSetting(key)?.needs;
  const may = needs === undefined || administrator ||
    (needs !== "administrator" && permissions.has(needs));
  if (!may) throw new Refusal("FORBIDDEN", { about: `${key} requires the ${needs} permission` });
  const act = settingAct(key);
  if (act !== undefined) requireProof(c, act);
}

/** Settings: read all, change some, try whether mails arrive. */
export function settingRoutes(deps: Deps): Hono<AdminEnv> {
  const { settings, people, content: { context } } = deps;
  return new Hono<AdminEnv>()
    .get("/", may("settings.read"), async (c) => c.json(await settings.all()))
    .patch("/", may("settings.write"), async (c) => {
      const given = await readJsonObject(c.req.raw);
      const current = await settings.all();
      for (const [key, value] of Object.entries(given)) {
        // A form also sends unchanged settings.
        if (!sameJson(value, current[key])) refuseSetting(c, key);
      }
      const changes = await withCheckedProviders(deps, given);
      const ofSignIn = signInChecks(deps, c.get("session").userId);
      return c.json(
        await settings.patch(actorOf(c), changes, async (transaction, before, changed) => {
          await ofSignIn(transaction, before, changed);
          await refuseLanguages(deps.content, transaction, before, changed);
        }),
      );
    })
    .post("/test-mail", may("settings.write"), async (c) => {
      const user = getUser(await people.access.current(), c.get("session").userId);
      const { site } = await deps.publishing.rendering();
      return c.json(await sendTestMail(context, deps.sendMail, user, site));
    });
}
