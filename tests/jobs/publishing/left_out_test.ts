/** Documents that search engines are to leave out, through edits, publishes and languages. */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type Multilingual, multilingual, paragraph } from "../../support/sites/multilingual.ts";

async function site(): Promise<Multilingual> {
  const test = await multilingual();
  await test.admin("PATCH", "/settings", { "site.url": "https://example.org" });
  const seo = {
    name: "seo",
    label: "SEO",
    type: "group",
    localized: true,
    options: {
      fields: [
        { name: "noindex", label: "Hide from search engines", type: "boolean" },
        { name: "canonical", label: "Canonical URL", type: "url" },
      ],
    },
  };
  const made = await test.admin("POST", "/collections/posts/fields", seo);
  assertEquals(made.status, 201, made.text);
  return test;
}

async function sitemapOf(test: Multilingual): Promise<string[]> {
  await test.runner.drain();
  const { text } = await test.call("GET", "/sitemap.xml");
  return [...text.matchAll(/<url><loc>https:\/\/example\.org([^<]+)<\/loc>/g)]
    .map(([, path]) => path ?? "").filter((path) => /\/posts\/./.test(path));
}

const seo = (value: Record<string, Json>) => ({ body: { seo: value } });

Deno.test("noindex takes a published document out of the sitemap, and puts it back", async () => {
  await using test = await site();
  const post = { title: "Apple", body: paragraph("Hello"), status: "published" };
  const { id } = await test.post(post);
  await test.post({ ...post, title: "Pear" });
  assertEquals(await sitemapOf(test), ["/posts/apple", "/posts/pear"]);

  await test.v1("PATCH", `/posts/${id}`, seo({ noindex: true }));
  assertEquals(await sitemapOf(test), ["/posts/pear"]);
  const page = (await test.call("GET", "/posts/apple")).text;
  assert(page.includes('<meta name="robots" content="noindex">'), page.slice(0, 900));
  const markdown = await test.call("GET", "/posts/apple.md");
  assertEquals([markdown.status, markdown.headers.get("x-robots-tag")], [200, "noindex"]);
  const indexed = await test.call("GET", "/posts/pear.md");
  assertEquals(indexed.headers.get("x-robots-tag"), null);
  assert((await test.call("GET", "/posts")).text.includes("Apple"), "readers still find it");

  await test.v1("PATCH", `/posts/${id}`, seo({ canonical: "https://elsewhere.example/apple" }));
  assertEquals(await sitemapOf(test), ["/posts/pear"], "another page is to be kept instead");
  await test.v1("PATCH", `/posts/${id}`, seo({ canonical: "https://example.org/posts/apple" }));
  assertEquals(await sitemapOf(test), ["/posts/apple", "/posts/pear"], "its own address");
});

Deno.test("each language is left out by its own value, and is no alternate of the others", async () => {
  await using test = await site();
  const post = { title: "Apple", body: paragraph("Hello"), status: "published" };
  const { id } = await test.post(post);
  const french = { title: "Pomme", body: paragraph("Bonjour"), status: "published" };
  await test.translate(id, "fr", { ...french, seo: { noindex: true } });
  await test.translate(id, "de", { ...french, title: "Apfel", seo: { noindex: false } });
  const all = ["/posts/apple", "/de/posts/apfel"];

  assertEquals(await sitemapOf(test), all);
  const english = (await test.call("GET", "/posts/apple")).text;
  assert(english.includes('hreflang="de"') && !english.includes('hreflang="fr" href'), english);
  const pomme = (await test.call("GET", "/fr/posts/pomme")).text;
  assert(pomme.includes('content="noindex"') && !pomme.includes('rel="alternate" hreflang'));

  await test.v1("PATCH", `/posts/${id}`, seo({ noindex: true }));
  assertEquals(await sitemapOf(test), ["/de/posts/apfel"], "the original alone is left out");
  await test.translate(id, "fr", { ...french, seo: { noindex: false } });
  assertEquals(await sitemapOf(test), ["/fr/posts/pomme", "/de/posts/apfel"]);
  await test.admin("POST", `/documents/${id}/translations/fr/unpublish`);
  await test.admin("POST", `/documents/${id}/translations/de/unpublish`);
  assertEquals(await sitemapOf(test), []);
});
