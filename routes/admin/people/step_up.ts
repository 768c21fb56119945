/**
 * Step-up: with the setting `auth.stepUp`, changes of what gives access need a recent proof.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";

/** Tokens, users, roles, backups, packages and the site restore; ending sessions is always open. */
const CONCERNED =
  /^\/api\/admin\/(?:tokens|roles|exports|imports|plugins|themes|restore|users)(?:\/(?!.*sessions)|$)/;
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** Refuses concerned requests with PROOF_REQUIRED. Changes of one user are checked by what they change. */
export function stepUp(deps: Pick<PeopleDeps, "settings">): MiddlewareHandler<AdminEnv> {
  return async function stepUpMiddleware(c, next) {
    const { method, path } = c.req;
    const isUserChange = method === "PATCH" && path.startsWith("/api/admin/users/");
    if (!SAFE_METHODS.has(method) && !isUserChange && CONCERNED.test(path)) {
      await requireStepUp(deps, c);
    }
    await next();
  };
}

/** Refuses a request with PROOF_REQUIRED if the site asks for proofs and the session has none. */
export async function requireStepUp(
  { settings }: Pick<PeopleDeps, "settings">,
  c: HttpContext<AdminEnv>,
): Promise<void> {
  if (c.get("session").isProven || !(await settings.get<boolean>("auth.stepUp"))) return;
  throw new Refusal("PROOF_REQUIRED", { about: "confirm who you are to make this change" });
}
