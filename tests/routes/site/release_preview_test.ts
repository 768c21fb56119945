/** A preview of the whole site as a release will make it, for anyone with the link. */
import { assert, assertEquals, assertMatch } from "../../support/harness/assert.ts";
import { releaseSite } from "../../support/sites/release_site.ts";

Deno.test("a preview of a release shows home, listing and pages as they will be, and links among them", async () => {
  await using site = await releaseSite();
  const { test } = site;
  const draft = await site.post("Brand new", { body: "new" });
  const changed = await site.changed("Changed", { title: "Later", slug: "later" });
  const leaving = await site.post("Leaving", { status: "published", body: "old" });
  await site.changed("Beside", { title: "Hidden change" });
  await test.runner.drain();
  const release = await site.release("Spring", {
    [draft]: "publish",
    [changed]: "publish",
    [leaving]: "unpublish",
  });
  const made = await test.admin("POST", `/releases/${release}/preview`, { ttl: 600 });
  assertEquals(made.status, 201, made.text);
  const base = new URL(made.json.url).pathname.replace(/\/$/, "");
  assertMatch(made.json.url, new RegExp(`/preview/${made.json.token}/$`));
  for (const path of ["", "/", "/posts"]) {
    const page = await test.call("GET", base + path);
    assertEquals(page.status, 200, page.text);
    assert(page.text.includes("Brand new") && page.text.includes("Later"), path);
    assert(page.text.includes("Beside"), path);
    for (const hidden of ["Leaving", "Hidden change"]) assert(!page.text.includes(hidden), path);
    assert(page.text.includes(`href="${base}/posts/later"`), page.text);
    assertEquals(page.headers.get("cache-control"), "private, no-store");
    assertEquals(page.headers.get("x-robots-tag"), "noindex");
  }
  assertEquals((await test.call("GET", `${base}/posts/later`)).status, 200);
  assertEquals((await test.call("GET", `${base}/posts/brand-new`)).status, 200);
  for (const path of ["/posts/leaving", "/posts/changed", "/nowhere", "/posts/page/1"]) {
    assertEquals((await test.call("GET", base + path)).status, 404, path);
  }
  // The public sees nothing of it, and the secret opens nothing else.
  assertEquals((await test.call("GET", "/posts/later")).status, 404);
  assertEquals((await test.call("GET", "/posts/leaving")).status, 200);
  const { token, id } = made.json;
  assertEquals((await test.call("GET", `/api/v1/posts/${changed}`, { token })).status, 401);
  const [listed] = (await site.want(200, "GET", "/previews")).data;
  assertEquals([listed.id, listed.releaseId], [id, release]);
  await site.want(204, "DELETE", `/previews/${id}`);
  assertEquals((await test.call("GET", base)).status, 404);
  const other = await site.want(201, "POST", `/releases/${release}/preview`);
  await site.run(release, "publish");
  assertEquals((await test.call("GET", new URL(other.url).pathname)).status, 404);
  await site.want(404, "POST", `/releases/${release}/preview`);
});
