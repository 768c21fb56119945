/** Where a sign-in through a provider leads. */
import { assertEquals } from "../../support/harness/assert.ts";
import { visitor } from "../../support/sign_in/sign_in_site.ts";
import { ssoSite, through } from "../../support/sign_in/sso_site.ts";

Deno.test("a sign-in returns to the studio, never to another site", async () => {
  await using site = await ssoSite({ provision: true, defaultRole: "author" });
  const { test, server } = site;
  const after = (path: string) =>
    through(visitor(test), server, `/admin/auth/corp?return=${encodeURIComponent(path)}`);
  assertEquals(await after("/admin/media?page=2"), "/admin/media?page=2");
  const elsewhere = [
    "https://evil.example/admin",
    "//evil.example/admin",
    "/admin.evil.example",
    "/admin/\\evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "/posts",
  ];
  for (const path of elsewhere) assertEquals(await after(path), "/admin", path);
});
