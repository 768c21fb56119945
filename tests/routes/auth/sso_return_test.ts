/** The page that a sign-in through a provider leads to. */
import { assertEquals } from "../../support/harness/assert.ts";
import { authorizePath, get, registerProgram } from "../../support/sign_in/oauth_site.ts";
import { visitor } from "../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../support/sign_in/sso_site.ts";

Deno.test("a sign-in returns to the studio, never to another site", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "author" });
  const { test, server } = site;
  const after = (path: string) =>
    through(visitor(test), server, `/admin/auth/corp?return=${encodeURIComponent(path)}`);
  assertEquals(await after("/admin/media?page=2"), "/admin/media?page=2");
  assertEquals(await after("/admin/media?q=/../"), "/admin/media?q=/../");
  const elsewhere = [
    "https://evil.example/admin",
    "//evil.example/admin",
    "/admin.evil.example",
    "/admin/\\evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/posts",
    "/admin/../posts",
    "/admin/%2E%2e/posts",
    "/admin/media/..",
  ];
  for (const path of elsewhere) assertEquals(await after(path), "/admin", path);
});

Deno.test("a program that asks for access is reached after signing in through a provider", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "author" });
  const { test, server } = site;
  const wanted = authorizePath(await registerProgram(test), {
    state: "a state+with 'marks' (;@!$)",
  });
  const client = visitor(test);
  const toSignIn = (await get(test, client, wanted)).headers.get("location") ?? "";
  const page = await get(test, client, toSignIn);
  const href = /href="(\/admin\/auth\/corp[^"]*)"/.exec(page.text)?.[1]?.replaceAll("&amp;", "&");
  const after = await through(client, server, href ?? "");
  const { pathname, search } = new URL(
    (await get(test, client, after)).headers.get("location") ?? "",
    "http://localhost",
  );
  assertEquals(pathname + search, new URL(wanted, "http://localhost").href.slice(16));
  assertEquals((await get(test, client, pathname + search)).status, 200);
  // Without a session the page asks for one, and never leads to another site.
  assertEquals((await get(test, visitor(test), after)).status, 200);
  const elsewhere = "/admin/sign-in?continue&next=" + encodeURIComponent("//evil.example");
  assertEquals((await get(test, client, elsewhere)).headers.get("location"), "/admin");
});
