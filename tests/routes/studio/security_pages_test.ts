/** The pages of signing in: the second factor, passkeys and providers, and what the account shows of them. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { OidcServer } from "../../support/sign_in/oidc_server.ts";
import {
  addPasskey,
  setUpTotp,
  signIn,
  signInSite,
  visitor,
} from "../../support/sign_in/sign_in_site.ts";

Deno.test("the sign-in page offers providers, and says why a sign-in was refused", async () => {
  await using server = await OidcServer.start();
  const { test } = await signInSite({ guard: { allowLocal: true } });
  await using _ = test;
  const path = "/admin/sign-in?error=not_provisioned&request=abc-1";
  const before = await test.call("GET", path);
  assert(before.text.includes("have an account here yet") && before.text.includes("abc-1"));
  assert(!before.text.includes("/admin/auth/"));
  const provider = { id: "corp", name: "Corp", issuer: server.issuer, clientId: "cms" };
  answered(await test.admin("PATCH", "/settings", { "auth.providers": [provider] }), 200);
  const { text } = await test.call("GET", "/admin/sign-in?next=/admin/media");
  assert(text.includes('href="/admin/auth/corp?return=%2Fadmin%2Fmedia"'));
  assert(text.includes("Sign in with Corp") && text.includes('autocomplete="username webauthn"'));
  // Browsers have no passkeys for a host without a name.
  assert(text.includes("Sign in with a passkey"));
  answered(await test.admin("PATCH", "/settings", { "site.url": "http://127.0.0.1:8000" }), 200);
  const local = await test.call("GET", "/admin/sign-in");
  assert(!local.text.includes("Sign in with a passkey") && local.text.includes("Forgot your"));
  const odd = await test.call("GET", "/admin/sign-in?error=%3Cscript%3E&request=%3Cscript%3E");
  assert(odd.text.includes("The sign-in failed") && !odd.text.includes("<script>"));
});

Deno.test("the account shows passkeys, the authenticator app and what is required", async () => {
  const { test, client, bo } = await signInSite();
  await using _ = test;
  const page = async () => (await client.ask("GET", "/admin/account")).text;
  assert((await page()).includes("Set up authenticator app"));
  await setUpTotp(test, client);
  await addPasskey(client, { name: "My laptop" });
  const text = await page();
  assert(text.includes("My laptop") && text.includes("Remove authenticator app"));
  assert(text.includes("10 recovery codes left"));

  const roles = (await test.admin("GET", "/roles")).json.data;
  const { id } = roles.find(({ name }: { name: string }) => name === "editor");
  answered(await test.admin("PATCH", `/roles/${id}`, { requireSecondFactor: true }), 200);
  answered(await test.admin("PATCH", "/settings", { "auth.graceDays": 0 }), 200);
  answered(await test.admin("DELETE", `/users/${bo.id}/factors`), 204);
  const again = visitor(test);
  answered(await signIn(again), 200);
  const home = await again.ask("GET", "/admin");
  assertEquals([home.status, home.headers.get("location")], [302, "/admin/account"]);
  const account = await again.ask("GET", "/admin/account");
  assert(account.text.includes("This site requires a second factor"));
});

Deno.test("an administrator sees who is disabled, and can enable them", async () => {
  const { test, bo } = await signInSite();
  await using _ = test;
  answered(await test.admin("POST", `/users/${bo.id}/disable`), 200);
  const ada = visitor(test);
  await ada.ask("POST", "/session", {
    email: "ada@example.org",
    password: "correct horse battery",
  });
  assert((await ada.ask("GET", "/admin/users")).text.includes("Disabled"));
  const { text } = await ada.ask("GET", `/admin/users/${bo.id}`);
  assert(text.includes(`POST /api/admin/users/${bo.id}/enable`));
});
