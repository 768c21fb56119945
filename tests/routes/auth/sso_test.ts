/** Single sign-on: whom a provider signs in, what it may not do, and how its sessions end. */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { PROOF_SECONDS } from "../../../kv/people/sessions.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../support/sites/admin_answers.ts";
import { OidcServer } from "../../support/sign_in/oidc_server.ts";
import {
  BO,
  signIn,
  signInSite,
  type Visitor,
  visitor,
} from "../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../support/sign_in/sso_site.ts";

async function ownSession(client: Visitor) {
  const sessions = (await client.ask("GET", "/sessions")).json.data;
  return sessions.find((session: { current: boolean }) => session.current);
}

const errorOf = (location: string) =>
  new URL(location, "http://localhost").searchParams.get("error");

Deno.test("a provider is read and checked when it is saved; its secret goes with it", async () => {
  await using site = await ssoSite();
  const { test, configure, server } = site;
  for (const issuer of ["http://127.0.0.1:1", `${server.issuer}/other`]) {
    const answer = await configure({ issuer });
    assertRefusal(answer, 422, "VALIDATION_FAILED");
    assertEquals(answer.json.error.details[0].field, "auth.providers.0.issuer");
  }
  assertRefusal(await configure({ link: "trusted" }), 422, "VALIDATION_FAILED");
  assertRefusal(await configure({ id: "env" }), 422, "VALIDATION_FAILED");
  assertRefusal(await configure({ defaultRole: "nobody" }), 422, "VALIDATION_FAILED");
  const values = await test.deps.settings.values();
  assertEquals(values.get("secret.oidc.corp"), "a client secret");
  assert(!("secret.oidc.corp" in (await test.admin("GET", "/settings")).json));
  answered(await test.admin("PATCH", "/settings", { "auth.providers": [] }), 200);
  assertEquals((await test.deps.settings.values()).get("secret.oidc.corp"), null);
  assertRefusal(await test.call("GET", "/admin/auth/corp"), 404, "NOT_FOUND");
});

Deno.test("private addresses of providers are refused", async () => {
  await using server = await OidcServer.start();
  const { test } = await signInSite();
  await using _ = test;
  const provider = { id: "corp", name: "Corp", issuer: server.issuer, clientId: "cms" };
  const answer = await test.admin("PATCH", "/settings", { "auth.providers": [provider] });
  assertRefusal(answer, 422, "VALIDATION_FAILED");
});

Deno.test("a verified address links the user, who is found by the identity from then on", async () => {
  await using site = await ssoSite();
  const { test, server, bo } = site;
  const client = visitor(test);
  const begun = await client.ask("GET", "/admin/auth/corp?return=/admin/media");
  const { searchParams } = new URL(begun.headers.get("location") ?? "");
  assertEquals(searchParams.get("code_challenge_method"), "S256");
  assertEquals(searchParams.get("redirect_uri"), "http://localhost/admin/auth/corp/callback");
  assert(searchParams.get("state") && searchParams.get("nonce"));
  const cookie = begun.headers.getSetCookie()[0] ?? "";
  assert(cookie.includes("HttpOnly") && cookie.includes("SameSite=Lax"), cookie);

  assertEquals(
    await through(client, server, "/admin/auth/corp?return=/admin/media"),
    "/admin/media",
  );
  assert(server.lastTokenRequest?.authorization?.startsWith("Basic "));
  assertEquals((await client.ask("GET", "/session")).json.user.id, bo.id);
  const own = await ownSession(client);
  assertEquals([own.method, own.secondFactor], ["oidc:corp", null]);
  const [version] = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  assertEquals(version.change_summary, "signed in through Corp");
  const { identities } = (await client.ask("GET", "/account")).json;
  const linkedAt = Math.floor(test.context.now() / 1000);
  assertEquals(identities, [{ provider: "corp", name: "Corp", email: BO.email, linkedAt }]);

  server.claims = { sub: "s1", email: "other@example.org", email_verified: false };
  const again = visitor(test);
  await through(again, server, "/admin/auth/corp?return=https://evil.example");
  assertEquals((await again.ask("GET", "/session")).json.user.id, bo.id);
  const versions = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  assertEquals(versions[0].id, version.id, "nothing has changed");
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  assertEquals(errorOf(await through(visitor(test), server)), "disabled");
});

Deno.test("what a provider says decides whether an address links", async () => {
  await using site = await ssoSite();
  const { test, server, configure } = site;
  const outcome = async (claims: Record<string, unknown>, changes: Record<string, Json> = {}) => {
    answered(await configure(changes), 200);
    server.claims = claims;
    const location = await through(visitor(test), server);
    return errorOf(location) ?? location;
  };
  const bo = { sub: "x", email: BO.email };
  assertEquals(await outcome(bo), "address_not_verified");
  assertEquals(await outcome({ ...bo, email_verified: "true" }), "address_not_verified");
  const verified = { ...bo, email_verified: true };
  assertEquals(await outcome(verified, { link: "never" }), "address_in_use");
  assertEquals(await outcome(verified, { domains: ["example.com"] }), "domain_not_allowed");
  const trusted = { link: "trusted", domains: ["ample.org"] };
  assertEquals(await outcome(bo, trusted), "domain_not_allowed");
  const unknown = { sub: "n", email: "new@example.org", email_verified: true };
  assertEquals(await outcome(unknown), "not_provisioned");
  assertEquals(await outcome(unknown, { provision: true }), "no_role");
  assertEquals(await outcome(bo, { link: "trusted", domains: ["example.org"] }), "/admin");
  assertEquals(await outcome({ ...verified, sub: "y" }), "address_in_use");
});

Deno.test("a user is provisioned with the roles of their groups, which each sign-in brings up to date", async () => {
  await using site = await ssoSite();
  const { test, server, configure } = site;
  const roles = [{ group: "writers", role: "author" }, { group: "chiefs", role: "editor" }];
  answered(await configure({ provision: true, roles, defaultRole: "viewer" }), 200);
  const signInWith = async (claims: Record<string, unknown>) => {
    server.claims = { sub: "n", email: "new@example.org", email_verified: true, ...claims };
    const client = visitor(test);
    assertEquals(await through(client, server), "/admin");
    const { user } = (await client.ask("GET", "/session")).json;
    return user;
  };
  const created = await signInWith({ name: "New", groups: ["writers", "others"] });
  assertEquals([created.roles, created.displayName, created.invited], [["author"], "New", false]);
  assertEquals((await signInWith({ groups: ["chiefs"], name: "Newer" })).roles, ["editor"]);
  assertEquals((await signInWith({})).roles, ["editor"], "an absent claim leaves the roles");
  server.more = { groups: ["writers", "chiefs"] };
  assertEquals((await signInWith({})).roles, ["author", "editor"], "also of the userinfo endpoint");
  server.more = {};
  const id = created.id;
  answered(await test.admin("PATCH", `/users/${id}`, { roles: ["author", "viewer"] }), 200);
  assertEquals((await signInWith({ groups: [] })).roles, ["viewer"]);
  const other = { sub: "o", email: "o@example.org", groups: ["nothing"] };
  assertEquals((await signInWith(other)).roles, ["viewer"], "the default role");
});

Deno.test("groups never take the last administrator away", async () => {
  await using site = await ssoSite({ roles: [{ group: "admins", role: "administrator" }] });
  const { test, server } = site;
  server.claims = { sub: "a", email: "ada@example.org", email_verified: true, groups: [] };
  const client = visitor(test);
  await through(client, server);
  assertEquals((await client.ask("GET", "/session")).json.user.roles, ["administrator"]);
});

Deno.test("faults of state, nonce and token are provider errors; a flow works once", async () => {
  await using site = await ssoSite();
  const { test, server } = site;
  const attempt = async (change: (callback: URL) => void, forged = {}) => {
    server.forged = forged;
    const client = visitor(test);
    const begun = await client.ask("GET", "/admin/auth/corp");
    const callback = server.signIn(begun.headers.get("location") ?? "");
    change(callback);
    const answer = await client.ask("GET", callback.pathname + callback.search);
    server.forged = {};
    assertEquals((await client.ask("GET", "/session")).status, 401);
    return errorOf(answer.headers.get("location") ?? "");
  };
  const nothing = () => {};
  assertEquals(await attempt((url) => url.searchParams.set("state", "other")), "provider_error");
  assertEquals(await attempt((url) => url.searchParams.delete("iss")), "provider_error");
  assertEquals(
    await attempt((url) => url.searchParams.set("iss", "https://mix.up")),
    "provider_error",
  );
  assertEquals(await attempt(nothing, { nonce: "other" }), "provider_error");
  assertEquals(await attempt(nothing, { aud: "somebody" }), "provider_error");
  assertEquals(await attempt(nothing, { exp: 1 }), "provider_error");
  assertEquals(await attempt(nothing, { iss: "https://other.example" }), "provider_error");
  const none = await visitor(test).ask("GET", "/admin/auth/corp/callback?code=x&state=y");
  const location = none.headers.get("location") ?? "";
  assertEquals(errorOf(location), "flow_expired");
  assert(location.startsWith("/admin/sign-in?error=") && location.includes("&request="));
  const [first, second] = [visitor(test), visitor(test)];
  const { headers } = await first.ask("GET", "/admin/auth/corp");
  for (const [name, value] of first.cookies) second.cookies.set(name, value);
  const { pathname, search } = server.signIn(headers.get("location") ?? "");
  const used = await first.ask("GET", pathname + search);
  assertEquals(errorOf(used.headers.get("location") ?? ""), null);
  const replayed = await second.ask("GET", pathname + search);
  assertEquals(errorOf(replayed.headers.get("location") ?? ""), "flow_expired");
  const denied = visitor(test);
  const begun = await denied.ask("GET", "/admin/auth/corp");
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
  const answer = await denied.ask(
    "GET",
    `/admin/auth/corp/callback?error=access_denied&state=${state}&iss=${server.issuer}`,
  );
  assertEquals(errorOf(answer.headers.get("location") ?? ""), "provider_error");
});

Deno.test("a signed-in user links and unlinks an identity, but not another user's", async () => {
  await using site = await ssoSite({ link: "never" });
  const { test, server, client } = site;
  const link = async (who: Visitor) => {
    const { url } = answered(await who.ask("POST", "/account/identities/corp/link"), 200);
    const { pathname, search } = new URL(url);
    return await through(who, server, pathname + search);
  };
  assertEquals(await link(client), "/admin/account");
  const ada = visitor(test);
  await signIn(ada, { ...BO, email: "ada@example.org", password: "correct horse battery" });
  assertEquals(errorOf(await link(ada)), "identity_in_use");
  const { url } = answered(await client.ask("POST", "/account/identities/corp/link"), 200);
  const stolen = await ada.ask("GET", new URL(url).pathname + new URL(url).search);
  assertEquals(stolen.headers.get("location"), "/admin/sign-in");
  answered(await client.ask("DELETE", "/account/identities/corp"), 204);
  assertRefusal(await client.ask("DELETE", "/account/identities/corp"), 404, "NOT_FOUND");
  assertEquals((await client.ask("GET", "/account")).json.identities, []);
});

Deno.test("the last way in cannot be unlinked, and the provider proves who a user is", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "viewer" });
  const { test, server } = site;
  server.claims = { sub: "n", email: "new@example.org", email_verified: true };
  const client = visitor(test);
  await through(client, server);
  assertRefusal(await client.ask("DELETE", "/account/identities/corp"), 409, "CONFLICT");
  test.context.advance(PROOF_SECONDS * 1000);
  assertRefusal(await client.ask("DELETE", "/account/identities/corp"), 403, "PROOF_REQUIRED");
  const path = "/admin/auth/corp?prove=true&return=/admin/account";
  const begun = await client.ask("GET", path);
  const { searchParams } = new URL(begun.headers.get("location") ?? "");
  assertEquals(searchParams.get("max_age"), "0");
  server.forged = { auth_time: 1 };
  assertEquals(errorOf(await through(client, server, path)), "provider_error");
  server.forged = {};
  assertEquals(await through(client, server, path), "/admin/account");
  assertRefusal(await client.ask("DELETE", "/account/identities/corp"), 409, "CONFLICT");
});

Deno.test("sign-out leads to the provider, unless it is not wanted there", async () => {
  await using site = await ssoSite();
  const { test, server, configure, client } = site;
  const single = visitor(test);
  await through(single, server);
  const { url } = answered(await single.ask("DELETE", "/session"), 200);
  const { pathname, searchParams } = new URL(url);
  assertEquals(pathname, "/logout");
  assertEquals(searchParams.get("post_logout_redirect_uri"), "http://localhost/admin/sign-in");
  assert(searchParams.get("id_token_hint"));
  answered(await client.ask("DELETE", "/session"), 204);
  answered(await configure({ logout: false }), 200);
  await through(single, server);
  answered(await single.ask("DELETE", "/session"), 204);
});

Deno.test("a provider is tested without changing anything, and without a secret a key is used", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "viewer" });
  const { test, server } = site;
  const claims = { sub: "n", email: "new@example.org", email_verified: true };
  const path = "/auth/providers/corp/test";
  const tested = answered(await test.admin("POST", path, { claims }), 200);
  assertEquals([tested.discovery.ok, tested.keys.value], [true, 1]);
  assertEquals([tested.mapping.outcome, tested.mapping.roles], ["provision", ["viewer"]]);
  assertEquals((await test.admin("GET", "/users")).json.meta.total, 2);
  assertRefusal(await test.admin("POST", "/auth/providers/none/test"), 404, "NOT_FOUND");
  answered(await test.admin("PATCH", "/settings", { "secret.oidc.corp": null }), 200);
  const { keys } = answered(await test.call("GET", "/admin/auth/corp/jwks"), 200);
  assertEquals([keys[0].kty, keys[0].d], ["RSA", undefined]);
  await through(visitor(test), server);
  const { form } = server.lastTokenRequest ?? {};
  assert(form?.get("client_assertion_type")?.endsWith("jwt-bearer"));
});

Deno.test("form_post comes back over HTTPS with a cookie that other sites' forms send", async () => {
  await using server = await OidcServer.start();
  const options = { guard: { allowLocal: true }, baseUrl: "https://cms.example" };
  const { test } = await signInSite(options);
  await using _ = test;
  const provider = {
    id: "corp",
    name: "Corp",
    issuer: server.issuer,
    clientId: "cms",
    responseMode: "form_post",
  };
  answered(await test.admin("PATCH", "/settings", { "auth.providers": [provider] }), 200);
  const client = visitor(test);
  const begun = await client.ask("GET", "/admin/auth/corp");
  const cookie = begun.headers.getSetCookie()[0] ?? "";
  assert(/^__Host-oidc_flow=.*Secure.*SameSite=None/.test(cookie), cookie);
  const location = begun.headers.get("location") ?? "";
  assertEquals(new URL(location).searchParams.get("response_mode"), "form_post");
  const callback = server.signIn(location);
  assertEquals(callback.origin, "https://cms.example");
  const answer = await test.call("POST", callback.pathname, {
    raw: callback.searchParams.toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "cross-site",
      origin: server.issuer,
      cookie: cookie.split(";")[0] ?? "",
    },
  });
  assertEquals([answer.status, answer.headers.get("location")], [302, "/admin"]);
});

Deno.test("the environment names a provider, which settings cannot replace", async () => {
  await using server = await OidcServer.start();
  const oidcEnv = { issuer: server.issuer, clientId: "cms", clientSecret: "of the environment" };
  const { test, bo } = await signInSite({ guard: { allowLocal: true }, oidcEnv });
  await using _ = test;
  const client = visitor(test);
  assertEquals(await through(client, server, "/admin/auth/env"), "/admin");
  assertEquals((await client.ask("GET", "/session")).json.user.id, bo.id);
  assertEquals((await ownSession(client)).method, "oidc:env");
});
