/** Transfers of content of this service: lists, lines of bulk requests, and folders of the mirror. */
import { type TransferSite, transferSite } from "../../../support/transfers/transfer_site.ts";
import { answered } from "../../../support/sites/admin_answers.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import { assertEquals } from "../../../support/harness/assert.ts";

const ID = "01JZ0000000000000000000000";
const OTHER = "01JZ0000000000000000000001";
const one = {
  id: ID,
  slug: "one",
  title: "One",
  status: "published",
  createdAt: 1_600_000_000,
  updatedAt: 1_600_000_000,
  publishedAt: 1_600_000_100,
  tags: ["a"],
  rows: [{ text: "x" }],
  blocks: [],
};
const two = {
  ...one,
  id: OTHER,
  slug: "two",
  title: "Two",
  status: "draft",
  createdAt: 1_600_000_001,
  publishedAt: null,
};

Deno.test("a list as JSON is read as content of this service", async () => {
  await using site = await transferSite();
  const list = JSON.stringify({ data: [one, two], meta: { page: 1, perPage: 20, total: 2 } });
  const { id, state, plan, counts } = await site.analysed([["notes.json", list]], "?kind=cms");
  assertEquals([state, counts], ["planned", { notes: 2 }]);
  assertEquals(
    plan.collections[0].fields.map(({ to }: { to: string }) => to),
    ["tags", "rows"],
  );
  assertEquals((await site.run(id)).report.created, 2);
  const documents = await site.documents("notes");
  assertEquals(
    documents.map(({ title, slug, status, createdAt }) => [title, slug, status, createdAt]),
    [["One", "one", "published", 1_600_000_000], ["Two", "two", "draft", 1_600_000_001]],
  );
  assertEquals(documents[0].publishedAt, 1_600_000_100);
});

Deno.test("lines of a bulk request are documents of a collection named after their file", async () => {
  await using site = await transferSite();
  const lines = [
    '{"op": "create", "body": {"title": "One", "rating": 3}}',
    '{"op": "upsert", "slug": "two", "body": {"title": "Two", "rating": 4}}',
    '{"op": "trash", "slug": "three"}',
  ].join("\n");
  const { id, kind, counts } = await site.analysed([["reviews.ndjson", lines]]);
  assertEquals([kind, counts], ["cms", { reviews: 3 }]);
  const { report } = await site.run(id);
  assertEquals([report.created, report.skipped], [2, 1]);
  const titles = (await site.documents("reviews")).map(({ title, rating }) => [title, rating]);
  assertEquals(titles.sort(), [["One", 3], ["Two", 4]]);
});

const LANGUAGES = { languages: [{ code: "en" }, { code: "fr" }] };

/** The only document of a collection, with its French translation. */
async function withFrench(site: TransferSite, collection: string) {
  const documents = await site.documents(collection);
  assertEquals(documents.length, 1);
  const french = await site.admin("GET", `/documents/${documents[0].id}/translations/fr`);
  return [documents[0].title, answered(french, 200)];
}

Deno.test("a list with `language=*` brings the translations of its documents, each with its own status", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const own = { title: "Un", slug: "un", status: "draft", publishedAt: null, note: "mot" };
  const document = { ...one, note: "word", _language: "en", _translations: { fr: own } };
  for (
    const [name, text] of [
      ["notes.json", JSON.stringify({ data: [document], meta: { total: 1 } })],
      ["lines.ndjson", JSON.stringify(document)],
    ] as const
  ) {
    const { id, kind, plan } = await site.analysed([[name, text]]);
    assertEquals([kind, plan.languages], ["cms", { en: null, fr: "fr" }]);
    assertEquals((await site.run(id)).report.failed, 0);
    const [title, french] = await withFrench(site, name.split(".")[0]!);
    assertEquals(
      [title, french.title, french.slug, french.status, french.note],
      ["One", "Un", "un", "draft", "mot"],
    );
    assertEquals((await site.run(id)).report.unchanged, 2);
  }
});

Deno.test("lines of a bulk request that translate belong to the document that they name", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const lines = [
    '{"op": "create", "body": {"title": "One", "slug": "one", "text": "Hi"}}',
    '{"op": "translate", "slug": "one", "language": "fr", "body": {"title": "Un", "text": "Salut"}}',
    '{"op": "untranslate", "slug": "one", "language": "de"}',
  ].join("\n");
  const { id, counts } = await site.analysed([["reviews.ndjson", lines]]);
  assertEquals(counts, { reviews: 2 });
  const { report } = await site.run(id);
  assertEquals([report.created, report.failed], [2, 0]);
  const [title, french] = await withFrench(site, "reviews");
  assertEquals([title, french.title, french.text], ["One", "Un", "Salut"]);
});

Deno.test("a folder of the mirror has a collection for each of its folders", async () => {
  await using site = await transferSite();
  const file = (document: unknown) => JSON.stringify(document, null, 2);
  const mirror = await zipOf({
    "mirror/.cursor": "0000abc",
    [`mirror/posts/${ID}.json`]: file(one),
    [`mirror/pages/${OTHER}.json`]: file(two),
  });
  const { id, kind, counts } = await site.analysed([["mirror.zip", mirror]]);
  assertEquals([kind, counts], ["cms", { posts: 1, pages: 1 }]);
  assertEquals((await site.run(id)).report.created, 2);
  const [post] = await site.documents("posts");
  assertEquals([post.title, post.rows], ["One", [{ text: "x" }]]);
});
