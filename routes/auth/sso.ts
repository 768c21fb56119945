/**
 * `/admin/auth/{id}`: signing in through an OpenID provider (code flow with PKCE), its callback, its back-channel
 * logout, and the key set of the service.
 *
 * @module
 */
import { type Context as HttpContext, Hono } from "@hono/hono";
import { getCookie, setCookie } from "@hono/hono/cookie";
import { randomBase62 } from "../../kv/model/values/token_text.ts";
import { findBrowser } from "../../kv/people/known_browsers.ts";
import {
  type Flow,
  FLOW_SECONDS,
  keepFlow,
  takeFlow,
  takeLink,
} from "../../kv/people/sso/flows.ts";
import { acceptLogout } from "../../kv/people/sso/provider_logout.ts";
import { linkIdentity, signInThrough } from "../../kv/people/sso/provider_sign_in.ts";
import { userOfIdentity } from "../../kv/people/sso/claims.ts";
import { findSession, proveSession } from "../../kv/people/sessions.ts";
import { Refusal } from "../../kv/refusals.ts";
import { acceptSignIn, recordSignIn } from "../admin/people/accept_sign_in.ts";
import { staysInside } from "../answers/inside_path.ts";
import type { Deps } from "../deps/deps.ts";
import { readForm } from "../input/form.ts";
import { pathParameter } from "../input/path_parameter.ts";
import { accountOrigin } from "../middleware/account_origin.ts";
import { addressOf } from "../middleware/address_quota.ts";
import { isHttps } from "../middleware/own_origin.ts";
import { logReason } from "../middleware/request_log.ts";
import { browserSecret, sessionSecret } from "../middleware/session_cookie.ts";
import type { CodeChecks, ProviderAnswer } from "../../jobs/oidc/oidc_client.ts";
import { type ConfiguredProvider, findProvider } from "../../jobs/oidc/providers.ts";

/** Characters of a state, a nonce and a verifier. */
const SECRET_CHARS = 43;
/** A path of the studio, and nothing that leaves it. */
const INSIDE = /^\/admin(?:[/?#][\w\-./?=&%:,~#*+]*)?$/;

/** The routes of single sign-on. */
export function ssoRoutes(deps: Deps): Hono {
  const { oidc, settings, people } = deps;
  const find = async (c: HttpContext) =>
    findProvider(await settings.values(), deps.oidcEnv, pathParameter(c, "id"));
  return new Hono()
    .get("/:id/jwks", async (c) => {
      const { provider } = await find(c);
      return c.json(await oidc.publicKeys(provider.id), 200, { "cache-control": "max-age=300" });
    })
    .post("/:id/backchannel-logout", async (c) => {
      const configured = await find(c);
      const { provider: { id } } = configured;
      const headers = { "cache-control": "no-store" };
      try {
        const token = (await readForm(c.req.raw)).get("logout_token") ?? "";
        const logout = await oidc.verifyLogout(configured, token);
        if (!(await acceptLogout(people, id, logout))) throw new Error("The token was used");
        return c.body(null, 200, headers);
      } catch (error) {
        if (error instanceof Refusal && error.code !== "UNSUPPORTED_MEDIA_TYPE") throw error;
        logFailure(deps, c, id, error);
        return c.json({ error: "invalid_request" }, 400, headers);
      }
    })
    .get("/:id/callback", async (c) => {
      return await finish(deps, c, await find(c), new URL(c.req.url).searchParams);
    })
    .post("/:id/callback", async (c) => {
      return await finish(deps, c, await find(c), await readForm(c.req.raw));
    })
    .get("/:id", async (c) => await begin(deps, c, await find(c)));
}

/** Sends a browser to the provider. */
async function begin(
  deps: Deps,
  c: HttpContext,
  configured: ConfiguredProvider,
): Promise<Response> {
  const { oidc, people, trustProxy } = deps;
  const { context } = people;
  const { provider } = configured;
  await people.attempts.ssoFrom(addressOf(deps, c));
  const given = c.req.query("return") ?? "";
  const purpose = await purposeOf(deps, c, provider.id);
  if (purpose === null) return c.redirect(`/admin/sign-in`);
  const flow: Flow = {
    provider: provider.id,
    state: randomBase62(SECRET_CHARS),
    nonce: randomBase62(SECRET_CHARS),
    verifier: randomBase62(SECRET_CHARS),
    returnTo: staysInside(given, INSIDE) ? given : "/admin",
    purpose,
  };
  try {
    const url = await oidc.authorizationUrl(
      configured,
      await redirectUri(deps, c, provider.id),
      checksOf(configured, flow),
    );
    const secure = isHttps(c, trustProxy);
    setCookie(c, cookieName(secure), await keepFlow(context, flow), {
      path: "/",
      httpOnly: true,
      secure,
      sameSite: provider.responseMode === "form_post" && secure ? "None" : "Lax",
      maxAge: FLOW_SECONDS,
    });
    c.header("cache-control", "no-store");
    return c.redirect(url.href);
  } catch (error) {
    logFailure(deps, c, provider.id, error);
    return await refuse(deps, c, provider.id, "provider_error");
  }
}

/** The purpose of a flow; null if its link or its session is not valid. */
async function purposeOf(
  { people, trustProxy }: Deps,
  c: HttpContext,
  providerId: string,
): Promise<Flow["purpose"] | null> {
  const link = c.req.query("link");
  const isProof = c.req.query("prove") === "true";
  if (link === undefined && !isProof) return { kind: "sign-in" };
  const session = await findSession(people, sessionSecret(c, trustProxy));
  if (session === null) return null;
  const { user, hash } = session;
  if (isProof) return { kind: "prove", userId: user.id, sessionHash: hash };
  const request = await takeLink(people.context, link ?? "");
  const isOwn = request?.provider === providerId && request.sessionHash === hash;
  return isOwn && request.userId === user.id ? { kind: "link", userId: user.id } : null;
}

/** Takes what the provider sends the browser back with. */
async function finish(
  deps: Deps,
  c: HttpContext,
  configured: ConfiguredProvider,
  parameters: URLSearchParams,
): Promise<Response> {
  const { oidc, people, trustProxy } = deps;
  const secure = isHttps(c, trustProxy);
  const secret = getCookie(c, cookieName(secure)) ?? "";
  setCookie(c, cookieName(secure), "", { path: "/", httpOnly: true, secure, maxAge: 0 });
  c.header("cache-control", "no-store");
  const { provider } = configured;
  const flow = await takeFlow(people.context, secret);
  if (flow === null || flow.provider !== provider.id) {
    // Anyone can cause this as often as they like, so it is not in the audit log.
    logRefusal(deps, c, provider.id, "flow_expired");
    return refused(c, "flow_expired");
  }
  let answer: ProviderAnswer;
  try {
    const callback = new URL(await redirectUri(deps, c, provider.id));
    for (const [name, value] of parameters) callback.searchParams.append(name, value);
    answer = await oidc.redeem(configured, callback, checksOf(configured, flow));
  } catch (error) {
    logFailure(deps, c, provider.id, error);
    return await refuse(deps, c, provider.id, "provider_error");
  }
  return await accept(deps, c, { configured, flow, answer });
}

/** Does what a flow is for. */
async function accept(
  deps: Deps,
  c: HttpContext,
  { configured: { provider }, flow: { purpose, returnTo }, answer: { claims, idToken, sid } }: {
    configured: ConfiguredProvider;
    flow: Flow;
    answer: ProviderAnswer;
  },
): Promise<Response> {
  const { people, trustProxy } = deps;
  const refuseForeign = (userId: string) => refuse(deps, c, provider.id, "identity_in_use", userId);
  if (purpose.kind === "link") {
    const isLinked = await linkIdentity(people, provider, claims, purpose.userId);
    return isLinked ? c.redirect(returnTo) : await refuseForeign(purpose.userId);
  }
  if (purpose.kind === "prove") {
    const user = userOfIdentity(await people.access.current(), claims);
    if (user?.id !== purpose.userId) return await refuseForeign(purpose.userId);
    await proveSession(people.context, purpose.sessionHash);
    await recordSignIn(deps, c, "proof", user.id);
    return c.redirect(returnTo);
  }
  const user = await signInThrough(people, provider, claims);
  if (typeof user === "string") return await refuse(deps, c, provider.id, user);
  await recordSignIn(deps, c, "sign_in", user.id);
  const browser = await findBrowser(people.context, browserSecret(c, trustProxy));
  await acceptSignIn(deps, c, {
    user,
    method: `oidc:${provider.id}`,
    browser,
    oidc: { provider: provider.id, sid, idToken },
  });
  return c.redirect(returnTo);
}

function checksOf({ provider }: ConfiguredProvider, flow: Flow): CodeChecks {
  const { state, nonce, verifier, purpose } = flow;
  return { state, nonce, verifier, maxAge: purpose.kind === "prove" ? 0 : provider.maxAge };
}

/** The only redirect URI of a provider. */
async function redirectUri(deps: Deps, c: HttpContext, id: string): Promise<string> {
  return `${await accountOrigin(deps, c)}/admin/auth/${id}/callback`;
}

/** Refuses a sign-in; the log and the audit log have the reason too. */
async function refuse(
  deps: Deps,
  c: HttpContext,
  provider: string,
  reason: string,
  userId: string | null = null,
): Promise<Response> {
  logRefusal(deps, c, provider, reason);
  await recordSignIn(deps, c, "sign_in_failed", userId, reason);
  return refused(c, reason);
}

function logRefusal({ people }: Deps, c: HttpContext, provider: string, reason: string): void {
  logReason(people.context.log, c, "single sign-on refused", { provider, reason });
}

/** The sign-in page, with why it is shown. */
function refused(c: HttpContext, reason: string): Response {
  return c.redirect(`/admin/sign-in?error=${reason}&request=${c.get("requestId")}`);
}

/** The answer of a provider is in the log only, under the ID that the sign-in page shows. */
function logFailure(
  { content: { context } }: Deps,
  c: HttpContext,
  provider: string,
  error: unknown,
): void {
  const { message, code, cause } = error as { message?: string; code?: string; cause?: unknown };
  const said = cause instanceof Error ? cause.message : cause;
  context.log.warn("single sign-on failed", {
    requestId: c.get("requestId"),
    provider,
    error: message ?? `${error}`,
    code: code ?? null,
    cause: said === undefined ? null : `${typeof said === "object" ? JSON.stringify(said) : said}`,
  });
}

function cookieName(secure: boolean): string {
  return secure ? "__Host-oidc_flow" : "oidc_flow";
}
