/** Single sign-on against `oidc-provider`, a certified OpenID provider: sign-in, groups, proof, and both logouts. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import { PROOF_SECONDS } from "../../../kv/people/sessions.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { signInSite, type Visitor, visitor } from "../../support/sign_in/sign_in_site.ts";

const ORIGIN = "http://localhost";

/** The provider on a local port, with a client for a site. */
async function startProvider(site: string, client: Record<string, unknown>) {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const configuration = {
    clients: [{
      client_id: "cms",
      redirect_uris: [`${site}/admin/auth/corp/callback`],
      post_logout_redirect_uris: [`${site}/admin/sign-in`],
      grant_types: ["authorization_code"],
      response_types: ["code"],
      ...client,
    }],
    cookies: { keys: ["a key for cookies"] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name"],
      groups: ["groups"],
    },
    conformIdTokenClaims: false,
    features: {
      backchannelLogout: { enabled: true },
      devInteractions: { enabled: true },
      rpInitiatedLogout: { enabled: true },
    },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@example.org`,
        email_verified: true,
        name: sub,
        groups: ["writers"],
      }),
    }),
    pkce: { required: () => true },
    ttl: { Session: 3_600, Interaction: 600, Grant: 3_600, IdToken: 600, AccessToken: 600 },
  };
  const provider = new Provider(issuer, configuration);
  server.on("request", provider.callback());
  const close = () => new Promise<void>((done) => server.close(() => done()));
  return { issuer, [Symbol.asyncDispose]: close };
}

/** A browser at the provider, which fills in its forms. */
class ProviderBrowser {
  readonly #cookies = new Map<string, string>();

  constructor(readonly site: string) {}

  /** Follows redirects and answers forms until the provider sends the browser back to the site. */
  async follow(start: string, user: string): Promise<URL> {
    let url = new URL(start);
    let form: URLSearchParams | null = null;
    for (let step = 0; step < 12; step++) {
      if (url.origin === this.site) return url;
      const response: Response = await fetch(url, {
        redirect: "manual",
        headers: { cookie: [...this.#cookies].map((pair) => pair.join("=")).join("; ") },
        ...(form !== null && { method: "POST", body: form }),
      });
      const text = await response.text();
      for (const set of response.headers.getSetCookie()) {
        const [name = "", value = ""] = set.split(";")[0]!.split("=");
        this.#cookies.set(name, value);
      }
      const location = response.headers.get("location");
      if (location !== null) {
        [url, form] = [new URL(location, url), null];
        continue;
      }
      assertEquals(response.status, 200, text);
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? "";
      form = new URLSearchParams({ login: user, password: "any" });
      for (const [tag] of text.matchAll(/<input[^>]*type="hidden"[^>]*>/g)) {
        form.set(/name="([^"]*)"/.exec(tag)?.[1] ?? "", /value="([^"]*)"/.exec(tag)?.[1] ?? "");
      }
      if (action.includes("/session/end")) form.set("logout", "yes");
      url = new URL(action, url);
    }
    throw new Error(`The provider does not send the browser back: ${url}`);
  }
}

/** Signs in through the provider; answers where the browser ends. */
async function through(
  client: Visitor,
  browser: ProviderBrowser,
  user: string,
  path = "/admin/auth/corp",
): Promise<string> {
  const begun = await client.ask("GET", path);
  const callback = await browser.follow(begun.headers.get("location") ?? "", user);
  const answer = await client.ask("GET", callback.pathname + callback.search);
  return answer.headers.get("location") ?? "";
}

const provider = (issuer: string) => ({
  id: "corp",
  name: "Corp",
  issuer,
  clientId: "cms",
  scopes: "email profile groups",
  provision: true,
  roles: [{ group: "writers", role: "author" }],
});

Deno.test("a user is provisioned, signs in again, proves the session and signs out at the provider", async () => {
  await using server = await startProvider(ORIGIN, { client_secret: "a client secret" });
  const { test, bo } = await signInSite({ guard: { allowLocal: true } });
  await using _ = test;
  answered(
    await test.admin("PATCH", "/settings", {
      "auth.providers": [provider(server.issuer)],
      "secret.oidc.corp": "a client secret",
    }),
    200,
  );
  const [client, browser] = [visitor(test), new ProviderBrowser(ORIGIN)];
  assertEquals(
    await through(client, browser, "cem", "/admin/auth/corp?return=/admin/media"),
    "/admin/media",
  );
  const { user } = (await client.ask("GET", "/session")).json;
  assertEquals([user.email, user.displayName, user.roles], ["cem@example.org", "cem", ["author"]]);
  assertEquals(await through(visitor(test), browser, "cem"), "/admin");
  const other = visitor(test);
  assertEquals(await through(other, new ProviderBrowser(ORIGIN), "bo"), "/admin");
  assertEquals((await other.ask("GET", "/session")).json.user.id, bo.id);

  test.context.advance(PROOF_SECONDS * 1000);
  assertEquals((await client.ask("POST", "/account/totp")).status, 403);
  const proved = await through(
    client,
    browser,
    "cem",
    "/admin/auth/corp?prove=true&return=/admin/account",
  );
  assertEquals(proved, "/admin/account");
  assertEquals((await client.ask("POST", "/account/totp")).status, 201);

  const { url } = answered(await client.ask("DELETE", "/session"), 200);
  assertMatch(url, new RegExp(`^${server.issuer}/session/end\\?`));
  assertEquals((await browser.follow(url, "cem")).pathname, "/admin/sign-in");
  assert((await client.ask("GET", "/session")).status === 401);
});

Deno.test({
  name: "the service proves who it is by its key, and a logout at the provider ends sessions",
  // The provider leaves the bodies of answers to its logout tokens unread.
  sanitizeResources: false,
  fn: provesAndLogsOut,
});

async function provesAndLogsOut() {
  let serve: (request: Request) => Response | Promise<Response> = () => new Response();
  const listener = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => serve(request),
  );
  const baseUrl = `http://127.0.0.1:${listener.addr.port}`;
  {
    await using server = await startProvider(baseUrl, {
      token_endpoint_auth_method: "private_key_jwt",
      jwks_uri: `${baseUrl}/admin/auth/corp/jwks`,
      backchannel_logout_uri: `${baseUrl}/admin/auth/corp/backchannel-logout`,
      backchannel_logout_session_required: true,
    });
    const { test } = await signInSite({ guard: { allowLocal: true }, baseUrl });
    await using _ = test;
    const remoteAddr = { transport: "tcp", hostname: "127.0.0.1", port: 1 };
    serve = (request) => test.app.fetch(request, { remoteAddr });
    answered(
      await test.admin("PATCH", "/settings", { "auth.providers": [provider(server.issuer)] }),
      200,
    );
    // A logout token is at most five minutes old, by the clock of the machine.
    test.context.advance(Date.now() - test.context.now());
    const [first, second, other] = [visitor(test), visitor(test), visitor(test)];
    const browser = new ProviderBrowser(baseUrl);
    assertEquals(await through(first, browser, "cem"), "/admin");
    assertEquals(await through(second, browser, "cem"), "/admin");
    assertEquals(await through(other, new ProviderBrowser(baseUrl), "cem"), "/admin");
    const { url } = answered(await first.ask("DELETE", "/session"), 200);
    await browser.follow(url, "cem");
    const isOver = async () => (await second.ask("GET", "/session")).status === 401;
    for (let tries = 0; tries < 100 && !await isOver(); tries++) {
      await new Promise((done) => setTimeout(done, 20));
    }
    assert(await isOver(), "a session that began in the same session at the provider");
    assertEquals((await other.ask("GET", "/session")).status, 200, "of another one");
  }
  await listener.shutdown();
}
