/**
 * `/api/admin/setup`: the first run.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { Setup } from "../../../kv/model/input/user_input.ts";
import { parseBody } from "../../../kv/model/input/zod_details.ts";
import { secretHash, secretMatches } from "../../../kv/model/values/token_text.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { beginSession } from "../../../kv/people/sessions.ts";
import { isSetupNeeded, setUp } from "../../../kv/people/setup.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { addressOf, signInOrigin } from "../../middleware/address_quota.ts";
import { readCredentials } from "../../input/body.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { sendSessionCookie } from "../../middleware/session_cookie.ts";
import { signedInView } from "./people_deps.ts";

/**
 * First-run setup: whether it is needed, checking the code, and creating the first account. Open to
 * everyone with the code.
 */
export function setupRoutes(deps: PeopleDeps): Hono {
  const { people, settings, setupCode, trustProxy, baseUrl } = deps;
  const codeHash = secretHash(setupCode);
  return new Hono()
    .get("/", async (c) => {
      const needed = await isSetupNeeded(people);
      return c.json({ needed }, 200, { "cache-control": "no-store" });
    })
    .post("/code", async (c) => {
      await people.attempts.setUp(addressOf(deps, c));
      const { code } = parseBody(Setup.pick({ code: true }), await readCredentials(c.req.raw));
      if (!(await isSetupNeeded(people))) {
        throw new Refusal("CONFLICT", { about: "the site is already set up" });
      }
      if (!secretMatches(code, codeHash)) {
        throw new Refusal("FORBIDDEN", { about: "the setup code is wrong" });
      }
      return c.body(null, 204);
    })
    .post("/", async (c) => {
      if (!(await isSetupNeeded(people))) {
        throw new Refusal("CONFLICT", { about: "the site is already set up" });
      }
      await people.attempts.setUp(addressOf(deps, c));
      const { code, timezone, ...input } = parseBody(Setup, await readCredentials(c.req.raw));
      if (!secretMatches(code, codeHash)) {
        throw new Refusal("FORBIDDEN", { about: "the setup code is wrong" });
      }
      const siteUrl = baseUrl || ownOrigin(c, trustProxy);
      const { user } = await setUp(people, settings, {
        ...input,
        siteUrl,
        ...(timezone !== undefined && { timezone }),
      });
      sendSessionCookie(
        c,
        trustProxy,
        await beginSession(people.context, user, { origin: signInOrigin(deps, c) }),
      );
      return c.json({ user: signedInView(await people.access.current(), user) }, 201);
    });
}
