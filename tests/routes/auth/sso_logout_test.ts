/** Logout tokens of a provider: which end sessions, and which are refused. */
import { assertEquals } from "../../support/harness/assert.ts";
import type { TestApp } from "../../support/sites/app.ts";
import { form } from "../../support/sign_in/oauth_site.ts";
import type { OidcServer } from "../../support/sign_in/oidc_server.ts";
import { BO, type Visitor, visitor } from "../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../support/sign_in/sso_site.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

async function logOut(
  test: TestApp,
  server: OidcServer,
  claims: Record<string, unknown>,
  typ = "logout+jwt",
) {
  const at = Math.floor(test.context.now() / 1000);
  const token = await server.sign({
    iss: server.issuer,
    aud: "cms",
    iat: at,
    exp: at + 120,
    jti: crypto.randomUUID(),
    events: { [EVENT]: {} },
    ...claims,
  }, typ);
  const send = () =>
    test.call("POST", "/admin/auth/corp/backchannel-logout", form({ logout_token: token }));
  return { status: (await send()).status, send };
}

Deno.test("back-channel logout ends the sessions of a sid, or of a sub", async () => {
  await using site = await ssoSite();
  const { test, server, client } = site;
  server.claims = { sub: "s1", email: BO.email, email_verified: true, sid: "one" };
  const first = visitor(test);
  await through(first, server);
  server.claims = { ...server.claims, sid: "two" };
  const second = visitor(test);
  await through(second, server);
  const statusOf = async (who: Visitor) => (await who.ask("GET", "/session")).status;

  const { send, status } = await logOut(test, server, { sid: "one" });
  assertEquals([status, await statusOf(first), await statusOf(second)], [200, 401, 200]);
  assertEquals((await send()).status, 400, "a token works once");
  assertEquals((await logOut(test, server, { sid: "unknown" })).status, 200);
  for (
    const [claims, typ] of [
      [{ sub: "s1", nonce: "n" }],
      [{ sub: "s1", events: {} }],
      [{ sub: "s1", aud: "other" }],
      [{ sub: "s1", iss: "https://other.example" }],
      [{ sub: "s1", iat: Math.floor(test.context.now() / 1000) - 400 }],
      [{ sub: "s1", exp: undefined }],
      [{}],
      [{ sub: "s1" }, "JWT"],
    ] as [Record<string, unknown>, string?][]
  ) {
    assertEquals((await logOut(test, server, claims, typ)).status, 400, JSON.stringify(claims));
  }
  assertEquals(await statusOf(second), 200);
  assertEquals((await logOut(test, server, { sub: "s1" })).status, 200);
  assertEquals([await statusOf(second), await statusOf(client)], [401, 200]);
});

Deno.test("a logout token may come from a clock that is half a minute off, and works once all the same", async () => {
  await using site = await ssoSite();
  const { test, server } = site;
  server.claims = { sub: "s1", email: BO.email, email_verified: true, sid: "one" };
  const at = Math.floor(test.context.now() / 1000);
  for (const iat of [at + 25, at - 315]) {
    const { send, status } = await logOut(test, server, { sid: "one", iat });
    assertEquals([status, (await send()).status], [200, 400], `${iat - at} seconds`);
  }
  for (const iat of [at + 35, at - 335]) {
    assertEquals((await logOut(test, server, { sid: "one", iat })).status, 400);
  }
  const { send, status } = await logOut(test, server, { sid: "one", exp: at - 10 });
  assertEquals(status, 200);
  test.context.advance(10_000);
  assertEquals((await send()).status, 400, "remembered while it would be accepted");
});
