/** Lists are rendered on request, and only if something on them has changed. */
import { assert, assertEquals } from "@std/assert";
import { ListPages } from "../../../../jobs/publishing/lists/list_pages.ts";
import { readListPath } from "../../../../jobs/publishing/lists/list_paths.ts";
import { createDocument, patchDocument } from "../../../../kv/documents/documents.ts";
import { publishDocument, unpublishDocument } from "../../../../kv/documents/status.ts";
import { readPageBody } from "../../../../kv/pages/pages.ts";
import { Theme } from "../../../../jobs/render/theme/theme.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { Settings } from "../../../../kv/sources/settings.ts";
import { publicText } from "../../../support/sites/pages.ts";
import { simulatedSite } from "../../../support/harness/simulated_site.ts";
import { openSite } from "../../../support/sites/published_site.ts";

/** A site with so many documents, and how often it renders a page. */
async function openListed(count: number) {
  const site = await openSite();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    ids.push((await site.create({ title: `Post ${n}`, slug: `p-${n}`, status: "published" })).id);
    site.harness.now += 1_000;
  }
  await site.harness.pass(10_000);
  const { theme } = await site.harness.run(site.publishing.rendering());
  let renderings = 0;
  const { renderPage } = theme;
  theme.renderPage = (...given) => {
    renderings += 1;
    return renderPage.apply(theme, given);
  };
  return {
    ...site,
    ids,
    /** How often pages were rendered since the last call. */
    renderings: () => {
      const count = renderings;
      renderings = 0;
      return count;
    },
    [Symbol.dispose]: () => void (theme.renderPage = renderPage),
  };
}

Deno.test("readListPath() tells lists from documents and other files", () => {
  const lists = ["/", "/posts", "/posts/page/2", "/posts/topics/light", "/posts/topics/a%C3%A4"];
  const texts = ["/feed.xml", "/posts/feed.atom", "/llms.txt", "/robots.txt", "/sitemap.xml"];
  const others = ["/posts/hello", "/assets/1/site.css", "/posts/page/1/feed.xml"];
  for (const path of [...lists, ...texts, "/sitemap/first.xml"]) {
    assert(readListPath(path) !== null, path);
  }
  for (const path of [...others, "/favicon.ico", "/sitemap/x.xml", "", "/a/b/c/d"]) {
    assertEquals(readListPath(path), null, path);
  }
});

Deno.test("a cached list is served until something on it changes, and other lists stay cached", async () => {
  using site = await openListed(65);
  const paths = ["/posts", "/posts/page/1", "/posts/page/2", "/"];
  for (const path of paths) await site.page(path);
  site.renderings();
  for (const path of paths) await site.page(path);
  assertEquals(site.renderings(), 0);

  await site.harness.run(
    patchDocument(site.content, UNATTENDED, site.ids[30]!, { title: "Changed" }),
  );
  await site.harness.pass(10_000);
  site.renderings();
  for (const path of paths) await site.page(path);
  assertEquals(site.renderings(), 1);
  assert((await site.page("/posts/page/2"))!.includes("Changed"));
});

Deno.test("concurrent requests share one rendering", async () => {
  using site = await openListed(5);
  const lists = new ListPages(site.publishing);
  const found = await site.harness.run(
    Promise.all(Array.from({ length: 8 }, () => lists.find("/posts"))),
  );
  assertEquals(new Set(found).size, 1);
  assertEquals(site.renderings(), 1);
});

Deno.test("a change of the site's look or a cover renders a list again, a draft does not", async () => {
  using site = await openListed(5);
  await site.page("/posts");
  site.renderings();
  await site.create({ title: "Draft", slug: "draft" });
  await site.harness.pass(5_000);
  await site.page("/posts");
  assertEquals(site.renderings(), 0);

  const settings = new Settings(site.context);
  await site.harness.run(settings.patch(UNATTENDED, { "site.title": "Another name" }));
  assert((await site.page("/posts"))!.includes("Another name"));
});

Deno.test("removing a document moves later pages by one, and the last page follows the length of the list", async () => {
  using site = await openListed(200);
  const before = await site.page("/posts/page/9");
  assert(before !== null);
  assert((await site.page("/posts/page/8"))!.includes("/posts/p-140"));
  await site.harness.run(unpublishDocument(site.content, UNATTENDED, site.ids[5]!));
  for (let page = 1; page <= 8; page++) {
    const body = (await site.page(`/posts/page/${page}`))!;
    assert(body.includes(`/posts/p-${page * 20}"`), `page ${page}`);
    assert(!body.includes(`/posts/p-${page * 20 + 1}"`), `page ${page}`);
  }
  assertEquals(await site.page("/posts/page/9"), null);
  await site.harness.run(publishDocument(site.content, UNATTENDED, site.ids[5]!));
  assert(await site.page("/posts/page/9") !== null);
});

Deno.test("a list shows a document as soon as its publication is committed", async () => {
  using site = await openListed(3);
  site.process.kill();
  const other = simulatedSite(site.harness, site.kv, site.outside);
  const body = { title: "New", slug: "new", lead: "A lead", status: "published" } as never;
  await site.harness.run(createDocument(other.content, UNATTENDED, "posts", body));
  for (const path of ["/posts", "/", "/posts/feed.json", "/llms.txt"]) {
    const text = await site.harness.run(publicText(other, path));
    assert(text!.includes("/posts/new"), path);
  }
});

Deno.test("a theme with an error leaves lists to the default theme", async () => {
  using site = await openListed(3);
  const broken = new Theme({
    templates: { listing: "{{ documents | no_such_filter }}" },
    assets: {},
  });
  const rendering = { ...await site.harness.run(site.publishing.rendering()), theme: broken };
  const lists = new ListPages({ ...site.publishing, rendering: () => Promise.resolve(rendering) });
  const row = await site.harness.run(lists.find("/posts"));
  assert(row !== null);
  const text = new TextDecoder().decode((await readPageBody(site.context, row))!);
  assert(text.includes("/posts/p-2"), text);
});
