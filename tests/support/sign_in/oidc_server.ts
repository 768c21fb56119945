/**
 * An OpenID provider in this process: signs in the user that a test names, also wrongly on request.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

type Claims = Record<string, unknown>;

/** A provider. */
export class OidcServer implements AsyncDisposable {
  readonly issuer: string;
  /** The claims of the next user to sign in. */
  claims: Claims = { sub: "s1", email: "bo@example.org", email_verified: true, name: "Bo" };
  /** False claims of the next ID token. */
  forged: Claims = {};
  /** The claims that only the userinfo endpoint answers. */
  more: Claims = {};
  /** Members of the discovery document instead of the true ones. */
  metadata: Claims = {};
  /** The last request for tokens. */
  lastTokenRequest: { form: URLSearchParams; authorization: string | null } | null = null;
  readonly #codes = new Map<string, { nonce: string; challenge: string; claims: Claims }>();
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #keys: CryptoKeyPair;

  private constructor(keys: CryptoKeyPair) {
    this.#keys = keys;
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
    this.issuer = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  static async start(): Promise<OidcServer> {
    const keys = await generateKeyPair("RS256", { extractable: true });
    return new OidcServer(keys as CryptoKeyPair);
  }

  /** The address that the provider sends a browser back to, once its user has signed in. */
  signIn(location: string): URL {
    const { searchParams } = new URL(location);
    const code = crypto.randomUUID();
    this.#codes.set(code, {
      nonce: searchParams.get("nonce") ?? "",
      challenge: searchParams.get("code_challenge") ?? "",
      claims: this.claims,
    });
    const callback = new URL(searchParams.get("redirect_uri") ?? "");
    callback.searchParams.set("code", code);
    callback.searchParams.set("state", searchParams.get("state") ?? "");
    callback.searchParams.set("iss", this.issuer);
    return callback;
  }

  /** A token, signed as this provider signs them. */
  async sign(claims: Claims, typ: string): Promise<string> {
    return await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k", typ })
      .sign(this.#keys.privateKey);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case "/authorize":
        return new Response(null, {
          status: 303,
          headers: { location: this.signIn(request.url).href },
        });
      case "/.well-known/openid-configuration":
        return Response.json({
          issuer: this.issuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          userinfo_endpoint: `${this.issuer}/userinfo`,
          jwks_uri: `${this.issuer}/jwks`,
          end_session_endpoint: `${this.issuer}/logout`,
          response_types_supported: ["code"],
          subject_types_supported: ["public"],
          id_token_signing_alg_values_supported: ["RS256"],
          authorization_response_iss_parameter_supported: true,
          ...this.metadata,
        });
      case "/jwks": {
        const key = {
          ...await exportJWK(this.#keys.publicKey),
          kid: "k",
          alg: "RS256",
          use: "sig",
        };
        return Response.json({ keys: [key] });
      }
      case "/token":
        return await this.#token(request);
      case "/userinfo":
        return Response.json({ sub: this.claims.sub, ...this.more });
      default:
        return new Response(null, { status: 404 });
    }
  }

  async #token(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    this.lastTokenRequest = { form, authorization: request.headers.get("authorization") };
    const found = this.#codes.get(form.get("code") ?? "");
    const challenge = createHash("sha256").update(form.get("code_verifier") ?? "").digest(
      "base64url",
    );
    if (found === undefined || found.challenge !== challenge) {
      return Response.json({ error: "invalid_grant" }, { status: 400 });
    }
    this.#codes.delete(form.get("code") ?? "");
    const at = Math.floor(Date.now() / 1000);
    const claims = {
      iss: this.issuer,
      aud: "cms",
      iat: at,
      exp: at + 300,
      auth_time: at,
      nonce: found.nonce,
      ...found.claims,
      ...this.forged,
    };
    return Response.json({
      access_token: "access",
      token_type: "Bearer",
      id_token: await this.sign(claims, "JWT"),
    });
  }
}
