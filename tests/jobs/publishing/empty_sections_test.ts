/** The site leads to no collection in which nothing is published, and to each from its first document on. */
import { testApp } from "../../support/sites/app.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";

Deno.test("menus, llms.txt, the sitemap and search engines hear of a collection when it has a document", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("PATCH", "/settings", { "site.url": "https://lantern.example" });
  for (const slug of ["posts", "events"]) {
    await test.admin("POST", "/collections", { slug, name: slug.toUpperCase(), fields: [] });
  }
  const drain = async () => {
    for (let n = 0; n < 8; n++) {
      await test.runner.drain();
      test.context.advance(3_000);
    }
  };
  const text = async (path: string) => (await test.call("GET", path)).text;
  const create = async (collection: string, title: string) => {
    const body = { collection, title, status: "published" };
    return (await test.admin("POST", "/documents", body)).json.id as string;
  };
  await drain();
  assert(!(await text("/sitemap.xml")).includes("/posts"));
  await create("posts", "Light");
  await drain();
  assert((await text("/sitemap.xml")).includes("https://lantern.example/posts</loc>"));
  for (const path of ["/", "/posts", "/posts/light", "/nowhere"]) {
    const page = await text(path);
    assert(page.includes('href="/posts"'), path);
    assert(!page.includes('href="/events"'), path);
  }
  assert(!(await text("/llms.txt")).includes("EVENTS"));
  assert(!(await text("/sitemap.xml")).includes("/events"));
  const empty = await text("/events");
  assert(empty.includes('<meta name="robots" content="noindex">'));
  assert(!empty.includes("/events/feed.xml"));

  const id = await create("events", "Opening");
  await drain();
  for (const path of ["/", "/posts", "/posts/light", "/events/opening", "/nowhere"]) {
    assert((await text(path)).includes('href="/events"'), path);
  }
  assert((await text("/llms.txt")).includes("EVENTS"));
  assert((await text("/sitemap.xml")).includes("/events"));
  const listing = await text("/events");
  assert(!listing.includes("noindex"));
  assert(listing.includes("/events/feed.xml"));

  await test.admin("POST", `/documents/${id}/unpublish`);
  await drain();
  for (const path of ["/", "/posts", "/posts/light"]) {
    assert(!(await text(path)).includes('href="/events"'), path);
  }
  assert((await text("/events")).includes("noindex"));
  assertEquals((await test.call("GET", "/events")).status, 200);
});

Deno.test("the only collection is in the menu and in the sitemap from its first document on", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.admin("PATCH", "/settings", { "site.url": "https://lantern.example" });
  await test.admin("POST", "/collections", { slug: "posts", name: "Posts", fields: [] });
  const drain = async () => {
    for (let n = 0; n < 4; n++) {
      await test.runner.drain();
      test.context.advance(3_000);
    }
  };
  const text = async (path: string) => (await test.call("GET", path)).text;
  await drain();
  assert(!(await text("/")).includes('href="/posts"'));
  assert((await text("/posts")).includes("noindex"));
  const body = { collection: "posts", title: "Light", status: "published" };
  await test.admin("POST", "/documents", body);
  await drain();
  for (const path of ["/", "/posts", "/posts/light", "/nowhere"]) {
    assert((await text(path)).includes('href="/posts"'), path);
  }
  assert((await text("/sitemap.xml")).includes("https://lantern.example/posts</loc>"));
  assert(!(await text("/posts")).includes("noindex"));
});
