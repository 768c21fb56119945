/**
 * Dependencies of the people routes, and the view of the current user.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Access, User } from "../../../kv/model/entities/access.ts";
import { PERMISSION_NAMES } from "../../../kv/model/entities/permission.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { userView } from "../../../kv/people/users.ts";

/**
 * The base URL of account links: that of the environment, or one that an administrator has set. The
 * host of the request is chosen by its sender, so it is the last resort.
 */
export async function accountOrigin(
  { settings, baseUrl, trustProxy }: Pick<PeopleDeps, "settings" | "baseUrl" | "trustProxy">,
  c: HttpContext,
): Promise<string> {
  return baseUrl || await settings.get<string>("site.url") || ownOrigin(c, trustProxy);
}

/** A session has every scope; the roles of its user decide what it may do. */
export const SCOPES = ["*"];

/** The user of a session with their permissions, so that the studio hides what they may not do. */
export function signedInView(access: Access, user: User) {
  const { permissions } = access.authorityOf(user.id);
  return {
    ...userView(access, user),
    permissions: PERMISSION_NAMES.filter((name) => permissions.has(name)),
  };
}
