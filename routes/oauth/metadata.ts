/**
 * What clients read before anything else: RFC 8414 and RFC 9728.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { SUPPORTED_SCOPES } from "../../kv/people/oauth/oauth_scopes.ts";
import type { PeopleDeps } from "../deps/people_deps.ts";
import { accountOrigin, RESOURCE_PATHS } from "../middleware/account_origin.ts";

/** The grant type of devices. */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

/** The grant types of the token endpoint. */
export const GRANT_TYPES = ["authorization_code", "refresh_token", DEVICE_GRANT];

/** Browsers may read it too. */
const HEADERS = { "access-control-allow-origin": "*", "cache-control": "public, max-age=300" };

/** `/.well-known/oauth-authorization-server` and `/.well-known/oauth-protected-resource/mcp`. */
export function metadataRoutes(deps: PeopleDeps): Hono {
  return new Hono()
    .get("/oauth-authorization-server", async (c) => {
      const issuer = await accountOrigin(deps, c);
      const values = await deps.settings.values();
      const isOpen = values.get<boolean>("auth.oauth.register");
      return c.json(
        {
          issuer,
          authorization_endpoint: `${issuer}/oauth/authorize`,
          token_endpoint: `${issuer}/oauth/token`,
          device_authorization_endpoint: `${issuer}/oauth/device`,
          revocation_endpoint: `${issuer}/oauth/revoke`,
          ...(isOpen && { registration_endpoint: `${issuer}/oauth/register` }),
          scopes_supported: SUPPORTED_SCOPES,
          response_types_supported: ["code"],
          response_modes_supported: ["query"],
          grant_types_supported: GRANT_TYPES,
          token_endpoint_auth_methods_supported: ["none"],
          revocation_endpoint_auth_methods_supported: ["none"],
          code_challenge_methods_supported: ["S256"],
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: values.get<boolean>("auth.oauth.clientDocuments"),
        },
        200,
        HEADERS,
      );
    })
    .get("/oauth-protected-resource/mcp", async (c) => {
      const issuer = await accountOrigin(deps, c);
      return c.json(
        {
          resource: issuer + RESOURCE_PATHS.mcp,
          authorization_servers: [issuer],
          bearer_methods_supported: ["header"],
          scopes_supported: SUPPORTED_SCOPES.filter((scope) => scope !== "*"),
        },
        200,
        HEADERS,
      );
    });
}
