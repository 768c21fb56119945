/** Pages of tags, and what documents lead on to: kept right as documents, choices and names change. */
import { LISTING_SIZE } from "../../../jobs/render/pages/listing_plan.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { FIELDS, type Headless, headless } from "../../support/sites/headless.ts";

const TOPIC = FIELDS.find(({ name }) => name === "topic")!;
const LAMPS = {
  name: "lamp",
  type: "reference",
  indexed: true,
  options: { collection: "lamps", role: "tags" },
};

/** Runs all jobs, those too that leave time between two runs. */
async function settle(site: Headless): Promise<void> {
  for (let n = 0; n < 4; n++) {
    await site.runner.drain();
    site.context.advance(3_000);
  }
}

/** The status of a page, and the titles of the documents it lists. */
async function listed(site: Headless, path: string): Promise<string> {
  const { status, text } = await site.call("GET", path, { headers: { accept: "text/html" } });
  const main = text.slice(text.indexOf("<main"));
  const titles = [...main.matchAll(/<h2><a href="\/posts\/[a-z0-9-]+">([^<]*)</g)];
  return `${status} ${titles.map(([, title]) => title).join(" ")}`.trim();
}

/** What a document leads on to. */
async function related(site: Headless, path: string): Promise<string> {
  const { text } = await site.call("GET", path, { headers: { accept: "text/html" } });
  const [, aside = ""] = /<aside class="related"(.*?)<\/aside>/s.exec(text) ?? [];
  return [...aside.matchAll(/<li><a href="[^"]*">([^<]*)</g)].map(([, title]) => title).join(" ");
}

async function sitemap(site: Headless): Promise<string> {
  return (await site.call("GET", "/sitemap.xml")).text;
}

async function openTagged(): Promise<Headless> {
  const choices = { choices: ["C", "C++", "Light & fog"] };
  const tags = { name: "tags", type: "multi_select", indexed: true, options: choices };
  const site = await headless([TOPIC, tags] as never);
  await site.setUp();
  return site;
}

Deno.test("tags have pages that documents link to, enter and leave, and that the sitemap has", async () => {
  await using site = await openTagged();
  const one = await site.post({ title: "One", tags: ["C", "Light & fog"], status: "published" });
  await site.post({ title: "Two", tags: ["C++"], topic: "news", status: "published" });
  await settle(site);
  const PATHS = (await site.call("GET", "/posts/one")).text.match(/rel="tag" href="[^"]*"/g)!
    .map((link) => link.slice(16, -1));
  const [c, fog] = PATHS as [string, string];

  assert(/^\/posts\/tags\/c-[0-9a-f]{6}$/.test(c), c);
  assertEquals(fog, "/posts/tags/light-fog");
  assertEquals([await listed(site, c), await listed(site, fog)], ["200 One", "200 One"]);
  assertEquals(await listed(site, "/posts/topic/news"), "404");
  assert((await sitemap(site)).includes(`/posts/tags/light-fog</loc><lastmod>`));
  assert((await site.call("GET", `${fog}.md`)).text.includes("fog – Posts"));

  await site.v1("PATCH", `/posts/${one.id}`, { body: { title: "First", tags: ["C"] } });
  await settle(site);
  assertEquals([await listed(site, c), await listed(site, fog)], ["200 First", "404"]);
  assert(!(await sitemap(site)).includes("light-fog"));

  for (
    const [method, path, expected] of [
      ["DELETE", "", "404"],
      ["POST", "/untrash", "404"],
      ["POST", "/publish", "200 First"],
      ["POST", "/unpublish", "404"],
      ["POST", "/publish", "200 First"],
    ] as const
  ) {
    const answer = await site.admin(method, `/documents/${one.id}${path}`);
    assert(answer.status < 300, `${path} ${answer.text}`);
    await settle(site);
    assertEquals(await listed(site, c), expected, path);
  }

  await site.admin("PATCH", "/collections/posts", { slug: "stories" });
  await settle(site);
  assertEquals(await listed(site, c), "404");
  assert((await site.call("GET", c.replace("posts", "stories"))).text.includes(">First<"));
});

Deno.test("documents that others are tagged with have pages under their names", async () => {
  await using site = await openTagged();
  await site.collection({ slug: "lamps", name: "Lamps", fields: [] });
  const field = { label: "Lamp", ...LAMPS };
  assertEquals((await site.admin("POST", "/collections/posts/fields", field)).status, 201);
  const made = { body: { title: "Argand", status: "published" } };
  const lamp = (await site.v1("POST", "/lamps", made)).json;
  await site.post({ title: "One", lamp: lamp.id, status: "published" });
  await settle(site);

  assertEquals(await listed(site, "/posts/lamp/argand"), "200 One");
  const text = (await site.call("GET", "/posts/one")).text;
  assert(text.includes('<a rel="tag" href="/posts/lamp/argand">Argand</a>'), text);
  assert((await site.call("GET", "/posts/lamp/argand")).text.includes('href="/lamps/argand"'));

  await site.v1("PATCH", `/lamps/${lamp.id}`, { body: { title: "Arc", slug: "arc" } });
  await settle(site);
  assertEquals(await listed(site, "/posts/lamp/argand"), "301");
  assertEquals(await listed(site, "/posts/lamp/arc"), "200 One");
  assert((await sitemap(site)).includes("/posts/lamp/arc"));
  assert(!(await sitemap(site)).includes("/posts/lamp/argand"));

  await site.admin("POST", `/documents/${lamp.id}/unpublish`);
  await settle(site);
  assertEquals(await listed(site, "/posts/lamp/arc"), "404");
});

Deno.test("former addresses of a tag lead to the present ones, until another one takes over its name", async () => {
  await using site = await openTagged();
  await site.collection({ slug: "lamps", name: "Lamps", fields: [] });
  await site.admin("POST", "/collections/posts/fields", { label: "Lamp", ...LAMPS });
  const light = async (title: string) =>
    (await site.v1("POST", "/lamps", { body: { title, status: "published" } })).json.id;
  const argand = await light("Argand");
  for (let n = 0; n < 2 * LISTING_SIZE; n++) {
    await site.post({ title: `Story ${n}`, lamp: argand, status: "published" });
  }
  for (const slug of ["oil", "arc"]) {
    await site.v1("PATCH", `/lamps/${argand}`, { body: { slug } });
    await settle(site);
  }
  const asked = async (path: string) => {
    const { status, headers } = await site.call("GET", path, { headers: { accept: "text/html" } });
    return [status, headers.get("location")];
  };

  for (const end of ["", ".md", "/page/1", "/page/1.md"]) {
    for (const name of ["argand", "oil"]) {
      assertEquals(await asked(`/posts/lamp/${name}${end}`), [301, `/posts/lamp/arc${end}`]);
    }
  }
  assertEquals(await asked("/posts/lamp/argand/page/9"), [404, null]);
  assertEquals(await asked("/posts/topic/argand"), [404, null]);

  const other = await light("Argand");
  await settle(site);
  assertEquals(await asked("/posts/lamp/argand"), [404, null], "nothing is tagged with it yet");
  await site.post({ title: "Last", lamp: other, status: "published" });
  await settle(site);
  assertEquals(await listed(site, "/posts/lamp/argand"), "200 Last");
  assertEquals(await asked("/posts/lamp/oil"), [301, "/posts/lamp/arc"]);

  await site.admin("POST", `/documents/${argand}/unpublish`);
  await settle(site);
  assertEquals(await asked("/posts/lamp/oil"), [404, null]);
});

Deno.test("a document leads on to those before it that share most tags, and the first ones to those behind", async () => {
  await using site = await openTagged();
  for (const [title, ...tags] of [["A", "C"], ["B", "C", "C++"], ["D", "C"], ["E", "C++"]]) {
    await site.post({ title: title!, tags, status: "published" });
    site.context.advance(2_000);
  }
  await settle(site);
  assertEquals(await related(site, "/posts/a"), "D B");
  assertEquals(await related(site, "/posts/e"), "B");

  const last = await site.post({ title: "F", tags: ["C", "C++"], status: "published" });
  await settle(site);
  assertEquals(await related(site, "/posts/f"), "B E D");
  assertEquals(await related(site, "/posts/a"), "F D B");

  await site.v1("PATCH", `/posts/${last.id}`, { body: { tags: [] } });
  await settle(site);
  assertEquals(await related(site, "/posts/f"), "");
  assertEquals(await related(site, "/posts/a"), "D B");
});

Deno.test("tags have feeds that follow their documents, and come and go with their pages", async () => {
  await using site = await openTagged();
  await site.admin("POST", "/collections", { slug: "lamps", name: "Lamps" });
  await site.admin("POST", "/collections/posts/fields", LAMPS);
  const lamp = await site.admin("POST", "/documents", { collection: "lamps", title: "Dalén" });
  await site.admin("POST", `/documents/${lamp.json.id}/publish`);
  const both = { tags: ["Light & fog"], lamp: lamp.json.id, status: "published" };
  const one = await site.post({ title: "One", ...both });
  await settle(site);
  await site.post({ title: "Two", ...both });
  await settle(site);
  const fog = "/posts/tags/light-fog";
  const dalen = "/posts/lamp/dalen";
  /** Title of a feed, and of its entries; the status of what is none. */
  const feed = async (path: string) => {
    const { status, text } = await site.call("GET", `${path}/feed.json`);
    if (status !== 200) return String(status);
    const { title, items, feed_url, home_page_url } = JSON.parse(text);
    assert(feed_url.endsWith(`${path}/feed.json`) && home_page_url.endsWith(path), feed_url);
    return `${title}: ${items.map((entry: { title: string }) => entry.title).join(" ")}`;
  };
  const links = async (path: string) => {
    const { text } = await site.call("GET", path, { headers: { accept: "text/html" } });
    const found = text.matchAll(
      /rel="alternate" type="[^"]*" title="[^"]*" href="([^"]*feed[^"]*)"/g,
    );
    return [...found].map(([, href]) => href!);
  };

  const name = (await feed("/posts")).replace(/: Two One$/, "").replace(/: Posts$/, "");
  assertEquals(await feed(fog), `${name}: Light & fog – Posts: Two One`);
  assertEquals(await feed(dalen), `${name}: Dalén – Posts: Two One`);
  for (const kind of ["xml", "atom"]) {
    const answer = await site.call("GET", `${fog}/feed.${kind}`);
    assertEquals(answer.status, 200);
    assert(answer.text.includes(`${fog}/feed.${kind}`) && answer.text.includes("Two"));
    assert(answer.headers.get("deno-cache-tag")!.includes("listing-posts"));
  }
  const kinds = ["xml", "json", "atom"];
  const own = (path: string) => kinds.map((kind) => `${path}/feed.${kind}`);
  assertEquals(await links(fog), [...own(""), ...own("/posts"), ...own(fog)]);
  assertEquals(await links("/lamps/dalen"), [...own(""), ...own("/lamps"), ...own(dalen)]);

  await site.v1("PATCH", `/posts/${one.id}`, { body: { title: "First" } });
  await site.v1("PATCH", `/lamps/${lamp.json.id}`, { body: { title: "Sun valve", slug: "sun" } });
  await settle(site);
  assertEquals(await feed(fog), `${name}: Light & fog – Posts: Two First`);
  const moved = await site.call("GET", `${dalen}/feed.json`);
  assertEquals([moved.status, moved.headers.get("location")], [301, "/posts/lamp/sun/feed.json"]);
  assertEquals(await feed("/posts/lamp/sun"), `${name}: Sun valve – Posts: Two First`);

  await site.v1("PATCH", `/posts/${one.id}`, { body: { tags: [] } });
  await settle(site);
  assertEquals(await feed(fog), `${name}: Light & fog – Posts: Two`);
  const { json: { data } } = await site.v1("GET", "/posts");
  for (const { id } of data) await site.v1("DELETE", `/posts/${id}`);
  await settle(site);
  assertEquals([await feed(fog), await feed("/posts/lamp/sun")], ["404", "404"]);
  for (const kind of kinds) {
    assertEquals((await site.call("GET", `${fog}/feed.${kind}`)).status, 404);
  }
});
