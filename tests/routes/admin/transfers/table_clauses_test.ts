/** Transfers of tables: languages in columns, cells with JSON, names, defaults, and what a plan may not say. */
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { zipOf } from "../../../support/transfers/archives.ts";
import { transferSite } from "../../../support/transfers/transfer_site.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

const LANGUAGES = { languages: [{ code: "en" }, { code: "fr", path: "fr" }] };

Deno.test("columns of languages without one for the original are read by the site's language", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const csv = "title:fr,title:en,id,text__fr,text__en,price__usd,price\nBonjour,Hello,1,f,e,5,4\n";
  const planned = await site.analysed([["words.csv", csv]]);
  const [words] = planned.plan.collections;
  assertEquals(planned.plan.languages, { fr: "fr" });
  assertEquals(words.title, "title:en");
  assertEquals(
    words.fields.map(({ from, to, localized = false }: Record<string, unknown>) => [
      from,
      to,
      localized,
    ]),
    // `usd` is no language.
    [["text__en", "text", true], ["price__usd", "price__usd", false], ["price", "price", false]],
  );
  await site.run(planned.id);
  const [document] = await site.documents("words");
  assertEquals([document.title, document.text], ["Hello", "e"]);
  const french = answered(
    await site.admin("GET", `/documents/${document.id}/translations/fr`),
    200,
  );
  assertEquals([french.title, french.text], ["Bonjour", "f"]);
});

Deno.test("rows with the same id in several languages are one document if the plan names their language", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const csv = "id,lang,title\n1,en,Hello\n1,fr,Bonjour\n2,en,World\n";
  const { id, plan } = await site.analysed([["greetings.csv", csv]]);
  const [greetings] = plan.collections;
  Object.assign(greetings, { sourceId: "id", language: "lang", fields: [] });
  plan.languages = { fr: "fr" };
  answered(await site.admin("PATCH", `/transfers/${id}`, { plan }), 200);
  assertEquals((await site.run(id, { dryRun: true })).report.created, 3);
  const done = await site.run(id);
  assertEquals([done.report.created, done.report.failed], [3, 0]);
  const documents = await site.documents("greetings");
  assertEquals(documents.map(({ title }) => title).sort(), ["Hello", "World"]);
  const hello = documents.find(({ title }) => title === "Hello");
  const path = `/documents/${hello.id}/translations/fr`;
  assertEquals(answered(await site.admin("GET", path), 200).title, "Bonjour");
  assertEquals((await site.run(id)).report.unchanged, 3);
});

Deno.test("the CSV of a list comes back with the types that it had", async () => {
  await using site = await transferSite();
  const body = [{ _type: "block", style: "normal", children: [{ _type: "span", text: "Hi" }] }];
  const fields = [
    { name: "body", label: "Body", type: "rich_text" },
    { name: "tags", label: "Tags", type: "multi_select", options: { choices: ["a", "b"] } },
    {
      name: "size",
      label: "Size",
      type: "group",
      options: { fields: [{ name: "w", type: "number" }] },
    },
  ];
  answered(await site.admin("POST", "/collections", { slug: "own", name: "Own", fields }), 201);
  const row = { collection: "own", title: "One", body, tags: ["a"], size: { w: 3 } };
  answered(await site.admin("POST", "/documents", row), 201);
  const { text } = await site.admin("GET", "/documents?collection=own&format=csv");
  const { id, plan } = await site.analysed([["copies.csv", text]]);
  assertEquals(
    plan.collections[0].fields.map(({ to, type }: Record<string, unknown>) => `${to} ${type}`),
    ["body rich_text", "tags multi_select", "size group"],
  );
  await site.run(id);
  const [copy] = await site.documents("copies");
  assertEquals([copy.tags, copy.size, copy.body[0].children[0].text], [["a"], { w: 3 }, "Hi"]);
});

Deno.test("names that objects have of themselves, rows that are no objects, and UTF-16 without a mark", async () => {
  await using site = await transferSite();
  const json = '[{"id": 1, "title": "One", "constructor": {"a": 1}, "hasOwnProperty": "x"}, 5]';
  const odd = await site.analysed([["odd.json", json]]);
  const done = await site.run(odd.id);
  assertEquals([done.state, done.report.created, done.report.failed], ["done", 1, 1]);
  const [failed] = await site.report(odd.id, "?level=failed");
  assertEquals(failed.problems[0].message, "Element 2 is no JSON object");
  assertEquals((await site.documents("odd"))[0].hasOwnProperty_, "x");

  const units = Uint16Array.from("id,title\n1,Größe\n", (letter) => letter.charCodeAt(0));
  const wide = await site.analysed([["wide.csv", new Uint8Array(units.buffer)]]);
  assertEquals([wide.counts, wide.plan.collections[0].title], [{ wide: 1 }, "title"]);
});

Deno.test("what identifies a source without a name is the file that was uploaded", async () => {
  await using site = await transferSite();
  const zip = await zipOf({ "tables/a.csv": "id,title\n1,A\n" });
  const { plan } = await site.analysed([["export.zip", zip]]);
  assertEquals(plan.sourceKey, "export.zip:csv");
});

Deno.test("a plan with rows that are listed twice, types that differ, or a default that does not fit is refused", async () => {
  await using site = await transferSite();
  const { id, plan } = await site.analysed([
    ["a.csv", "id,title,n\n1,A,1\n"],
    ["b.csv", "id,title,n\n1,B,x\n"],
  ]);
  const [a, b] = plan.collections;
  const patch = (collections: unknown) =>
    site.admin("PATCH", `/transfers/${id}`, { plan: { ...plan, collections } } as never);
  const refused = async (collections: unknown, detail: string) =>
    assertRefusal(await patch(collections), 422, "VALIDATION_FAILED", [detail]);
  await refused([a, a], "plan.collections.1.source NOT_UNIQUE");
  const shared = { ...b, target: a.target };
  await refused([a, shared], "plan.collections.1.fields.0.type INVALID_TYPE");
  const wrong = { ...a.fields[0], default: "many" };
  const field = "plan.collections.0.fields.0.default INVALID_TYPE";
  await refused([{ ...a, fields: [wrong] }, b], field);
  answered(await patch([{ ...a, fields: [{ ...wrong, default: 3 }] }, b]), 200);
});

Deno.test("references of a plan lead to collections that are there, and a run that fails says where", async () => {
  await using site = await transferSite();
  answered(await site.admin("POST", "/collections", { slug: "colors", name: "Colors" }), 201);
  const { id, plan } = await site.analysed([["a.csv", "id,title,n\n1,A,x\n"]]);
  const [a] = plan.collections;
  const referring = (type: string, options: Json) =>
    site.admin("PATCH", `/transfers/${id}`, {
      plan: { ...plan, collections: [{ ...a, fields: [{ ...a.fields[0], type, options }] }] },
    });
  const place = "plan.collections.0.fields.0.options.collection";
  assertRefusal(
    await referring("reference", { collection: "none" }),
    422,
    "VALIDATION_FAILED",
    [`${place} INVALID_CHOICE`],
  );
  assertRefusal(
    await referring("references", { collections: ["colors", "none"] }),
    422,
    "VALIDATION_FAILED",
    [`${place}s.1 INVALID_CHOICE`],
  );
  answered(await referring("references", { collections: ["colors"] }), 200);
  assertEquals((await site.admin("DELETE", "/collections/colors")).status, 204);
  const failed = await site.run(id);
  assertEquals(failed.state, "failed");
  assert(failed.error.includes("options.collections.0: "), failed.error);
});

Deno.test("translations in columns were published when their row was", async () => {
  await using site = await transferSite();
  answered(await site.admin("PATCH", "/settings", LANGUAGES), 200);
  const csv = "id,title,title:fr,status,published_at\n1,Hello,Bonjour,published,2020-02-02\n";
  const planned = await site.analysed([["greetings.csv", csv]]);
  await site.run(planned.id);
  const [{ id, publishedAt }] = await site.documents("greetings");
  const french = answered(await site.admin("GET", `/documents/${id}/translations/fr`), 200);
  const then = Date.UTC(2020, 1, 2) / 1000;
  assertEquals([publishedAt, french.status, french.publishedAt], [then, "published", then]);
});

Deno.test("a second source with the name of a collection fits its plan to the fields that are there", async () => {
  await using site = await transferSite();
  const first = await site.analysed([["posts.csv", "id,title,tags\n1,A,3\n"]]);
  await site.run(first.id);
  const rows = JSON.stringify([{ id: 9, title: "B", tags: ["x"] }]);
  const second = await site.analysed([["posts.json", rows]]);
  assertEquals(second.plan.collections[0].fields[0].to, "tags_2");
  assertEquals((await site.run(second.id)).report.created, 1);
});
