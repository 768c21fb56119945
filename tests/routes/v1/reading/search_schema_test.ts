import type { Hono } from "@hono/hono";
import { assertEquals } from "@std/assert";
import { jobRequestKey } from "../../../../kv/jobs/job_keys.ts";
import { searchRemovalPrefix } from "../../../../kv/search/search_keys.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { compactSearch } from "../../../../kv/search/segments/compaction.ts";
import { recordRemoval } from "../../../../kv/search/segments/posting.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { callApp, secondApp, type TestApp, testApp } from "../../../support/sites/app.ts";

interface Found {
  total: number;
  snippets: string[];
}

let address = 0;

/** Searches from an address of its own each time. */
async function search({ app }: { app: Hono }, query: string): Promise<Found> {
  const from = { address: `198.51.100.${++address}` };
  const { status, json, text } = await callApp(app, "GET", `/api/v1/search?${query}`, from);
  assertEquals(status, 200, text);
  return {
    total: json.meta.total,
    snippets: json.data.map((hit: { snippet: string }) => hit.snippet),
  };
}

const NOTHING: Found = { total: 0, snippets: [] };
/** More than between two runs of COMPACT_SEARCH. */
const GAP_MS = 2_000;

async function published(site: TestApp, slug: string, body: Record<string, Json>) {
  const token = await site.token();
  const created = await site.call("POST", `/api/v1/${slug}`, {
    token,
    body: { ...body, status: "published" },
  });
  assertEquals(created.status, 201, created.text);
  return created.json.id as string;
}

/** A site with a note; `compact` puts its posting into a segment. */
async function noted({ compact }: { compact: boolean }): Promise<TestApp> {
  const site = await testApp();
  await site.setUp();
  await site.collection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "body", type: "text", label: "Body" },
      { name: "secret", type: "text", label: "Secret" },
    ],
  });
  await published(site, "notes", { title: "Hello", body: "visible words", secret: "zebrafish" });
  await published(site, "notes", { title: "Other", body: "more words", secret: "visible zebra" });
  await site.runner.drain();
  if (compact) { while (await compactSearch(site.context, { pendingMin: 1 })); }
  return site;
}

for (const compact of [false, true]) {
  const where = compact ? "a segment" : "the delta";
  Deno.test(`DELETE of a field takes its words out of search with its commit, from ${where}`, async () => {
    await using site = await noted({ compact });
    assertEquals((await search(site, "q=zebrafish")).total, 1);
    assertEquals((await search(site, "q=visible")).total, 2);
    const other = secondApp(site.context);
    assertEquals((await search(other, "q=words")).total, 2);

    const removed = await site.admin("DELETE", "/collections/notes/fields/secret");
    assertEquals(removed.status, 204, removed.text);

    // No job has run yet.
    for (const process of [site, other]) {
      assertEquals(await search(process, "q=zebrafish&exact=true"), NOTHING);
      assertEquals(await search(process, "q=zebrafisch"), NOTHING, "nor as a corrected spelling");
      assertEquals(await search(process, "q=visible"), {
        total: 1,
        snippets: ["<mark>visible</mark> words"],
      });
      assertEquals((await search(process, "q=words")).snippets.toSorted(), [
        "more <mark>words</mark>",
        "visible <mark>words</mark>",
      ]);
      assertEquals((await search(process, "q=Hello")).snippets, [
        "<mark>Hello</mark> – visible words",
      ]);
    }
    await site.runner.drain();
    for (const process of [site, other]) {
      assertEquals(await search(process, "q=zebrafish&exact=true"), NOTHING);
      assertEquals((await search(process, "q=visible")).total, 1);
    }
  });
}

Deno.test("search counts and pages documents with removed fields as it finds them", async () => {
  await using site = await noted({ compact: true });
  for (let n = 0; n < 30; n++) {
    await published(site, "notes", {
      title: `Note ${n}`,
      body: n % 2 === 0 ? "kept lamp" : "nothing",
      secret: "lamp",
    });
  }
  await site.runner.drain();
  await site.admin("DELETE", "/collections/notes/fields/secret");

  const pages = [];
  for (const page of [1, 2, 3]) pages.push(await search(site, `q=lamp&perPage=6&page=${page}`));

  assertEquals(pages.map(({ total }) => total), [15, 15, 15]);
  assertEquals(pages.map(({ snippets }) => snippets.length), [6, 6, 3]);
  assertEquals(new Set(pages.flatMap(({ snippets }) => snippets)).size, 1);
});

Deno.test("search follows a collection that is not exposed any more, and one that comes back", async () => {
  await using site = await noted({ compact: true });
  const other = secondApp(site.context);
  assertEquals((await search(other, "q=visible")).total, 2);

  await site.admin("PATCH", "/collections/notes", { exposed: false });
  for (const process of [site, other]) assertEquals(await search(process, "q=visible"), NOTHING);

  await site.admin("PATCH", "/collections/notes", { exposed: true });
  for (const process of [site, other]) assertEquals((await search(process, "q=visible")).total, 2);
});

Deno.test("search follows a field that is renamed, and one that becomes a number", async () => {
  await using site = await noted({ compact: true });
  await site.admin("PATCH", "/collections/notes/fields/body", { name: "text" });
  assertEquals((await search(site, "q=words")).total, 2);

  const migrated = await site.admin("PATCH", "/collections/notes/fields/secret", {
    type: "number",
    options: {},
  });
  assertEquals(migrated.status, 202, migrated.text);
  await site.runner.drain();
  assertEquals(await search(site, "q=zebrafish&exact=true"), NOTHING);
});

Deno.test("search finds words inside repeaters, groups, blocks and the block tree", async () => {
  await using site = await testApp();
  await site.setUp();
  await site.admin("POST", "/blocks", {
    name: "quote",
    label: "Quote",
    fields: [
      { name: "said", type: "text", label: "Said" },
      { name: "long", type: "rich_text", label: "Long" },
    ],
  });
  const nested = [{ name: "label", type: "text", label: "Label" }];
  await site.collection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "rows", type: "repeater", label: "Rows", options: { fields: nested } },
      { name: "box", type: "group", label: "Box", options: { fields: nested } },
      { name: "parts", type: "block", label: "Parts" },
    ],
  });
  const id = await published(site, "notes", {
    title: "Nested",
    rows: [{ label: "marigold" }, { label: "second tulip" }],
    box: { label: "primrose" },
    parts: [{ type: "quote", data: { said: "foxglove" } }],
  });
  const long = [{
    _type: "block",
    _key: "a",
    style: "normal",
    markDefs: [],
    children: [{ _type: "span", _key: "b", text: "a delphinium grows", marks: [] }],
  }];
  const patched = await site.admin("PATCH", `/documents/${id}`, {
    blocks: [{ type: "quote", id: "one", data: { said: "honeysuckle", long } }],
  });
  assertEquals(patched.status, 200, patched.text);
  await site.admin("POST", `/documents/${id}/publish`);
  await site.runner.drain();

  for (
    const word of ["marigold", "tulip", "primrose", "foxglove", "honeysuckle", "delphinium"]
  ) {
    const { total, snippets } = await search(site, `q=${word}`);
    assertEquals([total, snippets[0]!.includes(`<mark>${word}</mark>`)], [1, true], word);
  }
  assertEquals(await search(site, "q=%22marigold+second%22"), NOTHING, "rows are no phrase");

  await site.admin("PATCH", "/blocks/quote", {
    fields: [{ name: "said", type: "text", label: "Said" }],
  });
  assertEquals(await search(site, "q=delphinium&exact=true"), NOTHING);
  assertEquals((await search(site, "q=honeysuckle")).total, 1);
  await site.admin("DELETE", "/blocks/quote");
  assertEquals(await search(site, "q=honeysuckle&exact=true"), NOTHING);
  assertEquals((await search(site, "q=marigold")).total, 1);
});

Deno.test("a document that goes asks for a compaction, now and then", async () => {
  await using site = await noted({ compact: true });
  const { store } = site.context;
  site.context.advance(GAP_MS);
  await site.runner.drain();
  const { json } = await site.admin("GET", "/documents");

  for (const luck of [0.99, 0]) {
    Object.defineProperty(store, "random", { value: () => luck });
    const { id } = json.data[luck === 0 ? 0 : 1];
    const answer = await site.admin("POST", `/documents/${id}/unpublish`, {});
    assertEquals(answer.status, 202, answer.text);
    const asked = await store.get(jobRequestKey("search"));
    assertEquals(asked.value !== null, luck === 0);
  }
});

Deno.test("many removals request a compaction, from any process that reads them", async () => {
  await using site = await noted({ compact: true });
  const { store } = site.context;
  const isAsked = async () => (await store.get(jobRequestKey("search"))).value !== null;
  // A publish asks by chance, and there is a gap between two compactions.
  site.context.advance(GAP_MS);
  await site.runner.drain();
  assertEquals(await isAsked(), false);
  for (let n = 0; n < 3; n++) {
    const operation = new Operation();
    for (let one = 0; one < 200; one++) {
      recordRemoval(operation, "c", site.context.newId(site.context.now()));
    }
    await store.commit(operation);
  }

  assertEquals((await search(site, "q=visible")).total, 2);

  assertEquals(await isAsked(), true);
  site.context.advance(GAP_MS);
  await site.runner.drain();
  assertEquals((await store.listAll({ prefix: searchRemovalPrefix })).length, 0);
});
