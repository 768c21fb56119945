/**
 * `/oauth/authorize`: a program asks for access, and its user consents.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import {
  type AuthorizationRequest,
  issueCode,
  keepRequest,
  takeRequest,
} from "../../kv/people/oauth/authorization.ts";
import { offeredScopes, parseScope, storedScopes } from "../../kv/people/oauth/oauth_scopes.ts";
import type { KnownClient } from "../../kv/people/oauth/registered_clients.ts";
import type { ActiveSession } from "../../kv/people/sessions.ts";
import { OAUTH_STATE_CHARS_MAX } from "../../kv/limits/people.ts";
import type { Deps } from "../deps/deps.ts";
import { readForm } from "../input/form.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import { countAddress } from "../middleware/address_quota.ts";
import { isRedirectAllowed, type OAuthClients } from "./clients.ts";
import { logRefusal, OAuthError } from "./oauth_error.ts";
import { parseResource } from "./resource.ts";
import { consentPage, messagePage } from "./pages.ts";
import { visitorOf } from "./visitor.ts";

/** The consent page and its form. */
export function authorizeRoutes(deps: Deps, clients: OAuthClients): Hono {
  const { content: { context, schema } } = deps;
  return new Hono()
    .get("/", async (c) => {
      const { searchParams } = new URL(c.req.url);
      const target = await targetOf(deps, c, clients, searchParams);
      if (target instanceof Response) return target;
      const visitor = await visitorOf(deps, c);
      if (visitor instanceof Response) return visitor;
      try {
        return await askConsent(deps, c, { ...target, visitor, query: searchParams });
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        logRefusal(deps, c, error);
        const { redirectUri } = target;
        const state = searchParams.get("state");
        return await answer(deps, c, { redirectUri, state }, { error: error.code });
      }
    })
    .post("/", async (c) => {
      const visitor = await visitorOf(deps, c);
      if (visitor instanceof Response) return visitor;
      const form = await readForm(c.req.raw);
      const request = await takeRequest(context, form.get("request") ?? "", visitor.hash);
      if (request === null) {
        return messagePage(c, "This request has expired", "Start again in the program.", 400);
      }
      const { authority, user, provenAt } = visitor;
      const { resource } = request;
      const current = await schema.current();
      const offered = offeredScopes(request.scopes, resource, authority, current);
      const scopes = form.getAll("scope").filter((scope) => offered.includes(scope));
      if (form.get("answer") !== "allow" || scopes.length === 0) {
        return await answer(deps, c, request, { error: "access_denied" });
      }
      const stored = storedScopes(scopes, current);
      const code = await issueCode(context, user, request, { scopes: stored, provenAt });
      return await answer(deps, c, request, { code });
    });
}

/** The client and where it is answered. Anything wrong with them is shown, and sent nowhere. */
async function targetOf(
  deps: Deps,
  c: HttpContext,
  clients: OAuthClients,
  query: URLSearchParams,
): Promise<{ client: KnownClient; redirectUri: string } | Response> {
  try {
    const client = await clients.find(query.get("client_id"));
    const redirectUri = query.get("redirect_uri") ??
      (client.redirectUris.length === 1 ? client.redirectUris[0] : undefined) ?? "";
    if (isRedirectAllowed(client, redirectUri)) return { client, redirectUri };
    throw new OAuthError("invalid_request", "The redirect URI is not one of the client's");
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error;
    logRefusal(deps, c, error);
    await countAddress(deps, c, {});
    return messagePage(c, "This program cannot be connected", error.message, 400);
  }
}

interface ConsentRequest {
  client: KnownClient;
  redirectUri: string;
  visitor: ActiveSession;
  query: URLSearchParams;
}

async function askConsent(
  deps: Deps,
  c: HttpContext,
  { client: { id, name, url }, redirectUri, visitor, query }: ConsentRequest,
): Promise<Response> {
  const { content: { context, schema }, settings } = deps;
  const client = { id, name, url };
  if (query.get("response_type") !== "code") {
    throw new OAuthError("unsupported_response_type", "response_type must be code");
  }
  const codeChallenge = query.get("code_challenge") ?? "";
  const isS256 = query.get("code_challenge_method") === "S256";
  if (!isS256 || !/^[A-Za-z0-9_-]{43}$/.test(codeChallenge)) {
    throw new OAuthError("invalid_request", "PKCE with S256 is required");
  }
  const state = query.get("state");
  if (state !== null && state.length > OAUTH_STATE_CHARS_MAX) {
    throw new OAuthError("invalid_request", "The state is too long");
  }
  const resource = parseResource(await accountOrigin(deps, c), query.get("resource"), "mcp");
  const requested = parseScope(query.get("scope") ?? undefined, resource);
  if (requested === null) throw new OAuthError("invalid_scope", "A scope is unknown");
  const sessionHash = visitor.hash;
  const request: AuthorizationRequest = {
    client,
    redirectUri,
    state,
    codeChallenge,
    resource,
    scopes: requested,
    sessionHash,
  };
  const scopes = offeredScopes(requested, resource, visitor.authority, await schema.current());
  return await consentPage(c, {
    action: "/oauth/authorize",
    hidden: { request: await keepRequest(context, request) },
    client,
    redirectUri,
    userName: visitor.user.displayName,
    siteTitle: await settings.get<string>("site.title"),
    scopes,
  });
}

/** Leads back to the program. */
async function answer(
  deps: Deps,
  c: HttpContext,
  { redirectUri, state }: Pick<AuthorizationRequest, "redirectUri" | "state">,
  parameters: Record<string, string>,
): Promise<Response> {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (state !== null) url.searchParams.set("state", state);
  url.searchParams.set("iss", await accountOrigin(deps, c));
  c.header("cache-control", "no-store");
  c.header("referrer-policy", "no-referrer");
  return c.redirect(url.href, 303);
}
