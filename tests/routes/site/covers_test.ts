/** Covers in lists, collections without pages, and media that stand for the site: kept right as they change. */
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { type Headless, headless } from "../../support/sites/headless.ts";
import { IMAGES } from "../../support/sites/images.ts";

/** Runs all jobs, those too that leave time between two runs. */
async function settle(site: Headless): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await site.runner.drain();
    site.context.advance(3_000);
  }
}

async function upload(site: Headless, name: string): Promise<string> {
  const body = new FormData();
  body.append("file", new File([IMAGES["image/png"] as Uint8Array<ArrayBuffer>], name));
  body.append("alt", "A lamp");
  const answer = await site.admin("POST", "/media", undefined, { raw: body });
  assertEquals(answer.status, 201);
  return answer.json.id;
}

async function textsAt(site: Headless, ...paths: string[]): Promise<string[]> {
  const headers = { accept: "text/html" };
  return await Promise.all(paths.map(async (path) => {
    const { status, text } = await site.call("GET", path, { headers });
    return `${status} ${text}`;
  }));
}

Deno.test("a cover stands in listing, first page and page, and follows when its medium is renamed or removed", async () => {
  await using site = await headless();
  await site.setUp();
  const cover = await upload(site, "lamp.png");
  await site.post({ title: "Lit", cover, status: "published" });
  await settle(site);
  const PATHS = ["/", "/posts", "/posts/lit"];

  const first = await textsAt(site, ...PATHS);
  await site.admin("PATCH", `/media/${cover}`, { filename: "lantern.png" });
  await settle(site);
  const renamed = await textsAt(site, ...PATHS);
  await site.admin("DELETE", `/media/${cover}`);
  await settle(site);
  const removed = await textsAt(site, ...PATHS);

  const has = (texts: string[], name: string) =>
    texts.map((text) => new RegExp(`/${name}\\.png["?]`).test(text));
  assertEquals(has(first, "lamp"), [true, true, true]);
  for (const text of first) assert(text.includes('fetchpriority="high"'), "what leads is not lazy");
  assertEquals(has(renamed, "lamp"), [false, false, false]);
  assertEquals(has(renamed, "lantern"), [true, true, true]);
  assertEquals(has(removed, "lantern"), [false, false, false]);
});

Deno.test("the logo of the settings is on every page, and follows its medium", async () => {
  await using site = await headless();
  await site.setUp();
  const logo = await upload(site, "mark.png");
  await site.post({ title: "Lit", status: "published" });
  await site.admin("PATCH", "/settings", { "site.logo": logo, "site.accent": "#0055aa" });
  await settle(site);
  const first = await textsAt(site, "/", "/posts/lit");
  await site.admin("PATCH", `/media/${logo}`, { filename: "sign.png" });
  await settle(site);
  const renamed = await textsAt(site, "/", "/posts/lit");

  for (const text of first) {
    assert(text.includes("mark.png") && text.includes('href="/assets/look/0055aa-newsreader.css"'));
  }
  for (const text of renamed) assert(text.includes("sign.png") && !text.includes("mark.png"));
  const look = await site.call("GET", "/assets/look/0055aa-newsreader.css");
  assertEquals([look.status, look.headers.get("content-type")], [200, "text/css; charset=utf-8"]);
});

Deno.test("the icon of the settings is on every page and at /favicon.ico, and follows its medium", async () => {
  await using site = await headless();
  await site.setUp();
  await site.post({ title: "Lit", status: "published" });
  await settle(site);
  const where = async (path: string) =>
    (await site.call("GET", path)).headers.get("location") ?? "";
  const bare = await where("/favicon.ico");
  const mark = await site.call("GET", bare);
  const icon = await upload(site, "mark.png");
  await site.admin("PATCH", "/settings", { "site.icon": icon });
  await settle(site);
  const own = [await where("/favicon.ico"), ...await textsAt(site, "/", "/posts/lit")];
  await site.admin("PATCH", `/media/${icon}`, { filename: "sign.png" });
  await settle(site);
  const renamed = [await where("/favicon.svg"), ...await textsAt(site, "/", "/posts/lit")];

  assertEquals([mark.status, mark.headers.get("content-type")], [200, "image/svg+xml"]);
  assert(mark.headers.get("content-security-policy")!.includes("sandbox"));
  for (const text of own) assert(text.includes(`/media/${icon}/mark.png`), text);
  for (const text of renamed) assert(text.includes("/sign.png") && !text.includes("mark.png"));
});

Deno.test("an image for social networks stands in the head alone, and follows when it is renamed or removed", async () => {
  const seo = {
    name: "seo",
    type: "group",
    options: { fields: [{ name: "image", type: "media" }] },
  };
  await using site = await headless([seo, { name: "cover", type: "media" }] as never);
  await site.setUp();
  const image = await upload(site, "card.png");
  const cover = await upload(site, "lamp.png");
  await site.post({ title: "Lit", cover, seo: { image }, status: "published" });
  const shared = async () => {
    await settle(site);
    const [text = ""] = await textsAt(site, "/posts/lit");
    const [, name] = /property="og:image" content="[^"]*?([a-z]+)\.png/.exec(text) ?? [];
    return [name, text.split("/card.png").length > 2];
  };

  assertEquals(await shared(), ["card", false]);
  await site.admin("PATCH", `/media/${image}`, { filename: "postcard.png" });
  assertEquals(await shared(), ["postcard", false]);
  await site.admin("DELETE", `/media/${image}`);
  assertEquals(await shared(), ["lamp", false]);
});

Deno.test("feeds follow when a cover or a maker changes, and nothing else", async () => {
  const author = { name: "author", type: "reference" };
  await using site = await headless([author, { name: "cover", type: "media" }] as never);
  await site.setUp();
  await site.admin("POST", "/collections", { slug: "people", name: "People", fields: [] });
  const { json: person } = await site.admin("POST", "/documents", {
    collection: "people",
    title: "Ada Byron",
  });
  await site.admin("POST", `/documents/${person.id}/publish`);
  const cover = await upload(site, "lamp.png");
  await site.post({ title: "Lit", cover, author: person.id, status: "published" });
  await settle(site);
  const FEEDS = ["/feed.xml", "/feed.json", "/feed.atom", "/posts/feed.xml", "/posts/feed.json"];
  const first = await textsAt(site, ...FEEDS);
  await site.admin("PATCH", `/media/${cover}`, { filename: "lantern.png" });
  await site.admin("PATCH", `/documents/${person.id}`, { title: "Ada King" });
  await settle(site);
  const changed = await textsAt(site, ...FEEDS);
  await site.admin("DELETE", `/media/${cover}`);
  await site.admin("POST", `/documents/${person.id}/unpublish`);
  await settle(site);
  const gone = await textsAt(site, ...FEEDS);

  for (const text of first) assert(text.includes("Ada Byron") && text.includes("/lamp.png"), text);
  for (const text of changed) {
    assert(text.includes("Ada King") && text.includes("/lantern.png"), text);
    assert(!text.includes("Ada Byron") && !text.includes("/lamp.png"), text);
  }
  for (const text of gone) assert(!text.includes("Ada") && !text.includes("lantern.png"), text);
});

Deno.test("a collection gives up its pages when it is said to have none, and has them again afterwards", async () => {
  await using site = await headless();
  await site.setUp();
  await site.post({ title: "Lit", status: "published" });
  await settle(site);
  const PATHS = ["/posts", "/posts/lit", "/posts/feed.xml", "/posts/feed.atom", "/posts/lit.md"];
  const statuses = async () =>
    (await textsAt(site, ...PATHS)).map((text) => Number(text.slice(0, 3)));
  assertEquals(await statuses(), [200, 200, 200, 200, 200]);

  const { json } = await site.admin("PATCH", "/collections/posts", { pageless: true });
  await settle(site);
  const bare = await statuses();
  const late = await site.post({ title: "Late", status: "published" });
  await settle(site);
  const [home, sitemap, found] = await textsAt(site, "/", "/sitemap.xml", "/api/v1/search?q=late");
  const missing = (await textsAt(site, "/posts/late"))[0]!.slice(0, 3);
  const shown = (await site.admin("PATCH", "/collections/posts", { pageless: false })).json;
  await settle(site);

  assertEquals([json.pageless, "pageless" in shown], [true, false]);
  assertEquals(bare, [404, 404, 404, 404, 404]);
  assert(!home!.includes("/posts") && !sitemap!.includes("/posts") && missing === "404");
  assert(found!.includes(late.id ?? late.data.id), "search goes on");
  assertEquals(await statuses(), [200, 200, 200, 200, 200]);
  assert((await textsAt(site, "/posts"))[0]!.includes("Late"));
});

Deno.test("a document is found under its id too, while it is public", async () => {
  await using site = await headless();
  await site.setUp();
  const { id } = await site.post({ title: "Lit", status: "published" });
  const draft = await site.post({ title: "Dim" });
  await settle(site);

  const found = await site.call("GET", `/posts/${id}`);
  const hidden = await site.call("GET", `/posts/${draft.id}`);

  assertEquals([found.status, found.headers.get("location")], [301, "/posts/lit"]);
  assertEquals(hidden.status, 404);
});

Deno.test("what a document leads on to stands beside its cover, small, as it is now", async () => {
  const tags = { name: "tags", type: "multi_select", indexed: true, options: { choices: ["Oil"] } };
  const related = { name: "related", type: "reference" };
  await using site = await headless([tags, related, { name: "cover", type: "media" }] as never);
  await site.setUp();
  await site.admin("PATCH", "/settings", { "images.transform_enabled": true });
  const cover = await upload(site, "lamp.png");
  const pictured = await site.post({ title: "Lit", cover, tags: ["Oil"], status: "published" });
  await site.post({ title: "Dim", tags: ["Oil"], status: "published" });
  const chosen = { title: "Chosen", related: pictured.id, status: "published" };
  const path = await site.post(chosen).then(() => "/posts/chosen");
  await settle(site);
  const asides = async () =>
    (await textsAt(site, "/posts/dim", path))
      .map((text) => text.slice(text.indexOf('<aside class="related"')));

  const first = await asides();
  await site.admin("PATCH", `/media/${cover}`, { filename: "lantern.png" });
  await settle(site);
  const renamed = await asides();
  await site.v1("PATCH", `/posts/${pictured.id}`, { body: { cover: null } });
  await settle(site);
  const bare = await asides();

  for (const aside of first) {
    assert(/<img src="[^"]*lamp\.png\?w=\d+&amp;h=\d+"/.test(aside), aside);
    assert(/alt="" width="\d+" height="\d+" loading="lazy"/.test(aside), aside);
  }
  for (const aside of renamed) assert(aside.includes("lantern.png") && !aside.includes("lamp.png"));
  for (const aside of bare) assert(aside.includes(">Lit</a>") && !aside.includes("<img"), aside);
});
