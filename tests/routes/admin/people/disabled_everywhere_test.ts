/** A disabled user has nothing left: each way in, and everything that was open or under way, has ended. */
import { issueRecovery } from "../../../../kv/people/recovery.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp, type TestApp } from "../../../support/sites/app.ts";
import {
  answerDevice,
  consent,
  get,
  oauthSite,
  pollDevice,
  redeem,
  requestDevice,
  rpc,
  token,
} from "../../../support/sign_in/oauth_site.ts";
import { asker, patch } from "../../../support/sign_in/scim_site.ts";
import {
  addPasskey,
  signIn,
  signInByPasskey,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

/** Begins the flow of a device and confirms it. */
async function confirmedDevice({ test, client }: Awaited<ReturnType<typeof oauthSite>>) {
  const device = await requestDevice(test);
  assertEquals((await answerDevice(test, client, device.user_code, "allow")).status, 200);
  return (app: TestApp) => pollDevice(app, device.device_code);
}

/** Opens and begins everything that a user can. */
async function busyUser(site: Awaited<ReturnType<typeof oauthSite>>) {
  const { test, client, clientId, bo } = site;
  const { authenticator } = await addPasskey(client);
  // It ends the sessions that came before it.
  const recovery = await issueRecovery(test.deps.people, bo.email, { allowPasswords: false });
  answered(await signInByPasskey(client, authenticator), 200);
  const other = visitor(test);
  const { challenge } = answered(await signIn(other), 202);
  const options = answered(await other.ask("POST", "/session/passkey/options", { challenge }), 200);
  const assertion = await authenticator.get(options);
  const poll = await confirmedDevice(site);
  const device = answered(await (await confirmedDevice(site))(test), 200);
  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  const code = await consent(site);
  const { token: explorer } = answered(await client.ask("POST", "/explorer-token"), 201);
  return { authenticator, challenge, assertion, poll, device, tokens, code, explorer, recovery };
}

/** Disables a user as an administrator, or as a directory does. */
async function disable(test: TestApp, id: string, by: "an administrator" | "a directory") {
  if (by === "an administrator") {
    answered(await test.admin("POST", `/users/${id}/disable`), 200);
    return;
  }
  const minted = await test.admin("POST", "/tokens", { name: "Entra", scopes: ["scim"] });
  const ask = asker(test, answered(minted, 201).token);
  const change = patch({ op: "Replace", path: "active", value: "False" });
  answered(await ask("PATCH", `/Users/${id}`, change), 200);
}

Deno.test("everything of a disabled user ends at once, in every process", async () => {
  for (const by of ["an administrator", "a directory"] as const) {
    const site = await oauthSite();
    const { test, client, clientId, bo } = site;
    await using _ = test;
    const { authenticator, challenge, assertion, poll, device, tokens, code, explorer, recovery } =
      await busyUser(site);
    const { app } = secondApp(test.context);
    const there: TestApp = { ...test, call: (...call) => callApp(app, ...call) };
    const asBo = (path: string) => get(there, client, path);
    const asProgram = (path: string, bearer: string) => there.call("GET", path, { token: bearer });
    const open = async () => [
      (await asBo("/api/admin/session")).status,
      (await asBo("/oauth/device")).status,
      (await asProgram("/api/admin/session", device.access_token)).status,
      (await asProgram("/api/v1/notes", explorer)).status,
      (await rpc(there, tokens.access_token, "tools/list")).status,
    ];
    assertEquals(await open(), [200, 200, 200, 200, 200]);

    await disable(test, bo.id, by);

    assertEquals(await open(), [401, 302, 401, 401, 401], by);
    const refresh = { grant_type: "refresh_token", client_id: clientId };
    const refreshed = await token(there, { ...refresh, refresh_token: tokens.refresh_token });
    assertEquals(refreshed.json.error, "invalid_grant");
    assertEquals((await redeem(there, clientId, code)).json.error, "invalid_grant");
    assertEquals((await poll(there)).json.error, "access_denied");
    assertEquals((await signIn(visitor(there))).status, 401);
    assertEquals((await signInByPasskey(visitor(there), authenticator)).status, 401);
    const factor = { challenge, assertion };
    const second = await visitor(there).ask("POST", "/session/second-factor", factor);
    assertEquals(second.status, 401);
    const link = await there.call("GET", `/admin/recover?token=${recovery}`);
    assertEquals(link.headers.get("location"), "/admin/sign-in?error=link_expired");
  }
});
