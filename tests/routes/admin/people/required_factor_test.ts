/** A required second factor that a user lacks closes the programs that act for them, too. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { consent, get, oauthSite, redeem, rpc } from "../../../support/sign_in/oauth_site.ts";
import { setUpTotp } from "../../../support/sign_in/sign_in_site.ts";

Deno.test("after the days of grace programs of a user without a factor get nothing, until it is set up", async () => {
  const site = await oauthSite();
  const { test, client, clientId } = site;
  await using _ = test;
  const mcp = answered(await redeem(test, clientId, await consent(site)), 200);
  const admin = answered(
    await redeem(
      test,
      clientId,
      await consent(site, { resource: "http://localhost/api/admin", scope: "*" }),
    ),
    200,
  );
  const asProgram = (path: string) =>
    test.call("GET", `/api/admin${path}`, { token: admin.access_token });
  const tools = () => rpc(test, mcp.access_token, "tools/list");
  answered(await asProgram("/collections"), 200);
  assertEquals((await tools()).status, 200);

  const roles = (await test.admin("GET", "/roles")).json.data;
  const editor = roles.find(({ name }: { name: string }) => name === "editor");
  const change = { requireSecondFactor: true };
  answered(await test.admin("PATCH", `/roles/${editor.id}`, change), 200);
  answered(await asProgram("/collections"), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.graceDays": 0 }), 200);

  assertRefusal(await asProgram("/collections"), 403, "SECOND_FACTOR_REQUIRED");
  answered(await asProgram("/account"), 200);
  assertEquals((await tools()).status, 403);
  const consentPage = await get(test, client, "/oauth/device");
  assertEquals(consentPage.headers.get("location"), "/admin/account");
  await setUpTotp(test, client);
  answered(await asProgram("/collections"), 200);
  assertEquals((await tools()).status, 200);
});
