import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testApp } from "../support/sites/app.ts";

Deno.test("a document is created, published, changed, scheduled and taken back, in public at each moment", async () => {
  await using app = await testApp();
  await app.setUp();
  const get = async (path: string) => await app.call("GET", path);
  /** Lets all that is due happen, and what it asked for a few seconds later. */
  const settle = async () => {
    await app.runner.drain();
    app.context.advance(10_000);
    await app.runner.drain();
  };
  const post = (title: string) => app.admin("POST", "/documents", { collection: "posts", title });
  /** Where the public finds a title: listing, home, feed and sitemap. */
  const shownIn = async (title: string, path: string) => [
    (await get("/posts")).text.includes(title),
    (await get("/")).text.includes(title),
    (await get("/feed.xml")).text.includes(title),
    (await get("/sitemap.xml")).text.includes(path),
    (await get(path)).status === 200,
  ];
  const everywhere = [true, true, true, true, true];
  const nowhere = [false, false, false, false, false];
  await app.admin("POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "summary", type: "text" }],
  });

  const { id } = (await post("Lamp oil")).json;
  await settle();
  assertEquals(await shownIn("Lamp oil", "/posts/lamp-oil"), nowhere);

  const published = await app.admin("POST", `/documents/${id}/publish`);
  assertEquals([published.status, published.json.status], [202, "queued"]);
  await settle();
  assertEquals(await shownIn("Lamp oil", "/posts/lamp-oil"), everywhere);
  const job = await app.admin("GET", `/jobs/${published.json.jobId}`);
  assertEquals(job.json.state, "done");
  assertStringIncludes(JSON.stringify(job.json.result), `doc-${id}`);
  assertEquals((await get("/api/v1/search?q=lamp+oil")).json.meta.total, 1);
  const tag = (await get("/posts/lamp-oil")).headers.get("etag")!;

  await app.admin("PATCH", `/documents/${id}`, { title: "Whale oil", slug: "whale-oil" });
  await settle();
  assertEquals(await shownIn("Whale oil", "/posts/whale-oil"), everywhere);
  assertEquals((await get("/posts/lamp-oil")).status, 301);
  assert((await get("/posts/whale-oil")).headers.get("etag") !== tag);

  await app.admin("POST", `/documents/${id}/unpublish`);
  await settle();
  assertEquals(await shownIn("Whale oil", "/posts/whale-oil"), nowhere);
  assertEquals((await get("/api/v1/search?q=whale+oil")).json.meta.total, 0);

  const later = (await post("Tomorrow")).json.id;
  const publishAt = Math.floor(app.context.now() / 1000) + 86_400;
  assertEquals(
    (await app.admin("POST", `/documents/${later}/schedule`, { publishAt })).status,
    200,
  );
  await settle();
  assertEquals(await shownIn("Tomorrow", "/posts/tomorrow"), nowhere);
  app.context.advance(86_401_000);
  await settle();
  assertEquals(await shownIn("Tomorrow", "/posts/tomorrow"), everywhere);
  const versions = await app.context.store.listAll<{ by: string | null }>({
    prefix: ["version", "document", later],
  });
  assertEquals(versions.at(-1)!.value!.by, null, "nobody was there to publish it");
});
