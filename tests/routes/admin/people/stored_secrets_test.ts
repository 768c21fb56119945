/** Secrets of sign-in are in the store as hashes or sealed, and in no version, diff, log line or redacted backup. */
import type { Log } from "../../../../kv/log.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import type { TestApp } from "../../../support/sites/app.ts";
import { download, filesOf, signIn as signInAdmin } from "../../../support/sites/backups.ts";
import { storeText } from "../../../support/sites/people.ts";
import {
  answerDevice,
  authorizePath,
  consent,
  fieldsOf,
  get,
  oauthSite,
  redeem,
  requestDevice,
  token,
} from "../../../support/sign_in/oauth_site.ts";
import { addPasskey, setUpTotp, signIn, visitor } from "../../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../../support/sign_in/sso_site.ts";

const secretsKeys = ["a key with enough characters for it"];

/** A log that keeps its lines. */
function listen(test: TestApp): string[] {
  const lines: string[] = [];
  const add = (...given: unknown[]) =>
    void lines.push(given.map((one) => JSON.stringify(one)).join());
  const log: Log = { debug: add, info: add, warn: add, error: add };
  Object.assign(test.context, { log });
  return lines;
}

/** Asserts that no secret is in the store or in `more`, in any spelling that it could be stored in. */
async function assertAbsent(test: TestApp, secrets: Record<string, string>, more: string[] = []) {
  const places = [await storeText(test.context), ...more];
  for (const [name, secret] of Object.entries(secrets)) {
    assert(secret.length >= 8, `${name} is missing: ${secret}`);
    const spellings = [secret, secret.replaceAll("-", ""), JSON.stringify(secret).slice(1, -1)];
    for (const spelling of spellings) {
      assertEquals(places.findIndex((text) => text.includes(spelling)), -1, name);
    }
  }
}

Deno.test("nothing that a program holds is stored as it is", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const lines = listen(test);
  const page = fieldsOf(await get(test, client, authorizePath(clientId)));
  const code = await consent(site);
  await assertAbsent(test, { code, request: page.request });
  const first = answered(await redeem(test, clientId, code), 200);
  const fields = { grant_type: "refresh_token", client_id: clientId };
  const next = answered(
    await token(test, { ...fields, refresh_token: first.refresh_token }),
    200,
  );
  const device = await requestDevice(test);
  const secrets = {
    code,
    request: page.request,
    firstAccess: first.access_token,
    firstRefresh: first.refresh_token,
    access: next.access_token,
    refresh: next.refresh_token,
    device: device.device_code,
  };
  await assertAbsent(test, secrets, lines);
  await answerDevice(test, client, device.user_code, "allow");
  await token(test, { ...fields, refresh_token: first.refresh_token });
  await assertAbsent(test, secrets, lines);
});

Deno.test("nothing that a user holds is stored, logged, shown in versions or exported as it is", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "viewer" }, { secretsKeys });
  const { test, client, bo, server } = site;
  const lines = listen(test);
  const { secret: totp, recoveryCodes = [] } = await setUpTotp(test, client);
  await addPasskey(client);
  test.context.advance(60_000);
  const other = visitor(test);
  const { challenge } = answered(await signIn(other), 202);
  await assertAbsent(test, { challenge });
  const recovery = { challenge, recoveryCode: recoveryCodes[0] ?? "" };
  answered(await other.ask("POST", "/session/second-factor", recovery), 200);
  server.claims = { sub: "n", email: "new@example.org", email_verified: true };
  assertEquals(await through(visitor(test), server), "/admin");
  const { keys: [key] } = (await test.call("GET", "/admin/auth/corp/jwks")).json;
  assertEquals(Object.keys(key).filter((name) => /^(?:d|p|q|dp|dq|qi)$/.test(name)), []);
  const cookies = Object.fromEntries(
    [...other.cookies].map(([name, value]) => [`cookie ${name}`, value]),
  );
  const codes = Object.fromEntries(recoveryCodes.map((code, index) => [`code ${index}`, code]));
  const secrets = {
    ...cookies,
    ...codes,
    totp,
    challenge,
    clientSecret: "a client secret",
    privateKey: '\\"dp\\":\\"',
  };
  const versions = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  const shown: string[] = [];
  for (const { id } of versions) {
    for (const path of [`/versions/${id}`, `/versions/${id}/diff`]) {
      shown.push((await test.admin("GET", path)).text);
    }
  }
  shown.push((await test.admin("GET", "/settings")).text);
  shown.push((await test.admin("GET", `/users/${bo.id}`)).text);
  shown.push((await test.admin("GET", "/audit")).text);
  shown.push((await test.admin("GET", "/versions/setting/secret.oidc.corp")).text);
  assertEquals(shown.filter((text) => /"factors":|"publicKey"|scrypt/.test(text)), []);
  const admin = await signInAdmin(test);
  const tablesOf = async (options: Record<string, boolean>) => {
    const files = await filesOf(await download(test, admin, options));
    return [...files].filter(([name]) => name.startsWith("tables/")).map(([, text]) => text);
  };
  const redacted = await tablesOf({ redacted: true });
  const hidden = /"factors":|"identities"|"externalId"|scrypt|example\.org/;
  assertEquals(redacted.filter((text) => hidden.test(text)), []);
  await assertAbsent(test, secrets, [...lines, ...shown, ...await tablesOf({}), ...redacted]);
});
