/**
 * The OpenID Connect client: discovery, kept for a day, the code flow, and logout tokens. Private addresses are
 * refused.
 *
 * @module
 */
import type { Configuration } from "openid-client";
import { type Context, openSecret, sealSecret } from "../../kv/context.ts";
import { oidcClientKey } from "../../kv/keys.ts";
import type { ProviderClaims } from "../../kv/people/sso/claims.ts";
import { Operation } from "../../kv/store/operation.ts";
import { nameText } from "../../kv/model/values/text_check.ts";
import { NAME_CHARS_MAX } from "../../kv/limits/content.ts";
import type { GuardedRequest } from "../network/guarded_request.ts";
import {
  ID_TOKEN_CHARS_MAX,
  OIDC_ANSWER_BYTES_MAX,
  OIDC_ANSWER_MS_MAX,
  OIDC_GROUPS_MAX,
} from "../limits.ts";
import type { ConfiguredProvider } from "./providers.ts";

const DISCOVERY_MS = 86_400_000;
/** How old a logout token may be, seconds. */
const LOGOUT_AGE_SECONDS = 300;
/** How far the clock of a provider may be off, seconds; `openid-client` allows ID tokens the same. */
const CLOCK_TOLERANCE_SECONDS = 30;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

/** The answer of a provider to a sign-in. */
export interface ProviderAnswer {
  claims: ProviderClaims;
  idToken: string;
  sid: string | null;
}

/** The values that a code is checked against. */
export interface CodeChecks {
  state: string;
  nonce: string;
  verifier: string;
  /** Seconds since the user has signed in at the provider, at most. */
  maxAge?: number | undefined;
}

/** A logout token that holds. */
export interface LogoutToken {
  issuer: string;
  subject: string | null;
  sid: string | null;
  jti: string;
  /** Epoch seconds. */
  acceptedUntil: number;
}

/** The client; discovery is kept in memory. */
export class OidcClient {
  readonly #context: Context;
  readonly #request: GuardedRequest;
  readonly #kept = new Map<string, { until: number; configuration: Promise<Configuration> }>();

  constructor(context: Context, request: GuardedRequest) {
    this.#context = context;
    this.#request = request;
  }

  /** The configuration of a provider, read from it at most once a day; `fresh` reads it now. */
  async configurationOf(configured: ConfiguredProvider, fresh = false): Promise<Configuration> {
    const { provider: { id, issuer, clientId }, secret } = configured;
    const key = JSON.stringify([id, issuer, clientId, secret]);
    const now = this.#context.now();
    const kept = this.#kept.get(key);
    if (!fresh && kept !== undefined && kept.until > now) return await kept.configuration;
    const configuration = this.#discover(configured);
    this.#kept.set(key, { until: now + DISCOVERY_MS, configuration });
    configuration.catch(() => this.#kept.delete(key));
    return await configuration;
  }

  /** The address at the provider where a user signs in. */
  async authorizationUrl(
    configured: ConfiguredProvider,
    redirectUri: string,
    { state, nonce, verifier, maxAge }: CodeChecks,
  ): Promise<URL> {
    const { provider } = configured;
    const client = await import("openid-client");
    const configuration = await this.configurationOf(configured);
    const scopes = new Set(["openid", ...(provider.scopes ?? "email profile").split(/\s+/)]);
    return client.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: [...scopes].filter((scope) => scope !== "").join(" "),
      state,
      nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(provider.responseMode !== undefined && { response_mode: provider.responseMode }),
      ...(maxAge !== undefined && { max_age: String(maxAge) }),
      ...(provider.prompt !== undefined && { prompt: provider.prompt }),
    });
  }

  /** Redeems the code of a callback for the claims about the user; throws if anything about it is wrong. */
  async redeem(
    configured: ConfiguredProvider,
    callback: URL,
    { state, nonce, verifier, maxAge }: CodeChecks,
  ): Promise<ProviderAnswer> {
    const client = await import("openid-client");
    const configuration = await this.configurationOf(configured);
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
      ...(maxAge !== undefined && { maxAge }),
    });
    const claims = tokens.claims();
    if (claims === undefined || tokens.id_token === undefined) throw new Error("No ID token");
    const { groupsClaim } = configured.provider;
    const isPartial = claims.email === undefined || claims[groupsClaim] === undefined;
    const more = isPartial && configuration.serverMetadata().userinfo_endpoint !== undefined
      ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub).catch(() => ({}))
      : {};
    return {
      claims: readClaims({ ...more, ...claims }, groupsClaim),
      idToken: tokens.id_token.length <= ID_TOKEN_CHARS_MAX ? tokens.id_token : "",
      sid: typeof claims.sid === "string" ? claims.sid.slice(0, NAME_CHARS_MAX) : null,
    };
  }

  /** The URL at which a user signs out at the provider; null if it has none. */
  async endSessionUrl(
    configured: ConfiguredProvider,
    idToken: string,
    returnTo: string,
  ): Promise<string | null> {
    const client = await import("openid-client");
    const configuration = await this.configurationOf(configured);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return client.buildEndSessionUrl(configuration, {
      ...(idToken !== "" && { id_token_hint: idToken }),
      post_logout_redirect_uri: returnTo,
    }).href;
  }

  /** Verifies a logout token; throws if anything about it is wrong. */
  async verifyLogout(configured: ConfiguredProvider, token: string): Promise<LogoutToken> {
    const jose = await import("jose");
    const { issuer, jwks_uri = "" } = (await this.configurationOf(configured)).serverMetadata();
    const keys = jose.createRemoteJWKSet(new URL(jwks_uri), { [jose.customFetch]: this.#fetch });
    const { payload } = await jose.jwtVerify(token, keys, {
      issuer,
      audience: configured.provider.clientId,
      typ: "logout+jwt",
      requiredClaims: ["iat", "exp", "jti", "events"],
      maxTokenAge: LOGOUT_AGE_SECONDS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      currentDate: new Date(this.#context.now()),
    });
    const { jti, exp, sub, sid, events } = payload;
    const event = (events as Record<string, unknown>)?.[LOGOUT_EVENT];
    const isSubject = typeof sub === "string" || typeof sid === "string";
    const isEvent = typeof event === "object" && event !== null;
    if (!isEvent || !isSubject || "nonce" in payload || jti === undefined || exp === undefined) {
      throw new Error("The logout token is not one");
    }
    return {
      issuer,
      subject: typeof sub === "string" ? sub : null,
      sid: typeof sid === "string" ? sid.slice(0, NAME_CHARS_MAX) : null,
      jti,
      acceptedUntil: exp + CLOCK_TOLERANCE_SECONDS,
    };
  }

  /** The number of signing keys that a provider publishes. */
  async countKeys(configured: ConfiguredProvider): Promise<number> {
    const { jwks_uri } = (await this.configurationOf(configured)).serverMetadata();
    if (jwks_uri === undefined) throw new Error("The provider has no jwks_uri");
    const { keys } = await (await this.#fetch(jwks_uri)).json();
    return Array.isArray(keys) ? keys.length : 0;
  }

  /** The public key with which the service proves who it is, as a key set. */
  async publicKeys(providerId: string): Promise<{ keys: unknown[] }> {
    const { d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...key } = await this.#jwkOf(
      providerId,
    );
    return { keys: [{ ...key, use: "sig", alg: "RS256", key_ops: ["verify"] }] };
  }

  async #discover(configured: ConfiguredProvider): Promise<Configuration> {
    const { provider: { id, issuer, clientId }, secret } = configured;
    const client = await import("openid-client");
    const isPlain = issuer.startsWith("http:");
    const options = {
      [client.customFetch]: this.#fetch,
      timeout: OIDC_ANSWER_MS_MAX / 1000,
      // The guard of the request refuses plain HTTP, except during development.
      ...(isPlain && { execute: [client.allowInsecureRequests] }),
    };
    const auth = secret !== null ? client.ClientSecretBasic(secret) : client.PrivateKeyJwt(
      await this.#privateKey(id) as unknown as Parameters<typeof client.PrivateKeyJwt>[0],
    );
    const found = await client.discovery(new URL(issuer), clientId, undefined, auth, options);
    const methods = found.serverMetadata().token_endpoint_auth_methods_supported ?? [];
    const isPost = methods.includes("client_secret_post") &&
      !methods.includes("client_secret_basic");
    if (secret === null || !isPost) return found;
    const post = client.ClientSecretPost(secret);
    return await client.discovery(new URL(issuer), clientId, undefined, post, options);
  }

  async #privateKey(providerId: string) {
    const jwk = await this.#jwkOf(providerId);
    const key = await crypto.subtle.importKey(
      "jwk",
      jwk,
      { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
      false,
      ["sign"],
    );
    return { key, kid: jwk.kid };
  }

  /** The key of a provider, made with its first use, and again if it cannot be read: providers fetch the public one. */
  async #jwkOf(providerId: string): Promise<JsonWebKey & { kid: string }> {
    const { store, newId, now } = this.#context;
    const entry = await store.get<string>(oidcClientKey(providerId));
    const kept = entry.value === null
      ? null
      : openSecret(this.#context, entry.value, { provider: providerId });
    if (kept !== null) return JSON.parse(kept);
    const algorithm = {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2_048,
      publicExponent: new Uint8Array([1, 0, 1]),
      hash: "SHA-256",
    };
    const { privateKey } = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const { key_ops: _ops, ext: _ext, ...jwk } = await crypto.subtle.exportKey("jwk", privateKey);
    const value = { ...jwk, kid: newId(now()) };
    const sealed = sealSecret(this.#context, JSON.stringify(value));
    const { ok } = await store.commit(new Operation().check(entry).set(entry.key, sealed));
    return ok ? value : await this.#jwkOf(providerId);
  }

  /** Requests of the libraries, through the guard. */
  readonly #fetch = async (
    url: string | URL,
    init: { method?: string; headers?: HeadersInit; body?: unknown } = {},
  ): Promise<Response> => {
    const body = init.body === undefined || init.body === null
      ? undefined
      : await bytesOf(init.body);
    const answer = await this.#request({
      url: String(url),
      ...(init.method !== undefined && { method: init.method }),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(body !== undefined && { body }),
      bytesMax: OIDC_ANSWER_BYTES_MAX,
      msMax: OIDC_ANSWER_MS_MAX,
    });
    const isEmpty = answer.status === 204 || answer.status === 304;
    const headers = new Headers(answer.headers);
    return new Response(isEmpty ? null : new Uint8Array(answer.body), {
      status: answer.status,
      headers,
    });
  };
}

async function bytesOf(body: unknown): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body as BodyInit).arrayBuffer());
}

/** The claims that matter, as a provider spells them. */
export function readClaims(claims: Record<string, unknown>, groupsClaim: string): ProviderClaims {
  const text = (value: unknown) =>
    typeof value === "string" && value.trim() !== "" ? value.trim() : null;
  const email = text(claims.email);
  const isEmail = email !== null && /^[^\s@]+@[^\s@]+$/.test(email) &&
    email.length <= NAME_CHARS_MAX;
  return {
    issuer: String(claims.iss),
    subject: String(claims.sub),
    email: isEmail ? email : null,
    isVerified: claims.email_verified === true,
    name: nameText(NAME_CHARS_MAX).safeParse(claims.name).data ?? null,
    groups: groupsOf(claims[groupsClaim]),
  };
}

function groupsOf(value: unknown): string[] | null {
  if (value === undefined || value === null) return null;
  const list = Array.isArray(value) ? value : [value];
  return list.slice(0, OIDC_GROUPS_MAX).filter((group) => typeof group === "string");
}

/** The message of an error, as far as it may be shown. */
export function faultOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: unknown };
  return cause instanceof Error ? `${message}: ${cause.message}` : message ?? "It failed";
}
