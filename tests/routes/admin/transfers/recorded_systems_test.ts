/** What WordPress, Ghost and Strapi answered when they ran, as documents. */
import { answered } from "../../../support/sites/admin_answers.ts";
import { type ApiHandler, apiServer } from "../../../support/transfers/api_server.ts";
import { recordedApi } from "../../../support/transfers/recorded_api.ts";
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";

const localSite = () => transferSite({ guard: { allowLocal: true } });
const GHOST_KEY = `65a1b2c3d4e5f60718293a4b:${"ab".repeat(32)}`;

/** Transfers all that an API has, without fetching files. */
async function transferred(site: TransferSite, body: { [name: string]: Json }) {
  const { id } = answered(await site.admin("POST", "/transfers", body), 202);
  await site.runner.drain();
  const planned = await site.transfer(id);
  assertEquals(planned.state, "planned", planned.error);
  planned.plan.media.hosts = [];
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan: planned.plan }), 200);
  const done = await site.run(id);
  assertEquals([done.state, done.report.failed], ["done", 0]);
  const messages = (await site.report(id, "?level=warning")).flatMap(({ problems }) =>
    problems.map(({ message }: { message: string }) => message)
  );
  return { plan: planned.plan, counts: planned.counts, messages };
}

async function documentsByTitle(site: TransferSite, collection: string) {
  const documents = await site.documents(collection);
  return new Map(documents.map((document) => [document.title, document]));
}

/** The words of rich text, and what its objects are. */
// deno-lint-ignore no-explicit-any
const linesOf = (blocks: any[]): string[] =>
  blocks.map(({ _type, children = [] }) =>
    // deno-lint-ignore no-explicit-any
    _type === "block" ? children.map(({ text }: any) => text).join("") : _type
  );

Deno.test("WordPress with a token: states, passwords, reusable blocks, menus, settings and authors", async () => {
  await using site = await localSite();
  await using server = apiServer(await recordedApi("wordpress_api"));

  const { plan, counts, messages } = await transferred(site, {
    kind: "wordpress",
    url: server.origin,
    token: "admin:abcd efgh",
  });

  // The fourth user has written nothing.
  assertEquals(counts.authors, 3);
  assertEquals(plan.collections.map(({ target }: { target: { name: string } }) => target.name), [
    ...["Posts", "Pages", "Events", "Categories", "Tags", "Topics", "Authors"],
  ]);
  const settings = new Map(
    plan.settings.map(({ key, value }: { key: string; value: Json }) => [key, value]),
  );
  assertEquals([settings.get("site.timezone"), settings.get("site.language")], [
    "Europe/Zurich",
    "en-US",
  ]);
  assertEquals(settings.get("site.menu"), [
    { label: "Parent", url: "/" },
    { label: "Out", url: "https://example.com/" },
  ]);
  const posts = await documentsByTitle(site, "posts");
  const secret = posts.get("Secret");
  assertEquals([secret.status, secret.excerpt], ["draft", null]);
  assertEquals(
    ["Private one", "Future"].map((title) => posts.get(title).status),
    ["draft", "scheduled"],
  );
  const lines = linesOf(posts.get("All blocks & “quotes”").body);
  assert(lines.includes("Reusable note."), lines.join("\n"));
  assert(lines.includes("Annual report"), lines.join("\n"));
  assertEquals(posts.get("Classic post").excerpt ?? null, null);
  const authors = await documentsByTitle(site, "authors");
  const ann = authors.get("Ann O’Neil");
  assertEquals([ann.bio, ann.website], ["Bio of Ann O’Neil", "https://ann.example"]);
  const event = (await documentsByTitle(site, "events")).get("Event 3");
  assertEquals([event.venue, event.speakers, event.open], ["Hall 3", ["S3", "T3"], false]);
  for (
    const message of [
      "1 comments are not taken",
      "Items with a password, kept as drafts: 1",
      "Private items, kept as drafts: 1",
      "Sticky posts, kept like others: 1",
      "Post formats, not kept: 1",
    ]
  ) assert(messages.includes(message), `${message} is not among ${messages.join("\n")}`);
});

Deno.test("WordPress without a token: a post with a password stays hidden", async () => {
  await using site = await localSite();
  await using server = apiServer(await recordedApi("wordpress_api"));

  await transferred(site, { kind: "wordpress", url: server.origin });

  const posts = await documentsByTitle(site, "posts");
  assertEquals(posts.get("Secret").status, "draft");
  // WordPress makes an excerpt of every post that has none.
  assertEquals(posts.get("Classic post").excerpt ?? null, null);
});

Deno.test("WordPress: a token that may not read private posts or drafts reads what it may, and the report says so", async () => {
  await using site = await localSite();
  const recorded = await recordedApi("wordpress_api");
  const refusing: ApiHandler = (url, request) => {
    const { pathname, searchParams } = url;
    const isPrivate = searchParams.get("status")?.includes("private") ?? false;
    if (isPrivate) return Response.json({ code: "rest_invalid_param" }, { status: 400 });
    const isEdit = searchParams.get("context") === "edit";
    if (pathname.endsWith("/events") && isEdit) return Response.json({}, { status: 403 });
    return recorded(url, request);
  };
  await using server = apiServer(refusing);

  const { counts, messages } = await transferred(site, {
    kind: "wordpress",
    url: server.origin,
    token: "ann:abcd",
  });

  assertEquals([counts.post > 0, counts.event > 0], [true, true]);
  assert(messages.includes('Private items of "Posts" are hidden from the token'));
  assert(messages.includes('Drafts and private items of "Events" are hidden from the token'));
});

Deno.test("Ghost: cards, posts for members, paths, and no secrets of the site or its staff", async () => {
  await using site = await localSite();
  await using server = apiServer(await recordedApi("ghost_api"));

  const { plan, counts, messages } = await transferred(site, {
    kind: "ghost",
    url: server.origin,
    token: GHOST_KEY,
  });

  assertEquals([counts.authors, counts.posts], [1, 5]);
  assertEquals(plan.sourceKey, `${new URL(server.origin).host}:ghost`);
  const posts = await documentsByTitle(site, "posts");
  assertEquals(
    ["Members only", "Scheduled", "Draft", "Mobiledoc"].map((title) => posts.get(title).status),
    ["draft", "scheduled", "draft", "published"],
  );
  const { body, seo, id_ } = posts.get("All “cards” & more");
  assertEquals([seo.ogTitle, seo.ogDescription, id_], ["OG T", "OG D", undefined]);
  const lines = linesOf(body);
  for (const line of ["SPONSORED", "CTA text", "Learn", "Header", "Click"]) {
    assert(lines.includes(line), `${line} is not among ${lines.join("\n")}`);
  }
  const callout = body.find(({ _type }: { _type: string }) => _type === "callout");
  assertEquals(linesOf(callout.content), ["💡 Callout bold"]);
  // deno-lint-ignore no-explicit-any
  const links = body.flatMap(({ markDefs = [] }: any) => markDefs.map(({ href }: any) => href));
  assert(links.includes("/about/"), links.join("\n"));
  assert(messages.includes("Posts and pages for members, kept as drafts: 1"));
  const kept = await storedText(site);
  assertEquals(["sk_secret", "owner@old.example"].filter((secret) => kept.includes(secret)), []);
});

/** Everything that transfers keep in the object store. */
async function storedText(site: TransferSite): Promise<string> {
  const { objects } = site.context;
  const texts: string[] = [];
  for await (const { key } of objects.list("")) {
    const bytes = await objects.get(key);
    if (bytes !== null) texts.push(new TextDecoder().decode(bytes));
  }
  return texts.join("\n");
}

Deno.test("Strapi: what components of components hold, single types, and drafts that differ", async () => {
  await using site = await localSite();
  const languages = ["en", "fr", "de"].map((code) => ({ code, name: code }));
  answered(await site.admin("PATCH", "/settings", { languages }), 200);
  await using server = apiServer(await recordedApi("strapi_api"));

  const { plan } = await transferred(site, { kind: "strapi", url: server.origin, token: "t" });

  const fieldsOf = (source: string): string[] =>
    plan.collections.find((one: { source: string }) => one.source === source).fields
      .map(({ from }: { from: string }) => from);
  // The service lists the documents that refer to an author.
  assertEquals(fieldsOf("api::author.author").includes("articles"), false);
  const articles = await documentsByTitle(site, "article");
  const [first, full] = [articles.get("First"), articles.get("Everything “here” & more")];
  assertEquals(full.links.map(({ target }: { target?: string }) => target), [first.id, undefined]);
  const cards = full.zone.find(({ type }: { type: string }) => type === "cards").data.cards;
  const authors = await documentsByTitle(site, "author");
  assertEquals([cards[0].author, cards[0].link.target], [authors.get("Bob Böhm").id, first.id]);
  // Saving a translation changes the times of the other drafts, and nothing else.
  assertEquals([first.hasWorkingCopy, full.hasWorkingCopy], [true, false]);
  const [homepage] = await site.documents("homepage");
  assertEquals(homepage.featured, [full.id, first.id]);
  const { data } = answered(await site.admin("GET", "/collections"), 200);
  const named = data.find(({ slug }: { slug: string }) => slug === "homepage");
  assertEquals(named.singleton, true);
});
