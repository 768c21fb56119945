/**
 * `/api/admin/session`: signing in, who is signed in, signing out.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { Proof, SignIn } from "../../kv/model/user_input.ts";
import { parseBody } from "../../kv/model/zod_details.ts";
import { Refusal } from "../../kv/refusals.ts";
import { beginSession, endSession, proveSession } from "../../kv/people/sessions.ts";
import { findByPassword, isOwnPassword } from "../../kv/people/sign_in.ts";
import { getUser } from "../../kv/people/users.ts";
import { addressOf, placeOf } from "../address_quota.ts";
import { readCredentials } from "../input/body.ts";
import { session } from "../middleware/session.ts";
import { sendSessionCookie } from "../session_cookie.ts";
import type { AdminEnv } from "./admin_env.ts";
import { type PeopleDeps, signedInView } from "./people_deps.ts";

/** A session has every scope; what its user may do is for their roles to say. */
const SCOPES = ["*"];

/** Sessions. */
export function sessionRoutes(deps: PeopleDeps): Hono<AdminEnv> {
  const { people, trustProxy } = deps;
  return new Hono<AdminEnv>()
    .post("/", async (c) => {
      await people.attempts.signInFrom(addressOf(deps, c));
      const { email, password } = parseBody(SignIn, await readCredentials(c.req.raw));
      await people.attempts.signInTo(email);
      const found = await findByPassword(people, email, password);
      if (found === null) throw new Refusal("UNAUTHENTICATED");
      const { user, access } = found;
      sendSessionCookie(c, trustProxy, await beginSession(people.context, user, placeOf(deps, c)));
      return c.json({ user: signedInView(access, user), scopes: SCOPES });
    })
    .get("/", session(deps), async (c) => {
      const access = await people.access.current();
      const user = getUser(access, c.get("session").userId);
      return c.json({ user: signedInView(access, user), scopes: SCOPES });
    })
    .post("/prove", session(deps), async (c) => {
      const { userId, hash } = c.get("session");
      const { password } = parseBody(Proof, await readCredentials(c.req.raw));
      if (!(await isOwnPassword(people, userId, password))) throw new Refusal("UNAUTHENTICATED");
      const provenAt = await proveSession(people.context, hash);
      if (provenAt === null) throw new Refusal("UNAUTHENTICATED");
      return c.json({ provenAt });
    })
    .delete("/", session(deps), async (c) => {
      const { userId, hash } = c.get("session");
      await endSession(people.context, userId, hash);
      sendSessionCookie(c, trustProxy, "");
      return c.body(null, 204);
    });
}
