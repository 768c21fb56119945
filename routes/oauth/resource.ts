/**
 * The `resource` parameter: what an access token is for.
 *
 * @module
 */
import type { OAuthResource } from "../../kv/people/oauth/oauth_scopes.ts";
import { RESOURCE_PATHS } from "../middleware/account_origin.ts";
import { OAuthError } from "./oauth_error.ts";

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
  const found = resources.find((one) => issuer + RESOURCE_PATHS[one] === given.replace(/\/$/, ""));
  if (found !== undefined) return found;
  throw new OAuthError("invalid_target", "The resource is unknown");
}
