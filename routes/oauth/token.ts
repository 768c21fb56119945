/**
 * `POST /oauth/token`, `/oauth/revoke` and `/oauth/register`: what programs call.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { redeemCode } from "../../kv/people/oauth/authorization.ts";
import { pollDevice } from "../../kv/people/oauth/devices.ts";
import {
  ACCESS_SECONDS,
  type IssuedTokens,
  refreshGrant,
  revokeToken,
} from "../../kv/people/oauth/grants.ts";
import {
  currentScopes,
  narrowedScopes,
  type OAuthResource,
  storedScopes,
} from "../../kv/people/oauth/oauth_scopes.ts";
import { registerClient } from "../../kv/people/oauth/registered_clients.ts";
import type { Schema } from "../../kv/model/entities/collection.ts";
import { seconds } from "../../kv/context.ts";
import { Refusal } from "../../kv/refusals.ts";
import type { Deps } from "../deps/deps.ts";
import { readCredentials } from "../input/body.ts";
import { readForm } from "../input/form.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import { countAddress } from "../middleware/address_quota.ts";
import { ClientMetadata, clientOf, type OAuthClients } from "./clients.ts";
import { GRANT_TYPES } from "./metadata.ts";
import { logRefusal, OAuthError, oauthErrorResponse } from "./oauth_error.ts";
import { parseResource } from "./resource.ts";

const HEADERS = { "cache-control": "no-store", "access-control-allow-origin": "*" };

/** The endpoints of programs. */
export function tokenEndpoints(deps: Deps, clients: OAuthClients): Hono {
  const { content: { context, schema }, settings } = deps;
  return new Hono()
    .post("/token", async (c) =>
      await answered(deps, c, async () => {
        const form = await readForm(c.req.raw);
        const tokens = await tokensFor(deps, c, clients, form);
        return c.json(
          {
            access_token: tokens.accessToken,
            token_type: "Bearer",
            expires_in: ACCESS_SECONDS,
            refresh_token: tokens.refreshToken,
            scope: currentScopes(tokens.scopes, await schema.current()).join(" "),
          },
          200,
          HEADERS,
        );
      }))
    .post("/revoke", async (c) =>
      await answered(deps, c, async () => {
        const form = await readForm(c.req.raw);
        await revokeToken(context, required(form, "token"), form.get("client_id") ?? undefined);
        return c.body(null, 200, HEADERS);
      }))
    .post("/register", async (c) => {
      if (!(await settings.get<boolean>("auth.oauth.register"))) throw new Refusal("NOT_FOUND");
      await countAddress(deps, c, {});
      return await answered(deps, c, async () => {
        const parsed = ClientMetadata.safeParse(await readCredentials(c.req.raw));
        if (!parsed.success) {
          const isRedirect = parsed.error.issues.some(({ path }) => path[0] === "redirect_uris");
          const code = isRedirect ? "invalid_redirect_uri" : "invalid_client_metadata";
          throw new OAuthError(code, parsed.error.issues[0]?.message ?? "Not valid");
        }
        const { id: _id, ...described } = clientOf("program", parsed.data);
        const client = await registerClient(context, described);
        return c.json(
          {
            client_id: client.id,
            client_id_issued_at: seconds(context),
            client_name: client.name,
            ...(client.url !== null && { client_uri: client.url }),
            redirect_uris: client.redirectUris,
            token_endpoint_auth_method: "none",
            grant_types: ["authorization_code", "refresh_token"],
            response_types: ["code"],
          },
          201,
          HEADERS,
        );
      });
    });
}

/** Runs an endpoint; errors count against the address, and are answered as OAuth words them. */
export async function answered(
  deps: Deps,
  c: HttpContext,
  work: () => Promise<Response>,
): Promise<Response> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    if (error.code !== "authorization_pending") {
      logRefusal(deps, c, error);
      await countAddress(deps, c, {});
    }
    return oauthErrorResponse(c, error);
  }
}

async function tokensFor(
  deps: Deps,
  c: HttpContext,
  clients: OAuthClients,
  form: URLSearchParams,
): Promise<IssuedTokens> {
  const { people } = deps;
  refuseRepeated(form);
  const type = required(form, "grant_type");
  if (!GRANT_TYPES.includes(type)) {
    throw new OAuthError("unsupported_grant_type", "The grant type is not supported");
  }
  const clientId = required(form, "client_id");
  const checkResource = await resourceCheck(deps, c, form.get("resource"));
  if (type === "authorization_code") {
    const tokens = await redeemCode(people, {
      code: required(form, "code"),
      clientId,
      verifier: required(form, "code_verifier"),
      redirectUri: form.get("redirect_uri") ?? undefined,
      checkResource,
    });
    if (tokens === null) throw new OAuthError("invalid_grant", "The code is not valid");
    return tokens;
  }
  if (type === "refresh_token") {
    const narrow = narrowing(form.get("scope"), await deps.content.schema.current());
    const token = required(form, "refresh_token");
    const tokens = await refreshGrant(people, token, clientId, (scopes, resource) => {
      checkResource(resource);
      return narrow(scopes);
    });
    if (tokens === null) throw new OAuthError("invalid_grant", "The refresh token is not valid");
    return tokens;
  }
  await clients.find(clientId);
  const polled = await pollDevice(people, {
    deviceCode: required(form, "device_code"),
    clientId,
    checkResource,
  });
  if (typeof polled !== "string") return polled;
  throw new OAuthError(polled, "The device has no access");
}

/** Refuses what was granted for another resource than the one that a request names. */
async function resourceCheck(
  deps: Deps,
  c: HttpContext,
  given: string | null,
): Promise<(granted: OAuthResource) => void> {
  if (given === null || given === "") return () => {};
  const requested = parseResource(await accountOrigin(deps, c), given, "mcp");
  return (granted) => {
    if (granted === requested) return;
    throw new OAuthError("invalid_target", "The access was given for another resource");
  };
}

/** How the `scope` of a refresh narrows what a grant gives. */
function narrowing(scope: string | null, schema: Schema): (scopes: string[]) => string[] {
  const requested = scope?.split(" ").filter((one) => one !== "") ?? [];
  if (requested.length === 0) return (scopes) => scopes;
  return (scopes) => {
    const narrowed = narrowedScopes(scopes, storedScopes(requested, schema));
    if (narrowed.length > 0) return narrowed;
    throw new OAuthError("invalid_scope", "The grant has none of the scopes");
  };
}

/** The value of a parameter that must be given. */
function required(form: URLSearchParams, name: string): string {
  const value = form.get(name);
  if (value === null || value === "") {
    throw new OAuthError("invalid_request", `${name} is missing`);
  }
  return value;
}

function refuseRepeated(form: URLSearchParams): void {
  const repeated = [...new Set(form.keys())].find((name) => form.getAll(name).length > 1);
  if (repeated !== undefined) throw new OAuthError("invalid_request", `${repeated} is repeated`);
}
