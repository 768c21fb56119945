/** Who made documents: their pages show what they made, and stay right as that changes. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type Headless, headless } from "../../support/sites/headless.ts";
import { IMAGES } from "../../support/sites/images.ts";

const AUTHOR = {
  name: "author",
  type: "reference",
  indexed: true,
  options: { collection: "people" },
};

/** Runs all jobs, those too that leave time between two runs. */
async function settle(site: Headless): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await site.runner.drain();
    site.context.advance(3_000);
  }
}

async function openWithPeople(): Promise<Headless> {
  const site = await headless([AUTHOR, { name: "cover", type: "media" }] as never);
  await site.setUp();
  const fields = [{ name: "portrait", type: "media" }];
  await site.admin("POST", "/collections", { slug: "people", name: "People", fields });
  // The field was made before the collection that it refers to.
  await site.admin("PATCH", "/collections/posts/fields/author", AUTHOR);
  return site;
}

async function person(site: Headless, title: string, more: object = {}): Promise<string> {
  const { json } = await site.admin("POST", "/documents", { collection: "people", title, ...more });
  await site.admin("POST", `/documents/${json.id}/publish`);
  return json.id;
}

async function picture(site: Headless, name: string): Promise<string> {
  const body = new FormData();
  body.append("file", new File([IMAGES["image/png"] as Uint8Array<ArrayBuffer>], name));
  return (await site.admin("POST", "/media", undefined, { raw: body })).json.id;
}

/** The main part of a page. */
async function main(site: Headless, path: string): Promise<string> {
  const { status, text } = await site.call("GET", path, { headers: { accept: "text/html" } });
  return `${status} ${text.slice(text.indexOf("<main"), text.indexOf("</main>"))}`;
}

/** The titles of the documents in lists of a page, and where all of them are. */
async function made(site: Headless, path: string): Promise<string[]> {
  const text = await main(site, path);
  const titles = [...text.matchAll(/<h3><a href="[^"]*">([^<]*)/g)].map(([, title]) => title!);
  const all = /<h2 class="section"[^>]*><a href="([^"]*)">/.exec(text)?.[1];
  return all === undefined ? titles : [all, ...titles];
}

Deno.test("the page of an author lists what he wrote, as it is now", async () => {
  await using site = await openWithPeople();
  const [ada, bo] = [await person(site, "Ada"), await person(site, "Bo")];
  const one = await site.post({ title: "One", author: ada, status: "published" });
  site.context.advance(2_000);
  await site.post({ title: "Two", author: ada, status: "published" });
  await site.post({ title: "Draft", author: ada });
  await settle(site);

  const first = await made(site, "/people/ada");
  const none = await made(site, "/people/bo");
  const listing = await main(site, "/posts/author/ada");
  const markdown = (await site.call("GET", "/people/ada.md")).text;
  await site.v1("PATCH", `/posts/${one.id}`, { body: { title: "First" } });
  await settle(site);
  const retitled = await made(site, "/people/ada");
  await site.v1("PATCH", `/posts/${one.id}`, { body: { author: bo } });
  await settle(site);
  const handed = [await made(site, "/people/ada"), await made(site, "/people/bo")];
  await site.admin("POST", `/documents/${one.id}/unpublish`);
  await settle(site);
  const withdrawn = await made(site, "/people/bo");

  assertEquals(first, ["/posts/author/ada", "Two", "One"]);
  assertEquals(none, []);
  assert(listing.startsWith("200 ") && listing.includes('<a href="/people/ada">'), listing);
  assert(markdown.includes("](") && markdown.includes("[Two]("), markdown);
  assertEquals(retitled, ["/posts/author/ada", "Two", "First"]);
  assertEquals(handed, [["/posts/author/ada", "Two"], ["/posts/author/bo", "First"]]);
  assertEquals(withdrawn, []);
});

Deno.test("covers on the page of an author follow their media, and documents are not related by who made them", async () => {
  await using site = await openWithPeople();
  const ada = await person(site, "Ada");
  const cover = await picture(site, "lamp.png");
  await site.post({ title: "Lit", author: ada, cover, status: "published" });
  await site.post({ title: "Dim", author: ada, status: "published" });
  await settle(site);

  const first = await main(site, "/people/ada");
  const other = await main(site, "/posts/dim");
  await site.admin("PATCH", `/media/${cover}`, { filename: "lantern.png" });
  await settle(site);
  const renamed = await main(site, "/people/ada");

  assert(first.includes("/lamp.png"), first);
  assert(renamed.includes("/lantern.png") && !renamed.includes("/lamp.png"), renamed);
  assert(!other.includes('class="related"'), other);
});

Deno.test("who makes documents has a page without a date, is not news, and is described to search engines as a person", async () => {
  await using site = await openWithPeople();
  await site.post({ title: "Lit", author: await person(site, "Ada"), status: "published" });
  await settle(site);

  const page = (await site.call("GET", "/people/ada", { headers: { accept: "text/html" } })).text;
  const feed = (await site.call("GET", "/feed.json")).json;
  const dated = await main(site, "/posts/lit");
  const set = async (undated: boolean) => {
    const { json } = await site.admin("PATCH", "/collections/posts", { undated });
    await settle(site);
    return ["undated" in json, (await main(site, "/posts/lit")).includes("<time")];
  };
  const own = (await site.call("GET", "/people/feed.json")).json;

  assert(page.includes('"@type":"ProfilePage"') && page.includes('"@type":"Person","name":"Ada"'));
  assert(page.includes('<meta property="og:type" content="profile">'));
  assert(
    !page.slice(page.indexOf('<header class="head">')).split("</header>")[0]!.includes("<time"),
  );
  assert(dated.includes("<time"), dated);
  assertEquals([await set(true), await set(false)], [[true, false], [false, true]]);
  const titles = (one: { items: { title: string }[] }) => one.items.map(({ title }) => title);
  assertEquals([titles(feed), titles(own)], [["Lit"], ["Ada"]]);
});

/** Who is named on the card of a document, with the name of their picture; empty where it has no card. */
async function byline(site: Headless, path: string, title: string): Promise<string> {
  const text = await main(site, path);
  const card = text.split(/<li[ >]/).find((one) => one.includes(`>${title}</a>`)) ?? "";
  return [...card.matchAll(/<span class="by">(?:<img class="face" src="([^"]*)"[^>]*>)?([^<]*)/g)]
    .map(([, src = "", name]) => `${name} ${src.split("/").at(-1)!.split("?")[0]}`.trim()).join();
}

const TAGS = { name: "tags", type: "multi_select", indexed: true, options: { choices: ["Oil"] } };

Deno.test("cards name who made a document, everywhere but on their own pages, and follow as that changes", async () => {
  await using site = await openWithPeople();
  await site.admin("POST", "/collections/posts/fields", TAGS);
  const portrait = await picture(site, "ada.png");
  const ada = await person(site, "Ada", { portrait });
  const one = await site.post({ title: "One", author: ada, tags: ["Oil"], status: "published" });
  site.context.advance(2_000);
  await site.post({ title: "Two", tags: ["Oil"], status: "published" });
  await settle(site);
  const PLACES = ["/", "/posts", "/posts/tags/oil", "/posts/two", "/posts/author/ada"];
  const bylines = () => Promise.all(PLACES.map((path) => byline(site, path, "One")));
  const everywhere = (text: string) => [text, text, text, text, ""];

  assertEquals(await bylines(), everywhere("Ada ada.png"));
  assertEquals(await byline(site, "/people/ada", "One"), "");
  assertEquals(await byline(site, "/posts", "Two"), "");
  const own = await main(site, "/posts/one");
  assert(
    /<img class="face" src="[^"]*ada\.png[^>]*>By <a rel="author" href="\/people\/ada">/.test(own),
  );

  await site.admin("PATCH", `/documents/${ada}`, { title: "Ada Byron" });
  await settle(site);
  assertEquals(await bylines(), everywhere("Ada Byron ada.png"));
  await site.admin("PATCH", `/media/${portrait}`, { filename: "byron.png" });
  await settle(site);
  assertEquals(await bylines(), everywhere("Ada Byron byron.png"));
  await site.admin("PATCH", `/documents/${ada}`, { portrait: await picture(site, "late.png") });
  await settle(site);
  assertEquals(await bylines(), everywhere("Ada Byron late.png"));
  await site.v1("PATCH", `/posts/${one.id}`, { body: { author: await person(site, "Bo") } });
  await settle(site);
  assertEquals(await bylines(), ["Bo", "Bo", "Bo", "Bo", ""]);
  await site.admin("POST", `/documents/${ada}/unpublish`);
  await site.v1("PATCH", `/posts/${one.id}`, { body: { author: ada } });
  await settle(site);
  assertEquals(await bylines(), everywhere(""));
  await site.admin("POST", `/documents/${ada}/publish`);
  await settle(site);
  assertEquals(await bylines(), everywhere("Ada Byron late.png"));
});

Deno.test("a preview of a listing names who made a document as the listing does", async () => {
  await using site = await openWithPeople();
  const ada = await person(site, "Ada", { portrait: await picture(site, "ada.png") });
  const draft = await site.post({ title: "Soon", author: ada });
  const { json: release } = await site.admin("POST", "/releases", { name: "Spring" });
  const path = `/releases/${release.id}/documents/${draft.id}`;
  await site.admin("PUT", path, { action: "publish" });
  await settle(site);
  const { json } = await site.admin("POST", `/releases/${release.id}/preview`, {});

  const { text } = await site.call("GET", new URL("posts", json.url).pathname);

  assert(/<span class="by"><img class="face" src="[^"]*ada\.png[^>]*>Ada</.test(text), text);
});
