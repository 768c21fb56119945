/**
 * Dependencies of the people routes, and the view of the current user.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Access, User } from "../../../kv/model/entities/access.ts";
import { PERMISSION_NAMES } from "../../../kv/model/entities/permission.ts";
import type { People } from "../../../kv/people/people.ts";
import type { Settings } from "../../../kv/site/settings.ts";
import { ownOrigin } from "../../middleware/own_origin.ts";
import { userView } from "../../../kv/people/users.ts";

/** The surroundings of the routes about people. */
export interface PeopleDeps {
  people: People;
  settings: Settings;
  /** Dependencies of first-run setup. */
  setupCode: string;
  /** Proxies in front that are believed. */
  trustProxy: number;
  /** The address of the site that the environment gives; empty when it gives none. */
  baseUrl?: string;
}

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

/** The user of a session with their permissions, so that the studio hides what they may not do. */
export function signedInView(access: Access, user: User) {
  const { permissions } = access.authorityOf(user.id);
  return {
    ...userView(access, user),
    permissions: PERMISSION_NAMES.filter((name) => permissions.has(name)),
  };
}
