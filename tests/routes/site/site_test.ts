import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Rendering } from "../../../jobs/render/views/view.ts";
import { currentKey, oldSlugKey, schemaKey } from "../../../kv/keys.ts";
import { pageKey } from "../../../kv/pages/page_keys.ts";
import { CHUNK_BYTES } from "../../../kv/limits/store.ts";
import type { Page } from "../../../kv/model/entities/page.ts";
import { putPage } from "../../../kv/pages/pages.ts";
import { DocumentReader } from "../../../kv/documents/reader.ts";
import { ListPages } from "../../../jobs/publishing/lists/list_pages.ts";
import { renderPath } from "../../../jobs/publishing/render_path.ts";
import { contentOf } from "../../support/harness/simulated_site.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { siteRoutes } from "../../../routes/site/site.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { collection, published, rendering as renderingOf } from "../../support/sites/site.ts";

const PAGE: Page = {
  path: "/posts/hello",
  contentType: "text/html; charset=utf-8",
  body: new TextEncoder().encode("<p>Hello</p>"),
  tags: ["doc-D", "collection-posts", "site"],
  documentId: "D",
};

async function put(context: TestContext, ...pages: Page[]): Promise<void> {
  for (const page of pages) {
    const operation = new Operation();
    await putPage(context, operation, page);
    await context.store.commit(operation);
  }
}

function appOf(context: TestContext, rendering: Rendering = renderingOf([])) {
  const content = contentOf(context);
  let renderings = 0;
  const source = {
    content,
    reader: new DocumentReader(content),
    rendering: () => {
      renderings += 1;
      return Promise.resolve(rendering);
    },
  };
  const lists = new ListPages(source);
  const render = (path: string) => renderPath(source, rendering, path);
  const app = siteRoutes({ content, lists, render });
  return { app, renderings: () => renderings };
}

/** Stores an entity as the versioned write does. */
async function putEntity(
  context: TestContext,
  type: "collection" | "document",
  state: { id: string },
): Promise<void> {
  const body = new TextEncoder().encode(JSON.stringify(state));
  const row = { n: 1, vid: "V", at: 1, body };
  await context.store.commit(new Operation().set(currentKey(type, state.id), row).touch(schemaKey));
}

Deno.test("GET /{collection}/{slug} answers the stored page with everything caches need", async () => {
  await using context = await testContext();
  await put(context, PAGE);
  const { app, renderings } = appOf(context);
  const { reads, lists, commits } = context.store.counts;

  const response = await app.request("/posts/hello");

  assertEquals(response.status, 200);
  assertEquals(await response.text(), "<p>Hello</p>");
  const { headers } = response;
  assertEquals(headers.get("content-type"), "text/html; charset=utf-8");
  assertEquals(headers.get("cache-control"), "public, max-age=0, s-maxage=31536000");
  assertEquals(headers.get("deno-cache-tag"), "doc-D,collection-posts,site");
  assertMatch(headers.get("etag")!, /^"[0-9a-f]{32}"$/);
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertEquals(headers.get("set-cookie"), null);
  const csp = headers.get("content-security-policy")!;
  assertMatch(csp, /^default-src 'none';/);
  assert(!/script-src|unsafe|\*|http|data:/.test(csp), csp);
  assertEquals(context.store.counts, { reads: reads + 1, lists, commits });
  assertEquals(renderings(), 0);
});

Deno.test("GET of a page with a player of another service allows frames of those services alone", async () => {
  await using context = await testContext();
  const body = new TextEncoder().encode('<iframe src="https://player.vimeo.com/video/1"></iframe>');
  await put(context, { ...PAGE, body });
  const { headers } = await appOf(context).app.request("/posts/hello");
  assertMatch(
    headers.get("content-security-policy")!,
    /^default-src 'none';.*; frame-src https:\/\/www\.youtube-nocookie\.com https:\/\/player\.vimeo\.com /,
  );
});

Deno.test("GET with If-None-Match answers 304 without a body while the page is the same", async () => {
  await using context = await testContext();
  await put(context, PAGE);
  const { app } = appOf(context);
  const etag = (await app.request("/posts/hello")).headers.get("etag")!;
  const ask = (known: string) =>
    app.request("/posts/hello", { headers: { "if-none-match": known } });

  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const response = await ask(known);
    assertEquals([response.status, await response.text()], [304, ""]);
    assertEquals(response.headers.get("etag"), etag);
    assertEquals(response.headers.get("deno-cache-tag"), "doc-D,collection-posts,site");
  }
  assertEquals((await ask('"other"')).status, 200);
  await put(context, { ...PAGE, body: new TextEncoder().encode("<p>Changed</p>") });
  assertEquals((await ask(etag)).status, 200);
});

Deno.test("HEAD answers what GET does, without the body", async () => {
  await using context = await testContext();
  await put(context, PAGE);
  const { app } = appOf(context);

  const response = await app.request("/posts/hello", { method: "HEAD" });

  assertEquals([response.status, await response.text()], [200, ""]);
  assertEquals(response.headers.get("content-length"), "12");
  assertEquals(response.headers.get("etag")?.length, 34);
});

Deno.test("GET of a large page reads it from the object store, again when it was just replaced", async () => {
  await using context = await testContext();
  const large = { ...PAGE, body: new Uint8Array(CHUNK_BYTES + 1).fill(97) };
  await put(context, large);
  const { app } = appOf(context);
  const get = context.objects.get.bind(context.objects);
  let misses = 1;
  context.objects.get = (key) => misses-- > 0 ? Promise.resolve(null) : get(key);

  const response = await app.request("/posts/hello");

  assertEquals(response.status, 200);
  assertEquals((await response.arrayBuffer()).byteLength, CHUNK_BYTES + 1);
});

Deno.test("GET of an unknown path answers the 404 page, kept only briefly", async () => {
  await using context = await testContext();
  const rendering = renderingOf([collection("posts", [])]);
  const { app, renderings } = appOf(context, rendering);

  for (
    const path of [
      "/nothing",
      "/posts/nothing",
      "/posts/a/b/c",
      `/${"x".repeat(1_000)}`,
      "/not_found",
    ]
  ) {
    const response = await app.request(path);
    assertEquals(response.status, 404, path);
    assertStringIncludes(await response.text(), "Page not found");
    assertEquals(response.headers.get("cache-control"), "public, max-age=0, s-maxage=60");
    assertEquals(response.headers.get("deno-cache-tag"), "missing,aggregates,site");
    assertMatch(response.headers.get("content-security-policy")!, /^default-src 'none'/);
  }
  const known = { headers: { "if-none-match": "*" } };
  assertEquals((await app.request("/nothing", known)).status, 404);
  assert(renderings() < 10);
});

Deno.test("GET of a path with a slash at its end leads to the one without", async () => {
  await using context = await testContext();
  const { app } = appOf(context);

  const response = await app.request("/posts/hello/");

  assertEquals([response.status, response.headers.get("location")], [301, "/posts/hello"]);
  assertEquals((await app.request("//example.org/")).headers.get("location"), null);
});

Deno.test("GET of the former path of a published document answers 301 to the present one", async () => {
  await using context = await testContext();
  const { fields: _, ...posts } = collection("posts", []);
  await putEntity(context, "collection", posts);
  await context.store.commit(new Operation().set(oldSlugKey("posts", "old"), "D"));
  await putEntity(context, "document", published("new", {}, { id: "D" }));
  const { app } = appOf(context);

  const response = await app.request("/posts/old");

  assertEquals([response.status, response.headers.get("location")], [301, "/posts/new"]);
  assertEquals(response.headers.get("deno-cache-tag"), "doc-D,collection-posts,site");
});

Deno.test("GET of the former path of a document that is not published tells nothing of it", async () => {
  await using context = await testContext();
  const { fields: _, ...posts } = collection("posts", []);
  await putEntity(context, "collection", posts);
  await context.store.commit(new Operation().set(oldSlugKey("posts", "old"), "D"));
  const { app } = appOf(context);
  const missing = await (await app.request("/posts/never")).text();

  for (const status of ["draft", "scheduled", "archived", "trashed"] as const) {
    await putEntity(
      context,
      "document",
      { ...published("secret", {}, { id: "D" }), status } as never,
    );
    const response = await app.request("/posts/old");
    assertEquals([response.status, await response.text()], [404, missing], status);
    assertEquals(response.headers.get("location"), null);
  }
});

Deno.test("GET on a site where nothing was published answers empty pages, rendered once", async () => {
  await using context = await testContext();
  const rendering = renderingOf([]);
  const { app } = appOf(context, rendering);

  const home = await app.request("/");
  assertEquals(home.status, 200);
  const text = await home.text();
  assertStringIncludes(text, "Nothing has been published yet.");
  const types = {
    "/robots.txt": "text/plain; charset=utf-8",
    "/sitemap.xml": "application/xml; charset=utf-8",
    "/feed.xml": "application/rss+xml; charset=utf-8",
    "/feed.json": "application/feed+json; charset=utf-8",
    "/feed.atom": "application/atom+xml; charset=utf-8",
  };
  for (const [path, type] of Object.entries(types)) {
    const response = await app.request(path);
    assertEquals([response.status, response.headers.get("content-type")], [200, type], path);
    await response.body?.cancel();
  }
  const render = rendering.theme.render;
  rendering.theme.render = () => {
    throw new Error("Rendered for a request");
  };
  assertEquals(await (await app.request("/")).text(), text);
  rendering.theme.render = render;
});

Deno.test("GET of a theme's asset answers bytes that never change under their path", async () => {
  await using context = await testContext();
  const rendering = renderingOf([]);
  const { app } = appOf(context, rendering);

  const response = await app.request(rendering.theme.assetPath("site.css"));

  assertEquals(response.status, 200);
  assertEquals(response.headers.get("content-type"), "text/css; charset=utf-8");
  assertEquals(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assertMatch(await response.text(), /prefers-color-scheme: dark/);
});

Deno.test("GET of a page reads its row by the path as it was asked for", async () => {
  await using context = await testContext();
  await context.store.commit(new Operation().set(pageKey("/posts/hello?x=1"), { wrong: true }));
  await put(context, PAGE);
  const { app } = appOf(context);

  assertEquals(await (await app.request("/posts/hello?x=1")).text(), "<p>Hello</p>");
  assertEquals((await app.request("/POSTS/hello")).status, 404);
});
