/**
 * The addresses of the authorization server and of what its tokens are for.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { OAuthResource } from "../../kv/people/oauth/oauth_scopes.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { OAuthError } from "./oauth_error.ts";

/** The paths of what tokens are for. */
const RESOURCE_PATHS: Readonly<Record<OAuthResource, string>> = {
  mcp: "/mcp",
  admin: "/api/admin",
};

type OriginDeps = Pick<PeopleDeps, "settings" | "baseUrl" | "trustProxy">;

/** The origin of the service, without a slash at the end; also the issuer of its tokens. */
export async function issuerOf(deps: OriginDeps, c: HttpContext): Promise<string> {
  return (await accountOrigin(deps, c)).replace(/\/+$/, "");
}

/** The address of what a token is for. */
export function resourceUrl(issuer: string, resource: OAuthResource): string {
  return issuer + RESOURCE_PATHS[resource];
}

/**
 * What a `resource` parameter names; `initial` if there is none.
 *
 * @throws {OAuthError} `invalid_target` for anything else.
 */
export function parseResource(
  issuer: string,
  given: string | null | undefined,
  initial: OAuthResource,
): OAuthResource {
  if (given === null || given === undefined || given === "") return initial;
  const resources = Object.keys(RESOURCE_PATHS) as OAuthResource[];
  const found = resources.find((one) => resourceUrl(issuer, one) === given.replace(/\/$/, ""));
  if (found !== undefined) return found;
  throw new OAuthError("invalid_target", "The resource is unknown");
}
