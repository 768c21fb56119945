/**
 * `GET /admin/recover?token=…`: the link that `cms user recover` prints. It signs in once, and leads to the
 * account, where a passkey can be set up.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { useRecovery } from "../../kv/people/recovery.ts";
import { findBrowser } from "../../kv/people/known_browsers.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { addressOf } from "../middleware/address_quota.ts";
import { browserSecret } from "../middleware/session_cookie.ts";
import { acceptSignIn, recordSignIn } from "../admin/people/accept_sign_in.ts";

/** The path of the link. */
export const RECOVERY_PATH = "/admin/recover";

/** The route; a link that no longer works leads to the sign-in page. */
export function recoverRoutes(deps: PeopleDeps): Hono {
  const { people, trustProxy } = deps;
  return new Hono().get("/", async (c) => {
    await people.attempts.tokenFrom(addressOf(deps, c));
    const user = await useRecovery(people, c.req.query("token") ?? "");
    await recordSignIn(
      deps,
      c,
      user === null ? "recovery_failed" : "sign_in_recovered",
      user?.id ?? null,
    );
    c.header("cache-control", "no-store");
    c.header("referrer-policy", "no-referrer");
    if (user === null) return c.redirect("/admin/sign-in?error=link_expired");
    const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
    await acceptSignIn(deps, c, { user, method: "recovery", browser });
    return c.redirect("/admin/account");
  });
}
