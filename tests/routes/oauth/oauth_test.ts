/** The authorization server: what programs read, ask for, get, and lose again. */
import { answered, assertRefusal } from "../../support/sites/admin_answers.ts";
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import {
  answerDevice,
  authorizePath,
  consent,
  fieldsOf,
  form,
  get,
  oauthSite,
  ORIGIN,
  pollDevice,
  redeem,
  REDIRECT,
  requestDevice,
  rpc,
  submit,
  token,
} from "../../support/sign_in/oauth_site.ts";
import { BO, signInSite, visitor } from "../../support/sign_in/sign_in_site.ts";

Deno.test("the metadata names every endpoint, and registration only where it is on", async () => {
  const { test } = await signInSite();
  await using _ = test;
  const server = answered(await test.call("GET", "/.well-known/oauth-authorization-server"), 200);
  assertEquals(server.issuer, ORIGIN);
  assertEquals(server.code_challenge_methods_supported, ["S256"]);
  assertEquals(server.client_id_metadata_document_supported, true);
  assertEquals(server.registration_endpoint, undefined);
  const register = { body: { redirect_uris: [REDIRECT] } };
  assertRefusal(await test.call("POST", "/oauth/register", register), 404, "NOT_FOUND");
  const path = "/.well-known/oauth-protected-resource/mcp";
  const resource = answered(await test.call("GET", path), 200);
  assertEquals([resource.resource, resource.authorization_servers], [`${ORIGIN}/mcp`, [ORIGIN]]);
  const mcp = await test.call("POST", "/mcp", { body: {} });
  assertRefusal(mcp, 401, "UNAUTHENTICATED");
  assertEquals(
    mcp.headers.get("www-authenticate"),
    `Bearer resource_metadata="${ORIGIN}${path}"`,
  );
  const v1 = await test.call("GET", "/api/v1/notes");
  assertEquals(v1.headers.get("www-authenticate"), "Bearer");
});

Deno.test("a program gets what its user selects, and writes as its user", async () => {
  const site = await oauthSite();
  const { test, client, bo, clientId } = site;
  await using _ = test;
  const anonymous = await test.call("GET", authorizePath(clientId));
  assertEquals(anonymous.status, 302);
  assertMatch(anonymous.headers.get("location") ?? "", /^\/admin\/sign-in\?next=%2Foauth%2Fauth/);

  const page = await get(test, client, authorizePath(clientId));
  assertEquals(page.status, 200);
  assert(page.text.includes("Robot"));
  const { request, scopes } = fieldsOf(page);
  assertEquals(scopes, ["notes:read", "notes:write", "notes:read-drafts"]);
  const answer = await submit(test, client, "/oauth/authorize", [
    ["request", request],
    ["scope", "notes:read"],
    ["scope", "notes:write"],
    ["scope", "other:write"],
    ["answer", "allow"],
  ]);
  assertEquals(answer.status, 303);
  const { searchParams, origin } = new URL(answer.headers.get("location") ?? "");
  assertEquals([origin, searchParams.get("state")], ["http://127.0.0.1:4000", "xyz"]);
  assertEquals(searchParams.get("iss"), ORIGIN);
  const code = searchParams.get("code") ?? "";

  const wrong = await redeem(test, clientId, code, "w".repeat(50));
  assertEquals([wrong.status, wrong.json.error], [400, "invalid_grant"]);
  const tokens = answered(await redeem(test, clientId, code), 200);
  assertEquals([tokens.token_type, tokens.expires_in], ["Bearer", 3_600]);
  assertEquals(tokens.scope, "notes:read notes:write");

  const made = await rpc(test, tokens.access_token, "tools/call", {
    name: "create_document",
    arguments: { collection: "notes", body: { title: "By Robot" } },
  });
  assertEquals(made.status, 200);
  const documents = (await test.admin("GET", "/documents?collection=notes")).json.data;
  assertEquals(documents[0]?.title, "By Robot", made.text);
  const versions = (await test.admin("GET", `/versions/document/${documents[0].id}`)).json.data;
  assertEquals([versions[0].changed_by, versions[0].editor], [bo.id, "Bo"]);
  assert(versions[0].change_summary.startsWith("Robot"));

  const outside = await test.call("GET", "/api/v1/notes", { token: tokens.access_token });
  assertRefusal(outside, 401, "UNAUTHENTICATED");
  const admin = await test.call("GET", "/api/admin/session", { token: tokens.access_token });
  assertRefusal(admin, 401, "UNAUTHENTICATED");
});

Deno.test("a token may do no more than its user may at that moment", async () => {
  const site = await oauthSite();
  const { test, clientId, bo } = site;
  await using _ = test;
  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  const tools = async () => {
    const { json } = await rpc(test, tokens.access_token, "tools/list");
    return json.result.tools.map(({ name }: { name: string }) => name) as string[];
  };
  assert((await tools()).includes("create_document"));
  answered(await test.admin("PATCH", `/users/${bo.id}`, { roles: ["viewer"] }), 200);
  assert(!(await tools()).includes("create_document"));
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  assertEquals((await rpc(test, tokens.access_token, "tools/list")).status, 401);
  answered(await test.admin("POST", `/users/${bo.id}/enable`), 200);
  assertEquals((await rpc(test, tokens.access_token, "tools/list")).status, 401);
});

Deno.test("a code or refresh token that is used again ends the grant", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const refresh = (refresh_token: string, client_id = clientId) =>
    token(test, { grant_type: "refresh_token", refresh_token, client_id });
  const code = await consent(site);
  const first = answered(await redeem(test, clientId, code), 200);
  assertEquals((await refresh(first.refresh_token, "cms")).json.error, "invalid_grant");
  const second = answered(await refresh(first.refresh_token), 200);
  assertEquals((await rpc(test, second.access_token, "tools/list")).status, 200);
  assertEquals((await refresh(first.refresh_token)).json.error, "invalid_grant");
  assertEquals((await rpc(test, second.access_token, "tools/list")).status, 401);
  assertEquals((await refresh(second.refresh_token)).json.error, "invalid_grant");
  assertEquals((await client.ask("GET", "/account/grants")).json.meta.total, 0);

  const elsewhere = { redirect_uri: "http://127.0.0.1:4000/other" };
  const foreign = await redeem(test, clientId, await consent(site), undefined, elsewhere);
  assertEquals(foreign.json.error, "invalid_grant");
  const again = await consent(site);
  const third = answered(await redeem(test, clientId, again), 200);
  assertEquals((await redeem(test, clientId, again)).json.error, "invalid_grant");
  assertEquals((await rpc(test, third.access_token, "tools/list")).status, 401);
});

Deno.test("grants are listed and ended under the account, by revocation and by a password change", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  const { data } = (await client.ask("GET", "/account/grants")).json;
  const { id, ...grant } = data[0];
  const at = Math.floor(test.context.now() / 1000);
  assertEquals(grant, {
    client: { id: clientId, name: "Robot", url: null },
    scopes: ["notes:read", "notes:write", "notes:read-drafts"],
    resource: `${ORIGIN}/mcp`,
    createdAt: at,
    usedAt: at,
  });
  assertRefusal(await test.admin("DELETE", `/account/grants/${id}`), 404, "NOT_FOUND");
  answered(await client.ask("DELETE", `/account/grants/${id}`), 204);
  assertEquals((await rpc(test, tokens.access_token, "tools/list")).status, 401);

  const more = answered(await redeem(test, clientId, await consent(site)), 200);
  const revoke = form({ token: more.refresh_token, client_id: clientId });
  assertEquals((await test.call("POST", "/oauth/revoke", revoke)).status, 200);
  assertEquals((await test.call("POST", "/oauth/revoke", revoke)).status, 200);
  assertEquals((await rpc(test, more.access_token, "tools/list")).status, 401);

  const last = answered(await redeem(test, clientId, await consent(site)), 200);
  const session = (await client.ask("GET", "/session")).json.user.id;
  const change = { password: "another password", currentPassword: BO.password };
  answered(await client.ask("PATCH", `/users/${session}`, change), 200);
  assertEquals((await rpc(test, last.access_token, "tools/list")).status, 401);
});

Deno.test("what is wrong with a request is answered to the program, unless its address is wrong", async () => {
  const { test, client, clientId } = await oauthSite();
  await using _ = test;
  for (
    const more of [{ client_id: "nobody" }, { redirect_uri: "https://evil.example/" }, {
      redirect_uri: "http://127.0.0.1:4000/other",
    }]
  ) {
    const answer = await get(test, client, authorizePath(clientId, more));
    assertEquals([answer.status, answer.headers.get("location")], [400, null]);
  }
  for (
    const [more, code] of [
      [{ response_type: "token" }, "unsupported_response_type"],
      [{ code_challenge_method: "plain" }, "invalid_request"],
      [{ scope: "notes:fly" }, "invalid_scope"],
      [{ resource: "https://other.example/mcp" }, "invalid_target"],
    ] as const
  ) {
    const answer = await get(test, client, authorizePath(clientId, more));
    const location = new URL(answer.headers.get("location") ?? "");
    assertEquals([location.searchParams.get("error"), location.searchParams.get("state")], [
      code,
      "xyz",
    ]);
  }
  const { request, scopes } = fieldsOf(await get(test, client, authorizePath(clientId)));
  const fields: [string, string][] = [["request", request], ["answer", "deny"]];
  assertEquals(scopes.length, 3);
  const foreign = visitor(test);
  await foreign.ask("POST", "/session", {
    email: "ada@example.org",
    password: "correct horse battery",
  });
  assertEquals((await submit(test, foreign, "/oauth/authorize", fields)).status, 400);
  const denied = await submit(test, client, "/oauth/authorize", fields);
  assert(denied.headers.get("location")?.includes("error=access_denied"));
  assertEquals((await submit(test, client, "/oauth/authorize", fields)).status, 400, "used up");
  const type = await token(test, { grant_type: "password", client_id: clientId });
  assertEquals(type.json.error, "unsupported_grant_type");
});

Deno.test("a device shows a code, and acts in the admin API once its user has confirmed it", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const begun = await requestDevice(test);
  assertMatch(begun.user_code, /^[A-Z]{4}-[A-Z]{4}$/);
  assertEquals([begun.verification_uri, begun.expires_in], [`${ORIGIN}/oauth/device`, 600]);
  const poll = () => pollDevice(test, begun.device_code);
  assertEquals((await poll()).json.error, "authorization_pending");
  assertEquals((await poll()).json.error, "slow_down");
  assertEquals((await get(test, client, "/oauth/device")).status, 200);
  const unknown = await submit(test, client, "/oauth/device/confirm", [["user_code", "BBBBBBBB"]]);
  assertEquals(unknown.status, 400);
  const typed = begun.user_code.toLowerCase().replace("-", " ");
  const asked = await submit(test, client, "/oauth/device/confirm", [["user_code", typed]]);
  assert(asked.text.includes("Command line") && asked.text.includes('value="*"'));
  const confirmed = await answerDevice(test, client, begun.user_code, "allow");
  assertEquals(confirmed.status, 200);
  test.context.advance(20_000);
  const tokens = answered(await poll(), 200);
  assertEquals(tokens.scope, "*");
  assertEquals((await poll()).json.error, "expired_token");
  const asDevice = (method: string, path: string, body?: Record<string, string>) =>
    test.call(method, `/api/admin${path}`, { token: tokens.access_token, ...(body && { body }) });
  assertEquals((await asDevice("GET", "/session")).json.user.id, bo.id);
  assertRefusal(await asDevice("GET", "/tokens"), 403, "FORBIDDEN");
  answered(await asDevice("PATCH", `/users/${bo.id}`, { displayName: "Bob" }), 200);
  const [version] = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  assertEquals([version.changed_by, version.change_summary], [bo.id, "Command line"]);
  assertEquals((await rpc(test, tokens.access_token, "tools/list")).status, 401);
  answered(await asDevice("DELETE", "/session"), 204);
  assertEquals((await asDevice("GET", "/session")).status, 401);
});

Deno.test("a client is described by the document at its id, which no private address can hold", async () => {
  let id = "";
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    ({ url }) =>
      Response.json({
        client_id: url.endsWith("/stolen.json") ? `${id}x` : id,
        client_name: "Assistant",
        client_uri: "https://assistant.example",
        redirect_uris: ["https://assistant.example/callback"],
      }),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  id = `${base}/client.json`;
  const redirect = { redirect_uri: "https://assistant.example/callback" };
  {
    const { test, client } = await signInSite({ guard: { allowLocal: true } });
    await using _ = test;
    const page = await get(test, client, authorizePath(id, redirect));
    assertEquals(page.status, 200, page.text);
    assert(page.text.includes("Assistant"));
    const stolen = authorizePath(`${base}/stolen.json`, redirect);
    assertEquals((await get(test, client, stolen)).status, 400);
    answered(await test.admin("PATCH", "/settings", { "auth.oauth.clientDocuments": false }), 200);
    assertEquals((await get(test, client, authorizePath(id, redirect))).status, 400);
  }
  {
    const { test, client } = await signInSite();
    await using _ = test;
    assertEquals((await get(test, client, authorizePath(id, redirect))).status, 400);
  }
  await server.shutdown();
});

Deno.test("a collection that has the slug keeps it and hides the routes", async () => {
  const { test } = await signInSite();
  await using _ = test;
  const reserved = await test.admin("POST", "/collections", { slug: "oauth", name: "OAuth" });
  assertRefusal(reserved, 422, "VALIDATION_FAILED");
  assertEquals((await test.call("GET", "/oauth/token")).status, 405);
  await test.collection({ slug: "scim2", name: "Other" });
  assertEquals((await test.call("POST", "/oauth/token", form({}))).json.error, "invalid_request");
});
