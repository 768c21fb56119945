/** The public site in several languages: addresses, alternates, and what stands behind them. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { secondApp } from "../../support/sites/app.ts";
import {
  LANGUAGES,
  type Multilingual,
  multilingual,
  paragraph,
} from "../../support/sites/multilingual.ts";

async function site(): Promise<Multilingual & { id: string }> {
  const test = await multilingual();
  await test.admin("PATCH", "/settings", {
    "site.url": "https://example.org",
    "site.texts": { fr: { "site.title": "Fruits" } },
  });
  const { id } = await test.post({
    title: "Apple",
    summary: "Red",
    body: paragraph("Hello"),
    status: "published",
  });
  await test.post({ title: "Pear", body: paragraph("Hello"), status: "published" });
  await test.translate(id, "fr", {
    title: "Pomme",
    body: paragraph("Bonjour"),
    status: "published",
  });
  await test.runner.drain();
  return { ...test, [Symbol.asyncDispose]: test[Symbol.asyncDispose], id };
}

/** The alternates of a page by language, as a crawler reads them. */
function hreflang(text: string): Record<string, string> {
  const links = [...text.matchAll(/<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">/g)];
  return Object.fromEntries(links.map(([, code, href]) => [code, href]));
}

Deno.test("a translation has a page below the prefix of its language, and both pages name each other", async () => {
  await using test = await site();
  const french = await test.call("GET", "/fr/posts/pomme");
  assertEquals(french.status, 200, french.text.slice(0, 300));
  assert(
    french.text.includes('<html lang="fr"') && french.text.includes("Pomme") &&
      french.text.includes("Bonjour"),
  );
  assert(french.text.includes("Fruits"));
  assertEquals(french.headers.get("content-language"), "fr");
  const tags = french.headers.get("deno-cache-tag")!.split(",");
  assert(tags.includes(`doc-${test.id}`) && tags.includes("lang-fr"), tags.join());
  const english = await test.call("GET", "/posts/apple");
  assertEquals(english.headers.get("content-language"), "en");
  const alternates = {
    en: "https://example.org/posts/apple",
    fr: "https://example.org/fr/posts/pomme",
    "x-default": "https://example.org/posts/apple",
  };
  assertEquals([hreflang(french.text), hreflang(english.text)], [alternates, alternates]);
  assert(french.text.includes('<link rel="canonical" href="https://example.org/fr/posts/pomme">'));
  const markdown = await test.call("GET", "/fr/posts/pomme.md");
  assert(markdown.status === 200 && markdown.text.includes("# Pomme"), markdown.text.slice(0, 200));
});

Deno.test("a page exists where its translation is published, and its links stay in the language", async () => {
  await using test = await site();
  assertEquals((await test.call("GET", "/de/posts/apple")).status, 404);
  assertEquals((await test.call("GET", "/fr/posts/pear")).status, 404);
  assertEquals((await test.call("GET", "/ar/posts/apple")).status, 404, "not a public language");
  const home = await test.call("GET", "/fr");
  assertEquals(home.status, 200);
  assert(home.text.includes('href="/fr/posts/pomme"') && !home.text.includes("Pear"), home.text);
  const listing = await test.call("GET", "/fr/posts");
  assertEquals(listing.status, 200);
  assert(listing.text.includes("Pomme") && !listing.text.includes("Pear"));
  const feed = await test.call("GET", "/fr/feed.xml");
  assert(feed.status === 200 && feed.text.includes("/fr/posts/pomme"), feed.text.slice(0, 300));
  const llms = await test.call("GET", "/fr/llms.txt");
  assert(llms.status === 200 && llms.text.includes("Pomme"));
  await test.admin("POST", `/documents/${test.id}/translations/fr/unpublish`);
  assertEquals((await test.call("GET", "/fr/posts/pomme")).status, 404);
});

Deno.test("pages of a document that is public only in translation are purged when it changes", async () => {
  await using test = await site();
  const { id } = await test.post({ title: "Plum", body: paragraph("Hello") });
  const text = { title: "Prune", body: paragraph("Bonjour") };
  await test.translate(id, "fr", { ...text, status: "published" });
  await test.runner.drain();
  const purges = async () => {
    const { json } = await test.admin("GET", "/jobs?type=UNPUBLISH");
    return json.data.map((job: object) => JSON.stringify(job).includes(`"doc-${id}"`));
  };
  assertEquals(await purges(), [true]);
  assertEquals((await test.call("GET", "/fr/posts/prune")).status, 200);
  await test.v1("PATCH", `/posts/${id}/translations/fr`, { body: { title: "La prune" } });
  await test.runner.drain();
  assertEquals(await purges(), [true, true]);
  await test.admin("POST", `/documents/${id}/translations/fr/unpublish`);
  await test.runner.drain();
  assertEquals(await purges(), [true, true, true]);
  await test.v1("PATCH", `/posts/${id}`, { body: { title: "Plums" } });
  await test.runner.drain();
  assertEquals((await purges()).length, 3, "drafts have no pages");
});

Deno.test("former slugs lead on within their language", async () => {
  await using test = await site();
  await test.v1("PATCH", `/posts/${test.id}/translations/fr`, { body: { slug: "la-pomme" } });
  const moved = await test.call("GET", "/fr/posts/pomme");
  assert([301, 308].includes(moved.status), String(moved.status));
  assertEquals(moved.headers.get("location"), "/fr/posts/la-pomme");
});

Deno.test("untranslated documents have pages where the language shows them, and search engines keep the other", async () => {
  await using test = await site();
  const languages = LANGUAGES.map((one) =>
    (one as { code: string }).code === "fr" ? { ...one as object, untranslated: "show" } : one
  );
  await test.admin("PATCH", "/settings", { languages } as never);
  const page = await test.call("GET", "/fr/posts/pear");
  assertEquals(page.status, 200);
  assert(
    page.text.includes('<link rel="canonical" href="https://example.org/posts/pear">'),
    page.text.slice(0, 900),
  );
  assert(page.text.includes('content="noindex"') && page.text.includes('lang="en"'));
  const early = await test.call("GET", "/fr/posts/apple");
  assertEquals([early.status, early.headers.get("location")], [308, "/fr/posts/pomme"]);
});

Deno.test("for readers of other languages stands the first language or, without it, the original", async () => {
  await using test = await site();
  const body = { title: "Birne", _language: "de", body: paragraph("Hallo"), status: "published" };
  const made = await test.v1("POST", "/posts", { body });
  assertEquals(made.status, 201, made.text);
  const { id } = made.json;
  const french = { title: "La poire", body: paragraph("Bonjour"), status: "published" };
  await test.translate(id, "fr", french);
  await test.runner.drain();
  const german = "https://example.org/de/posts/birne";
  const page = await test.call("GET", "/fr/posts/la-poire");
  assertEquals(hreflang(page.text), {
    fr: "https://example.org/fr/posts/la-poire",
    de: german,
    "x-default": german,
  });
  const sitemap = await test.call("GET", "/sitemap.xml");
  assert(sitemap.text.includes(`hreflang="x-default" href="${german}"`), sitemap.text);
  const english = { title: "Pear again", body: paragraph("Hello"), status: "published" };
  await test.translate(id, "en", english);
  const after = hreflang((await test.call("GET", "/fr/posts/la-poire")).text);
  assertEquals(after["x-default"], after.en);
  const path = new URL(after.en ?? "").pathname;
  const first = await test.call("GET", path);
  assertEquals([first.status, first.headers.get("content-language")], [200, "en"], first.text);
  assert(first.text.includes("Hello") && first.text.includes("Pear again"));
  assertEquals(hreflang(first.text), after);
  const byId = await test.call("GET", `/de/posts/${id}`);
  assertEquals([byId.status, byId.headers.get("location")], [308, "/de/posts/birne"]);
  assertEquals((await test.call("GET", "/posts/nothing")).status, 404);
});

Deno.test("a document in another language than the first has its page below the prefix of its own", async () => {
  await using test = await site();
  const notes = { slug: "notes", name: "Notes", fields: [] };
  assertEquals((await test.admin("POST", "/collections", notes as never)).status, 201);
  const body = { title: "Birne", _language: "de", body: paragraph("Hallo"), status: "published" };
  const { json: { id } } = await test.v1("POST", "/posts", { body });
  const note = { title: "A note", status: "published" };
  assertEquals((await test.v1("POST", "/notes", { body: note })).status, 201);
  await test.runner.drain();
  const led = async (path: string, headers = {}) => {
    const { status, headers: answered } = await test.call("GET", path, { headers });
    return [status, answered.get("location")];
  };
  assertEquals(await led("/posts/birne"), [301, "/de/posts/birne"]);
  assertEquals(await led("/posts/birne.md"), [301, "/de/posts/birne.md"]);
  assertEquals(await led("/posts/birne", { accept: "text/markdown" }), [301, "/de/posts/birne"]);
  const german = await test.call("GET", "/de/posts/birne");
  assert(german.text.includes('<link rel="canonical" href="https://example.org/de/posts/birne">'));
  assert(!german.text.includes('content="noindex"'));
  assertEquals((await test.call("GET", "/de/posts/birne.md")).status, 200);
  const sitemap = (await test.call("GET", "/sitemap.xml")).text;
  assert(sitemap.includes("<loc>https://example.org/de/posts/birne</loc>"), sitemap);
  assert(!sitemap.includes("<loc>https://example.org/posts/birne</loc>"), sitemap);
  const lists = [
    "/",
    "/posts",
    "/posts.md",
    "/llms.txt",
    "/feed.xml",
    "/feed.json",
    "/posts/feed.xml",
  ];
  const listing = async (text: string) => {
    const pages = await Promise.all(lists.map((path) => test.call("GET", path)));
    return lists.filter((_, at) => pages[at]?.text.includes(text));
  };
  assertEquals(await listing("Birne"), []);
  assertEquals(await listing("Apple"), lists);
  const feed = (await test.call("GET", "/feed.xml")).text;
  assert(feed.indexOf("A note") < feed.indexOf("Apple") && feed.includes("A note"), feed);
  const inGerman = (await test.call("GET", "/de/feed.xml")).text;
  assert(inGerman.includes("Birne") && inGerman.includes("A note"), inGerman);
  assert(!inGerman.includes("Apple"), inGerman);

  const english = { title: "Pear again", body: paragraph("Hello"), status: "published" };
  await test.translate(id, "en", english);
  await test.runner.drain();
  assertEquals(await led("/posts/birne"), [308, "/posts/pear-again"]);
  assertEquals(await listing("Pear again"), lists);
  await test.v1("PATCH", `/posts/${id}/translations/en`, { body: { slug: "birne" } });
  await test.runner.drain();
  const same = await test.call("GET", "/posts/birne");
  assertEquals([same.status, same.headers.get("content-language")], [200, "en"], same.text);
  assert(same.text.includes("Pear again"));
});

Deno.test("the first language shows documents in others where it is to show untranslated ones", async () => {
  await using test = await site();
  const languages = [{ code: "en", fallback: ["de"], untranslated: "show" }, { code: "de" }];
  const set = await test.admin("PATCH", "/settings", { languages } as never);
  assertEquals(set.status, 200, set.text);
  const body = { title: "Birne", _language: "de", body: paragraph("Hallo"), status: "published" };
  assertEquals((await test.v1("POST", "/posts", { body })).status, 201);
  await test.runner.drain();
  const page = await test.call("GET", "/posts/birne");
  assertEquals(page.status, 200, page.text);
  assert(page.text.includes('<link rel="canonical" href="https://example.org/de/posts/birne">'));
  assert(page.text.includes('content="noindex"') && page.text.includes('lang="de"'));
  assert((await test.call("GET", "/feed.xml")).text.includes("Birne"));
});

Deno.test("the sitemap names each language of a document, mutually", async () => {
  await using test = await site();
  const { text } = await test.call("GET", "/sitemap.xml");
  const urls = [...text.matchAll(/<url><loc>([^<]+)<\/loc>.*?<\/url>/g)].map((match) =>
    [match[1]!, match[0]] as const
  );
  const byUrl = new Map(urls);
  const links = (url: string) =>
    [...byUrl.get(url)?.matchAll(/hreflang="([^"]+)" href="([^"]+)"/g) ?? []].map((
      [, code, href],
    ) => `${code} ${href}`);
  const [english, french] = [
    "https://example.org/posts/apple",
    "https://example.org/fr/posts/pomme",
  ];
  assertEquals(links(english), [`en ${english}`, `fr ${french}`, `x-default ${english}`]);
  assertEquals(links(french), links(english));
  assertEquals(links("https://example.org/posts/pear"), []);
  assert(byUrl.has("https://example.org/fr") && byUrl.has("https://example.org/qc/posts"));
});

Deno.test("the sitemap has a line for a document that is public in translations alone", async () => {
  await using test = await site();
  const { id } = await test.post({ title: "Plum", body: paragraph("Hello") });
  const text = { title: "Prune", body: paragraph("Bonjour"), status: "published" };
  await test.translate(id, "fr", text);
  await test.runner.drain();
  const urls = async () =>
    [...(await test.call("GET", "/sitemap.xml")).text.matchAll(/<url><loc>([^<]+)<\/loc>/g)]
      .map(([, url]) => url).filter((url) => /prune|plum|pflaume/.test(url ?? ""));
  assertEquals(await urls(), ["https://example.org/fr/posts/prune"]);
  await test.translate(id, "de", { ...text, title: "Pflaume" });
  await test.runner.drain();
  const both = ["https://example.org/fr/posts/prune", "https://example.org/de/posts/pflaume"];
  assertEquals(await urls(), both);
  await test.admin("POST", `/documents/${id}/publish`);
  await test.runner.drain();
  assertEquals(await urls(), ["https://example.org/posts/plum", ...both]);
  await test.admin("POST", `/documents/${id}/unpublish`);
  await test.runner.drain();
  assertEquals(await urls(), both);
  const { languages } = (await test.admin("GET", "/settings")).json;
  const moved = languages.map((one: { code: string }) =>
    one.code === "fr" ? { ...one, path: "francais" } : one
  );
  assertEquals((await test.admin("PATCH", "/settings", { languages: moved })).status, 200);
  await test.runner.drain();
  test.context.advance(5_000);
  await test.runner.drain();
  assertEquals(await urls(), ["https://example.org/francais/posts/prune", both[1]]);
  await test.admin("POST", `/documents/${id}/archive`);
  await test.runner.drain();
  assertEquals(await urls(), []);
});

Deno.test("each language has a search page, which searches and links in the language", async () => {
  await using test = await site();
  const page = await test.call("GET", "/fr/search");
  assertEquals([page.status, page.headers.get("content-language")], [200, "fr"]);
  assert(page.headers.get("content-security-policy")?.includes("script-src 'sha256-"));
  const form = /<form class="search"[^>]*>/.exec(page.text)?.[0] ?? "";
  for (const part of ['action="/fr/search"', 'data-prefix="/fr"', 'data-language="fr"']) {
    assert(form.includes(part), form);
  }
  assert(page.text.includes('data-search-collection="posts"'), "as the API calls it");
  assert(page.text.includes('<link rel="canonical" href="https://example.org/fr/search">'));
  assertEquals(hreflang(page.text).de, "https://example.org/de/search");
  const first = (await test.call("GET", "/search")).text;
  assert(first.includes('action="/search" data-search data-narrowed data-one='), first);
  const found = await test.call("GET", "/api/v1/search?q=pomme&language=fr&collection=posts");
  const { documentId, collectionSlug } = found.json.data[0];
  const moved = await test.call("GET", `/fr/${collectionSlug}/${documentId}`);
  assertEquals([moved.status, moved.headers.get("location")], [308, "/fr/posts/pomme"]);
  assertEquals((await test.call("GET", `/de/${collectionSlug}/${documentId}`)).status, 404);
});

Deno.test("pages below the prefix of a language name their own Markdown", async () => {
  await using test = await site();
  const markdownOf = ({ text }: { text: string }) =>
    /type="text\/markdown" href="https:\/\/example.org([^"]*)"/.exec(text)?.[1];
  for (
    const [page, markdown] of [["/", "/index.md"], ["/fr", "/fr.md"], [
      "/fr/search",
      "/fr/search.md",
    ]]
  ) {
    assertEquals(markdownOf(await test.call("GET", page!)), markdown);
    assertEquals((await test.call("GET", markdown!)).status, 200, markdown);
  }
  const llms = await test.call("GET", "/fr/llms.txt");
  assert(llms.text.includes("(https://example.org/fr.md)"), llms.text);
});

Deno.test("words, menu, dates and direction are those of the language, and feeds stay in it", async () => {
  await using test = await site();
  const languages = LANGUAGES.map((one) => ({ ...one as object, public: true }));
  const set = await test.admin("PATCH", "/settings", {
    languages,
    "site.menu": [{ label: "All", url: "/posts" }],
    "site.texts": {
      ar: { "site.title": "فواكه", "site.menu": [{ label: "الكل", url: "/ar/posts" }] },
    },
  } as never);
  assertEquals(set.status, 200, set.text);
  await test.translate(test.id, "ar", {
    title: "تفاحة",
    body: paragraph("مرحبا"),
    status: "published",
  });
  const { slug } = (await test.v1("GET", `/posts/${test.id}/translations/ar`)).json;
  const page = await test.call("GET", `/ar/posts/${slug}`);
  assertEquals(page.status, 200);
  for (
    const part of ['<html lang="ar" dir="rtl">', "فواكه", ">الكل</a>", 'property="og:locale"']
  ) {
    assert(page.text.includes(part), `${part}: ${page.text.slice(0, 3000)}`);
  }
  assert(page.text.includes('"inLanguage":"ar"'), page.text.slice(0, 3000));
  const french = (await test.call("GET", "/fr/posts/pomme")).text;
  assert(french.includes("Recherche") && french.includes('dir="ltr"'), french.slice(0, 3000));
  const feeds = [
    ...french.matchAll(/type="application\/[a-z]+\+(?:xml|json)"[^>]*href="([^"]+)"/g),
  ];
  for (const [, href] of feeds) assert(href?.includes("/fr/"), href);
  assert(feeds.length > 0);
});

Deno.test("stored pages name their language in a process that has not read the schema", async () => {
  await using test = await site();
  const { app } = secondApp(test.context);
  const answer = await app.request("/posts/apple");
  assertEquals([answer.status, answer.headers.get("content-language")], [200, "en"]);
  assert(answer.headers.get("deno-cache-tag")?.split(",").includes("lang-en"));
});
