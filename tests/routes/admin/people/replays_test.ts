/** Two processes get the same proof at the same time: one of them accepts it. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { type Answer, callApp, secondApp, type TestApp } from "../../../support/sites/app.ts";
import { consent, oauthSite, redeem, token } from "../../../support/sign_in/oauth_site.ts";
import {
  addPasskey,
  codeAt,
  setUpTotp,
  signIn,
  signInSite,
  type Visitor,
  visitor,
} from "../../../support/sign_in/sign_in_site.ts";

/** The same site in another process. */
function otherProcess(test: TestApp): TestApp {
  const { app } = secondApp(test.context);
  return { ...test, call: (...call) => callApp(app, ...call) };
}

/** Two browsers, each at a process of its own. */
function twoVisitors(test: TestApp): [Visitor, Visitor] {
  return [visitor(test), visitor(otherProcess(test))];
}

const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

Deno.test("a code of an authenticator app, and a recovery code, sign in once", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { secret, recoveryCodes = [] } = await setUpTotp(test, client);
  test.context.advance(60_000);
  for (const proof of [{ code: codeAt(test, secret) }, { recoveryCode: recoveryCodes[0]! }]) {
    const visitors = twoVisitors(test);
    const answers = await Promise.all(visitors.map(async (one) => {
      const { challenge } = answered(await signIn(one), 202);
      return await one.ask("POST", "/session/second-factor", { challenge, ...proof });
    }));
    assertEquals(statuses(answers), [200, 401]);
  }
});

Deno.test("an answer of a passkey signs in once", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { authenticator } = await addPasskey(client);
  const [here, there] = twoVisitors(test);
  const options = answered(await here.ask("POST", "/session/passkey/options", {}), 200);
  const response = await authenticator.get(options);
  const answers = await Promise.all(
    [here, there].map((one) => one.ask("POST", "/session/passkey", { response })),
  );
  assertEquals(statuses(answers), [200, 401]);
});

Deno.test("an OAuth code and a refresh token work once, and their second use ends the grant", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const processes = [test, otherProcess(test)];
  const code = await consent(site);
  const redeemed = await Promise.all(processes.map((one) => redeem(one, clientId, code)));
  assertEquals(statuses(redeemed), [200, 400]);
  assertEquals((await client.ask("GET", "/account/grants")).json.data, []);

  const tokens = answered(await redeem(test, clientId, await consent(site)), 200);
  const fields = {
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token,
    client_id: clientId,
  };
  const refreshed = await Promise.all(processes.map((one) => token(one, fields)));
  assertEquals(statuses(refreshed), [200, 400]);
  assertEquals((await client.ask("GET", "/account/grants")).json.data, []);
});

Deno.test("attempts at a challenge are counted together", async () => {
  const { test, client } = await signInSite();
  await using _ = test;
  const { secret } = await setUpTotp(test, client);
  test.context.advance(60_000);
  const [here, there] = twoVisitors(test);
  const { challenge } = answered(await signIn(here), 202);
  await Promise.all(Array.from({ length: 5 }, (_, attempt) => {
    const one = attempt % 2 === 0 ? here : there;
    return one.ask("POST", "/session/second-factor", { challenge, code: "000000" });
  }));
  const code = codeAt(test, secret);
  const late = await here.ask("POST", "/session/second-factor", { challenge, code });
  assertEquals(late.status, 401);
});
