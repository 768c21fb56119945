/**
 * Payload with numeric ids: answers of a real Payload 3.90 over SQLite, in `payload_api.ndjson`, with two locales,
 * drafts, blocks, rich text and globals.
 */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { IMAGES } from "../../../support/sites/images.ts";
import { type ApiHandler, apiServer } from "../../../support/transfers/api_server.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

const FILE = new URL("../../../support/transfers/payload_api.ndjson", import.meta.url);
const ANSWERS = new Map<string, Json>(
  (await Deno.readTextFile(FILE)).trimEnd().split("\n")
    .map((line): { path: string; body: Json } => JSON.parse(line))
    .map(({ path, body }) => [path, body]),
);
const KEY = "users API-Key 11111111-2222-4333-8444-555555555555";

const payload: ApiHandler = ({ pathname, search }, request) => {
  if (pathname.startsWith("/api/media/file/")) {
    return new Response(IMAGES["image/png"], { headers: { "content-type": "image/png" } });
  }
  if (request.headers.get("authorization") !== KEY) return Response.json({}, { status: 401 });
  return ANSWERS.get(pathname + search);
};

async function transferred(site: TransferSite) {
  const languages = [{ code: "en" }, { code: "fr", path: "fr" }];
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  await using server = apiServer(payload);
  const [, token] = KEY.split(" API-Key ");
  const body = { kind: "payload", url: server.origin, token: `users:${token}` };
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  const planned = await site.transfer(id);
  assertEquals([planned.state, planned.kind], ["planned", "payload"], planned.error);
  return { planned, done: await site.run(id) };
}

/** The assets of the picture and the logo. */
async function assetIds(site: TransferSite): Promise<string[]> {
  const { data } = answered(await site.admin("GET", "/media"), 200);
  const files: { id: string; filename: string }[] = data;
  return ["hero", "logo"].map((name) =>
    files.find(({ filename }) => filename.startsWith(name))?.id ?? ""
  );
}

/** The only document of a collection, or that with a title. */
async function documentOf(site: TransferSite, collection: string, title?: string) {
  const list = await site.documents(collection);
  const found = list.find((one) => title === undefined || one.title === title);
  return answered(await site.admin("GET", `/documents/${found.id}`), 200);
}

Deno.test("numbers of a real Payload refer to rows at any depth, and globals become single documents", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });

  const { planned, done } = await transferred(site);

  assertEquals(planned.counts, {
    media: 2,
    authors: 2,
    categories: 3,
    posts: 2,
    users: 1,
    header: 1,
    "site-settings": 1,
  });
  assertEquals(done.report.failed, 0, JSON.stringify(await site.report(planned.id)));
  const ids = new Map<string, string>();
  for (const collection of ["authors", "categories", "posts"]) {
    for (const { id, title } of await site.documents(collection)) ids.set(title, id);
  }
  const id = (title: string) => ids.get(title) ?? `no ${title}`;
  const [hero, logo] = await assetIds(site);
  const post = await documentOf(site, "posts", "Post 2");
  assertEquals([post.author, post.categories, post.heroImage], [
    id("Bob Author"),
    [id("Travel"), id("News")],
    hero,
  ]);
  assertEquals(post.related, [id("Post 1"), id("Food")]);
  assertEquals(post.meta.author, id("Bob Author"));
  assertEquals(post.sections.map(({ category }: { category: string }) => category), [
    id("Travel"),
    id("Food"),
  ]);
  const [quote, teaser] = post.layout;
  assertEquals([quote.data.by, quote.data.picture], [id("Ann Author"), hero]);
  assertEquals([teaser.data.posts, teaser.data.count], [[id("Post 1")], 2]);
  const inText = post.content.find(({ _type }: { _type: string }) => _type === "quote");
  assertEquals([inText.by, inText.picture], [id("Bob Author"), logo]);
  assert(post.hasWorkingCopy, "its newer draft");

  const settings = await documentOf(site, "site-settings");
  assertEquals(
    [settings.title, settings.siteName, settings.logo, settings.featured, settings.status],
    ["Site settings", "Old site", logo, id("Post 2"), "published"],
  );
  assert(JSON.stringify(settings.footer).includes("All rights"));
  const header = await documentOf(site, "header");
  assertEquals(
    header.navItems.map(({ label, page }: { label: string; page?: string }) => [label, page]),
    [["Home", undefined], ["First", id("Post 1")]],
  );
  for (const slug of ["header", "site-settings"]) {
    const { singleton, pageless } = answered(await site.admin("GET", `/collections/${slug}`), 200);
    assertEquals([slug, singleton, pageless], [slug, true, true]);
  }
  const { report } = await site.run(planned.id);
  assertEquals([report.created, report.updated, report.failed], [0, 0, 0]);
});

Deno.test("a list of a real Payload's header is offered as a menu, whose entries lead to the documents", async () => {
  await using site = await transferSite({ guard: { allowLocal: true } });
  const { planned: { id, plan } } = await transferred(site);
  assertEquals(plan.settings, [{
    key: "site.menu",
    source: "header.navItems",
    value: [{ label: "Home", url: "/" }, { label: "First", url: "/posts/post-1" }],
    apply: false,
  }]);
  const menu = async () => answered(await site.admin("GET", "/settings"), 200)["site.menu"];
  const before = await menu();
  const post = await documentOf(site, "posts", "Post 1");
  answered(await site.admin("PATCH", `/documents/${post.id}`, { slug: "moved" }), 200);
  plan.settings[0].apply = true;
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);

  await site.run(id);

  assertEquals(await menu(), [
    { label: "Home", url: "/" },
    { label: "First", url: "/posts/moved" },
  ]);
  answered(await site.admin("POST", `/transfers/${id}/undo`), 202);
  await site.runner.drain();
  assertEquals(await menu(), before);
});

Deno.test("menus are lists of a global whose rows lead somewhere, with the rows below them", async () => {
  await using site = await transferSite();
  const ids = ["6b0cacda3094c52e7507207d", "6b0cacda3094c52e7507207e"];
  const pages = ids.map((id, n) => ({
    ...{ id, title: `Page ${n}`, slug: `page-${n}`, _status: "published" },
    ...{ createdAt: "2026-11-01T10:00:00.000Z", updatedAt: "2026-11-01T10:00:00.000Z" },
  }));
  const reference = { relationTo: "pages", value: ids[0] };
  const links = [
    { link: { type: "reference", reference, url: "/stale", label: "By reference" } },
    { link: { type: "custom", reference, url: "https://shop.example/", label: "Custom" } },
    { label: "Group", children: [{ label: "Below", page: ids[1] }] },
    { link: { type: "custom", url: "#top", label: "Anchor" } },
  ];
  const footer = {
    globalType: "footer",
    columns: [{ title: "About", links: [{ label: "Team", url: "/team" }] }],
    notice: { root: { children: [{ text: "A word", url: "/in-a-text" }] } },
    openings: [{ label: "Monday", hours: "9 to 5" }],
  };
  const { state, error, plan } = await site.analysed([
    ["pages.json", JSON.stringify({ docs: pages, totalDocs: 2 })],
    ["header.json", JSON.stringify({ globalType: "header", navItems: links })],
    ["footer.json", JSON.stringify(footer)],
  ], "?kind=payload");
  assertEquals(state, "planned", error);

  const menus = plan.settings.map(({ source, value }: Record<string, Json>) => [source, value]);
  assertEquals(menus, [
    ["header.navItems", [
      { label: "By reference", url: "/pages/page-0" },
      { label: "Custom", url: "https://shop.example/" },
      { label: "Below", url: "/pages/page-1" },
    ]],
    ["footer.columns", [{ label: "Team", url: "/team" }]],
  ]);
});

Deno.test("exported lists and globals without filled in documents keep what names and relations tell", async () => {
  await using site = await transferSite();
  const depth = "?depth=0&locale=all";
  const list = (name: string) =>
    ANSWERS.get(`/api/${name}?limit=100&page=1&depth=0&locale=all&draft=true`) ?? null;
  const text = (value: Json) => JSON.stringify(value);
  const { state, id, error, counts } = await site.analysed([
    ...["categories", "authors", "posts"].map((name): [string, string] => [
      `${name}.json`,
      text(list(name)),
    ]),
    ["header.json", text(ANSWERS.get(`/api/globals/header${depth}`) ?? null)],
  ], "?kind=payload");
  assertEquals([state, counts.header], ["planned", 1], error);

  const { report } = await site.run(id);

  assertEquals(report.failed, 0, JSON.stringify(await site.report(id)));
  const titles = new Map<string, string>();
  for (const collection of ["authors", "categories", "posts"]) {
    for (const one of await site.documents(collection)) titles.set(one.id, one.title);
  }
  const { navItems: [, first] } = await documentOf(site, "header");
  assertEquals(titles.get(first.page), "Post 1");
  const post = await documentOf(site, "posts", "Post 1");
  assertEquals([titles.get(post.author), titles.get(post.meta.author)], [
    "Ann Author",
    "Bob Author",
  ]);
  const categories = post.sections.map(({ category }: { category: string }) => category);
  assertEquals(categories.map((one: string) => titles.get(one)), ["Travel", "Food"]);
});
