/** No restore brings back a way to sign in that was removed. */
import { assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { visitor } from "../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../support/sign_in/sso_site.ts";

Deno.test("an identity that was unlinked stays so in a restore of the version and of the site", async () => {
  await using site = await ssoSite();
  const { test, client, server, bo, configure } = site;
  assertEquals(await through(visitor(test), server), "/admin");
  const [version] = (await test.admin("GET", `/versions/user/${bo.id}`)).json.data;
  const timestamp = Math.floor(test.context.now() / 1000);
  test.context.advance(5_000);
  answered(await client.ask("DELETE", "/account/identities/corp"), 204);
  answered(await test.admin("PATCH", `/users/${bo.id}`, { displayName: "Bob" }), 200);
  answered(await configure({ link: "never" }), 200);
  test.context.advance(5_000);
  const identities = async () => (await client.ask("GET", "/account")).json.identities;
  const nameOf = async () => (await test.admin("GET", `/users/${bo.id}`)).json.displayName;

  answered(await test.admin("POST", `/versions/${version.id}/restore`, {}), 200);
  assertEquals([await nameOf(), await identities()], ["Bo", []]);
  answered(await test.admin("PATCH", `/users/${bo.id}`, { displayName: "Bob" }), 200);
  test.context.advance(5_000);
  answered(await test.admin("POST", "/restore", { timestamp }), 202);
  await test.runner.drain();
  assertEquals([await nameOf(), await identities()], ["Bo", []]);
});
