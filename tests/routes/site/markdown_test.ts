/** Markdown of the public site: made with the page, moved, renamed and removed with it. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "../../support/harness/assert.ts";
import { type Headless, headless } from "../../support/sites/headless.ts";

const MARKDOWN = "text/markdown; charset=utf-8";

/** Runs all jobs, those too that leave time between two runs. */
async function settle(site: Headless): Promise<void> {
  await site.runner.drain();
  site.context.advance(2_000);
  await site.runner.drain();
}

Deno.test("every page is there as Markdown, at its address with .md and under Accept", async () => {
  await using site = await headless();
  await site.setUp();
  const { id } = await site.post({ title: "Hello", summary: "Short", status: "published" });
  await site.runner.drain();
  for (
    const [page, address] of [["/", "/index.md"], ["/posts", "/posts.md"], [
      "/posts/hello",
      "/posts/hello.md",
    ]] as const
  ) {
    const html = await site.call("GET", page, { headers: { accept: "text/html, */*;q=0.8" } });
    const markdown = await site.call("GET", address);
    const asked = await site.call("GET", page, { headers: { accept: "text/markdown, */*" } });
    assertEquals([html.status, markdown.status, asked.status], [200, 200, 200], page);
    assertEquals(html.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(markdown.headers.get("content-type"), MARKDOWN);
    assertEquals(asked.headers.get("content-type"), MARKDOWN);
    assertEquals(asked.text, markdown.text);
    assertStringIncludes(markdown.text, "Hello");
    const of = (name: string) => [html, markdown, asked].map(({ headers }) => headers.get(name));
    assertEquals(of("vary").slice(1), [null, "Accept"]);
    assertMatch(of("vary")[0]!, /^Accept\b(?!-)/);
    assertEquals(new Set(of("deno-cache-tag")).size, 1);
    const [ofHtml, ofMarkdown, ofAsked] = of("etag");
    assert(ofHtml !== ofMarkdown && ofMarkdown === ofAsked);
    const headers = { "if-none-match": ofAsked!, accept: "text/markdown" };
    assertEquals((await site.call("GET", page, { headers })).status, 304);
    headers.accept = "text/html";
    assertEquals((await site.call("GET", page, { headers })).status, 200);
  }
  const tags = (await site.call("GET", "/posts/hello.md")).headers.get("deno-cache-tag")!;
  assert(tags.includes(`doc-${id}`), tags);
});

Deno.test("Markdown is preferred by who names it, not by who takes anything", async () => {
  await using site = await headless();
  await site.setUp();
  await site.runner.drain();
  const typeFor = async (accept?: string) => {
    const headers = accept === undefined ? {} : { headers: { accept } };
    return (await site.call("GET", "/", headers)).headers.get("content-type")!.split(";")[0];
  };
  for (const accept of ["text/markdown", "text/markdown;q=0.9, text/html;q=0.8", "Text/Markdown"]) {
    assertEquals(await typeFor(accept), "text/markdown", accept);
  }
  for (
    const accept of [
      undefined,
      "*/*",
      "text/*",
      "text/html, text/markdown;q=0.5",
      "text/markdown;q=0",
    ]
  ) {
    assertEquals(await typeFor(accept), "text/html", accept);
  }
});

Deno.test("the Markdown moves with a document, and goes with it", async () => {
  await using site = await headless();
  await site.setUp();
  const { id } = await site.post({ title: "Hello", status: "published" });
  await site.runner.drain();
  await site.v1("PATCH", `/posts/${id}`, { body: { slug: "moved", title: "Moved" } });
  await settle(site);
  const former = await site.call("GET", "/posts/hello.md");
  assertEquals([former.status, former.headers.get("location")], [301, "/posts/moved.md"]);
  assertStringIncludes((await site.call("GET", "/posts/moved.md")).text, "# Moved");
  for (const path of ["/posts.md", "/index.md", "/llms.txt"]) {
    assertStringIncludes((await site.call("GET", path)).text, "/posts/moved.md", path);
  }

  await site.v1("DELETE", `/posts/${id}`);
  await settle(site);
  const gone = await site.call("GET", "/posts/moved.md");
  assertEquals([gone.status, gone.headers.get("content-type")], [404, MARKDOWN]);
  const asked = { headers: { accept: "text/markdown" } };
  assertEquals((await site.call("GET", "/posts/moved", asked)).status, 404);
  for (const path of ["/posts.md", "/index.md", "/llms.txt"]) {
    assert(!(await site.call("GET", path)).text.includes("moved"), path);
  }
});

Deno.test("drafts have no Markdown, and neither have feeds; a collection called index has its own", async () => {
  await using site = await headless();
  await site.setUp();
  await site.post({ title: "Draft" });
  await site.collection({ slug: "index", name: "Index of names", fields: [] });
  await site.v1("POST", "/index", { body: { title: "A name", status: "published" } });
  await site.runner.drain();
  assertEquals((await site.call("GET", "/posts/draft.md")).status, 404);
  const accept = { headers: { accept: "text/markdown" } };
  const feed = await site.call("GET", "/feed.json", accept);
  assertEquals(feed.headers.get("content-type"), "application/feed+json; charset=utf-8");
  assertEquals((await site.call("GET", "/feed.json.md")).status, 404);
  assertStringIncludes((await site.call("GET", "/index", accept)).text, "# Index of names");
  assertStringIncludes((await site.call("GET", "/index.md")).text, "## [Index of names]");
});

Deno.test("a site without content has llms.txt and Markdown too", async () => {
  await using site = await headless();
  const llms = await site.call("GET", "/llms.txt");
  assertEquals(llms.status, 200);
  assert(!llms.text.includes("## Collections"), llms.text);
  assertEquals(llms.headers.get("content-type"), "text/plain; charset=utf-8");
  assertEquals((await site.call("GET", "/index.md")).headers.get("content-type"), MARKDOWN);
  const accept = { headers: { accept: "text/markdown" } };
  const home = await site.call("GET", "/", accept);
  assertEquals([home.status, home.headers.get("vary")], [200, "Accept"]);
});
