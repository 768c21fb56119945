/** What a grant gives over time: refresh tokens of any age, narrowed scopes, and collections that are renamed. */
import { assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import type { TestApp } from "../../support/sites/app.ts";
import { consent, oauthSite, redeem, rpc, token } from "../../support/sign_in/oauth_site.ts";

const METADATA = "/.well-known/oauth-authorization-server";

const refresh = (
  test: TestApp,
  client_id: string,
  refresh_token: string,
  more: Record<string, string> = {},
) => token(test, { grant_type: "refresh_token", refresh_token, client_id, ...more });

async function toolsOf(test: TestApp, accessToken: string): Promise<string[]> {
  const { json } = await rpc(test, accessToken, "tools/list");
  return json.result.tools.map(({ name }: { name: string }) => name);
}

Deno.test("a refresh token ends the grant however often it was replaced since", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const first = answered(await redeem(test, clientId, await consent(site)), 200);
  let last = first;
  for (let round = 0; round < 60; round++) {
    last = answered(await refresh(test, clientId, last.refresh_token), 200);
  }
  assertEquals((await rpc(test, last.access_token, "tools/list")).status, 200);
  assertEquals((await refresh(test, clientId, first.refresh_token)).json.error, "invalid_grant");
  assertEquals((await rpc(test, last.access_token, "tools/list")).status, 401);
  assertEquals((await refresh(test, clientId, last.refresh_token)).json.error, "invalid_grant");
});

Deno.test("an access token for programs opens nothing but `/mcp`", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const { access_token } = answered(await redeem(test, clientId, await consent(site)), 200);
  const headers = { authorization: `Bearer ${access_token}` };
  assertEquals((await rpc(test, access_token, "tools/list")).status, 200);
  assertEquals((await test.call("GET", "/api/v1/notes", { headers })).status, 401);
});

Deno.test("a refresh narrows the scopes of its access token, and the grant keeps its own", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const first = answered(await redeem(test, clientId, await consent(site)), 200);
  const narrow = answered(
    await refresh(test, clientId, first.refresh_token, { scope: "*:read" }),
    200,
  );
  assertEquals(narrow.scope, "notes:read");
  assertEquals((await toolsOf(test, narrow.access_token)).includes("create_document"), false);
  const foreign = await refresh(test, clientId, narrow.refresh_token, { scope: "media:write" });
  assertEquals([foreign.status, foreign.json.error], [400, "invalid_scope"]);
  const whole = answered(await refresh(test, clientId, narrow.refresh_token), 200);
  assertEquals(whole.scope, first.scope);
  assertEquals((await toolsOf(test, whole.access_token)).includes("create_document"), true);
});

Deno.test("a code and a refresh token give nothing for another resource than they were granted for", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const code = await consent(site);
  const origin = new URL((await test.call("GET", METADATA)).json.issuer).origin;
  const [admin, own] = [`${origin}/api/admin`, `${origin}/mcp`];
  const refused = await redeem(test, clientId, code, undefined, { resource: admin });
  assertEquals([refused.status, refused.json.error], [400, "invalid_target"]);
  const first = answered(await redeem(test, clientId, code, undefined, { resource: own }), 200);
  const other = await refresh(test, clientId, first.refresh_token, { resource: admin });
  assertEquals([other.status, other.json.error], [400, "invalid_target"]);
  answered(await refresh(test, clientId, first.refresh_token, { resource: own }), 200);
});

Deno.test("a grant type that there is none of is named before what else is missing", async () => {
  const { test } = await oauthSite();
  await using _ = test;
  const { status, json } = await token(test, { grant_type: "password", username: "a" });
  assertEquals([status, json.error], [400, "unsupported_grant_type"]);
});

Deno.test("scopes follow a collection to its new slug, and no other collection inherits them", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  answered(await test.admin("PATCH", "/collections/notes", { slug: "memos" }), 200);
  answered(await test.admin("POST", "/collections", { slug: "notes", name: "Notes" }), 201);
  const [grant] = (await client.ask("GET", "/account/grants")).json.data;
  assertEquals(grant.scopes, ["memos:read", "memos:write", "memos:read-drafts"]);
  const create = async (collection: string) => {
    const body = { title: `In ${collection}` };
    const made = await rpc(test, tokens.access_token, "tools/call", {
      name: "create_document",
      arguments: { collection, body },
    });
    return made.json.result.isError ?? false;
  };
  assertEquals([await create("memos"), await create("notes")], [false, true]);
  const renewed = answered(await refresh(test, clientId, tokens.refresh_token), 200);
  assertEquals(renewed.scope, "memos:read memos:write memos:read-drafts");
});

Deno.test("the verifier and challenge of RFC 7636, Appendix B, belong together", async () => {
  const site = await oauthSite();
  const { test, clientId } = site;
  await using _ = test;
  const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
  const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const code = await consent(site, { code_challenge });
  answered(await redeem(test, clientId, code, verifier), 200);
});
