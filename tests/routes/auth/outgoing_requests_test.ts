/** Threat: requests to private addresses that a provider, or a program, names. Each has to pass the guard. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../support/sites/admin_answers.ts";
import { authorizePath, form, get, ORIGIN } from "../../support/sign_in/oauth_site.ts";
import { OidcServer } from "../../support/sign_in/oidc_server.ts";
import { signInSite, visitor } from "../../support/sign_in/sign_in_site.ts";
import { through } from "../../support/sign_in/sso_site.ts";
import { GUARD, startTrap } from "../../support/sign_in/trap.ts";
import { CLIENT_DOCUMENT_BYTES_MAX } from "../../../routes/input/limits.ts";
import { OIDC_ANSWER_BYTES_MAX } from "../../../jobs/limits.ts";

const provider = (issuer: string) => ({
  "auth.providers": [{ id: "corp", name: "Corp", issuer, clientId: "cms" }],
  "secret.oidc.corp": "a client secret",
});

Deno.test("no address that a provider names is called if it is private", async () => {
  for (const member of ["jwks_uri", "token_endpoint", "userinfo_endpoint"]) {
    await using server = await OidcServer.start();
    await using trap = startTrap({ keys: [] });
    const { test } = await signInSite({ guard: GUARD });
    await using _ = test;
    answered(await test.admin("PATCH", "/settings", provider(server.issuer)), 200);
    server.metadata = { [member]: `${trap.origin}/${member}` };
    // Another client id reads the discovery document again.
    const [configured] = provider(server.issuer)["auth.providers"];
    const moved = { "auth.providers": [{ ...configured, clientId: "other" }] };
    const saved = await test.admin("PATCH", "/settings", moved);
    if (member === "jwks_uri") assertRefusal(saved, 422, "VALIDATION_FAILED");
    else {
      answered(saved, 200);
      server.claims = { sub: "s1" };
      server.forged = { aud: "other" };
      const location = await through(visitor(test), server);
      assert(location.startsWith("/admin/sign-in?error="), location);
    }
    assertEquals(trap.reached, [], member);
  }
});

Deno.test("keys that verify logout tokens are read through the guard", async () => {
  await using server = await OidcServer.start();
  await using trap = startTrap({ keys: [] });
  const oidcEnv = { issuer: server.issuer, clientId: "cms", clientSecret: "secret" };
  const { test } = await signInSite({ guard: GUARD, oidcEnv });
  await using _ = test;
  server.metadata = { jwks_uri: `${trap.origin}/jwks` };
  const at = Math.floor(test.context.now() / 1000);
  const claims = {
    iss: server.issuer,
    aud: "cms",
    iat: at,
    exp: at + 60,
    jti: "1",
    sub: "s1",
    events: { "http://schemas.openid.net/event/backchannel-logout": {} },
  };
  const logout_token = await server.sign(claims, "logout+jwt");
  const path = "/admin/auth/env/backchannel-logout";
  const answer = await test.call("POST", path, form({ logout_token }));
  assertEquals(answer.status, 400);
  const { keys } = answered(await test.admin("POST", "/auth/providers/env/test", {}), 200);
  assertEquals(keys.ok, false);
  assertEquals(trap.reached, []);
});

Deno.test("an issuer at a private address is not called", async () => {
  await using trap = startTrap();
  const { test } = await signInSite({ guard: GUARD });
  await using _ = test;
  const saved = await test.admin("PATCH", "/settings", provider(trap.origin));
  assertRefusal(saved, 422, "VALIDATION_FAILED");
  assertEquals(trap.reached, []);
});

Deno.test("a client's document is read neither from private addresses nor through redirects", async () => {
  await using trap = startTrap();
  const { test, client } = await signInSite({ guard: GUARD });
  await using _ = test;
  let answer: () => Response = () => new Response();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => answer(),
  );
  const id = `http://127.0.0.1:${server.addr.port}/client.json`;
  const document = (more: Record<string, unknown> = {}) =>
    Response.json({ client_id: id, redirect_uris: [`${ORIGIN}/cb`], ...more });
  const statusOf = async (clientId: string) =>
    (await get(test, client, authorizePath(clientId, { redirect_uri: `${ORIGIN}/cb` }))).status;
  answer = () => Response.redirect(`${trap.origin}/client.json`);
  assertEquals(await statusOf(id), 400);
  // A redirect to a valid document at a public address is none of its client either.
  answer = () => {
    answer = () => document();
    return Response.redirect(id);
  };
  assertEquals(await statusOf(id), 400);
  answer = () => document({ padding: "x".repeat(CLIENT_DOCUMENT_BYTES_MAX) });
  assertEquals(await statusOf(id), 400);
  assertEquals(await statusOf(`${trap.origin}/client.json`), 400);
  answer = () => document();
  assertEquals(await statusOf(id), 200);
  assertEquals(trap.reached, []);
  await server.shutdown();
});

Deno.test("the answers of a provider are bounded", async () => {
  await using server = await OidcServer.start();
  const { test } = await signInSite({ guard: GUARD });
  await using _ = test;
  server.metadata = { padding: "x".repeat(OIDC_ANSWER_BYTES_MAX) };
  const saved = await test.admin("PATCH", "/settings", provider(server.issuer));
  assertRefusal(saved, 422, "VALIDATION_FAILED");
});
