/**
 * The base URL of what is about accounts: links in mails, and what the service publishes about itself.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { OAuthResource } from "../../kv/people/oauth/oauth_scopes.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { ownOrigin } from "./own_origin.ts";

/** Where the protected resource metadata of `/mcp` is. */
export const MCP_METADATA_PATH = "/.well-known/oauth-protected-resource/mcp";

/**
 * The base URL of account links, without a slash at the end: that of the environment, or one that an administrator
 * has set. The host of the request is chosen by its sender, so it is the last resort.
 */
export async function accountOrigin(
  { settings, baseUrl, trustProxy }: Pick<PeopleDeps, "settings" | "baseUrl" | "trustProxy">,
  c: HttpContext,
): Promise<string> {
  const origin = baseUrl || await settings.get<string>("site.url") || ownOrigin(c, trustProxy);
  return origin.replace(/\/+$/, "");
}

/** The paths of what access tokens are for. */
export const RESOURCE_PATHS: Readonly<Record<OAuthResource, string>> = {
  mcp: "/mcp",
  admin: "/api/admin",
};
