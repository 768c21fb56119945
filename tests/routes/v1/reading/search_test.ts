import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { patchCollection } from "../../../../kv/schema/collections.ts";
import { type Json, UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { secondApp, type TestApp, testApp } from "../../../support/sites/app.ts";

const SEARCH = "/api/v1/search";

/** A site with notes and recipes; every request comes from another address. */
async function searchApp(): Promise<
  TestApp & { publish(slug: string, body: Json): Promise<string> }
> {
  const site = await testApp();
  const fields = [
    { name: "text", type: "text", label: "Text" },
    { name: "story", type: "rich_text", label: "Story" },
  ];
  await site.collection({ slug: "notes", name: "Notes", fields });
  await site.collection({ slug: "recipes", name: "Recipes", fields });
  const token = await site.token();
  let address = 0;
  return {
    ...site,
    call: (method, path, call) =>
      site.call(method, path, { address: `192.0.2.${++address}`, ...call }),
    publish: async (slug, body) => {
      const created = await site.call("POST", `/api/v1/${slug}`, {
        token,
        body: { ...body as { [key: string]: Json }, status: "published" },
      });
      assertEquals(created.status, 201, created.text);
      await site.runner.drain();
      return created.json.id;
    },
  };
}

Deno.test("GET /api/v1/search answers results without a token, cacheable, for any origin", async () => {
  await using site = await searchApp();
  const id = await site.publish("notes", { title: "Rye bread", text: "Bake <b>rye</b> & wait" });

  const answer = await site.call("GET", `${SEARCH}?q=rye`, {
    headers: { origin: "https://reader.example" },
  });

  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "public, max-age=60");
  assertEquals(answer.headers.get("access-control-allow-origin"), "*");
  assertEquals(answer.headers.get("vary"), "Origin");
  assertEquals(answer.headers.get("ratelimit-policy"), '"default";q=60;w=60');
  const { rank, ...hit } = answer.json.data[0];
  assertEquals(hit, {
    documentId: id,
    collectionSlug: "notes",
    title: "Rye bread",
    snippet: "Bake &lt;b&gt;<mark>rye</mark>&lt;/b&gt; &amp; wait",
  });
  assert(rank > 0);
  const { took_ms, ...meta } = answer.json.meta;
  assertEquals(meta, { page: 1, perPage: 20, total: 1 });
  assert(typeof took_ms === "number" && took_ms >= 0);
});

Deno.test("GET /api/v1/search finds words in code, tables and callouts of rich text", async () => {
  await using site = await searchApp();
  const line = (text: string) => ({ _type: "block", children: [{ _type: "span", text }] });
  const story = [
    { _type: "code", code: "let filament = 3;", language: "ts" },
    { _type: "table", rows: [{ cells: [{ value: [line("Tungsten wire")] }] }] },
    { _type: "callout", tone: "note", content: [line("Mind the vacuum")] },
  ];
  const id = await site.publish("notes", { title: "Lamp", story } as never);
  const prose = [line("A wick is trimmed."), { _type: "code", code: "wick(); wick(); wick();" }];
  await site.publish("notes", { title: "Oil", story: prose } as never);

  for (
    const [word, snippet] of [["filament", "let <mark>filament</mark>"], [
      "tungsten",
      "<mark>Tungsten</mark> wire",
    ], ["vacuum", "the <mark>vacuum</mark>"]]
  ) {
    const { data } = (await site.call("GET", `${SEARCH}?q=${word}&exact=true`)).json;
    assertEquals(data.map((hit: { documentId: string }) => hit.documentId), [id], word);
    assert(data[0].snippet.includes(snippet), data[0].snippet);
  }
  // What is said is shown before code that says the word more often.
  const { data } = (await site.call("GET", `${SEARCH}?q=wick`)).json;
  assertEquals(data[0].snippet, "A <mark>wick</mark> is trimmed.");
});

Deno.test("GET /api/v1/search has an ETag that only changes with the results", async () => {
  await using site = await searchApp();
  await site.publish("notes", { title: "Rye bread" });
  const first = await site.call("GET", `${SEARCH}?q=rye`);
  const etag = first.headers.get("etag")!;
  assertMatch(etag, /^W\/"[0-9a-f]{32}"$/);

  const again = await site.call("GET", `${SEARCH}?q=rye`, { headers: { "if-none-match": etag } });
  assertEquals([again.status, again.text, again.headers.get("etag")], [304, "", etag]);
  assertEquals(again.headers.get("cache-control"), "public, max-age=60");
  const head = await site.call("HEAD", `${SEARCH}?q=rye`);
  assertEquals([head.status, head.text, head.headers.get("etag")], [200, "", etag]);

  await site.publish("notes", { title: "More rye" });
  const changed = await site.call("GET", `${SEARCH}?q=rye`, { headers: { "if-none-match": etag } });
  assertEquals(changed.status, 200);
  assertNotEquals(changed.headers.get("etag"), etag);
});

Deno.test("GET /api/v1/search refuses parameters out of range", async () => {
  await using site = await searchApp();
  const many = (count: number) => "&collection=notes".repeat(count);
  for (
    const [query, status, code, field] of [
      ["", 422, "VALIDATION_FAILED", "q"],
      ["?q=", 422, "VALIDATION_FAILED", "q"],
      ["?q=x", 422, "VALIDATION_FAILED", "q"],
      ["?q=%20x%20", 422, "VALIDATION_FAILED", "q"],
      ["?q=%F0%9F%8E%89", 422, "VALIDATION_FAILED", "q"],
      [`?q=${"x".repeat(101)}`, 422, "VALIDATION_FAILED", "q"],
      [`?q=${"x".repeat(10_000)}`, 422, "VALIDATION_FAILED", "q"],
      ["?q=one&q=two", 422, "VALIDATION_FAILED", "q"],
      [`?q=one${many(21)}`, 422, "VALIDATION_FAILED", "collection"],
      ["?q=one&page=0", 400, "PAGINATION_INVALID", undefined],
      ["?q=one&page=-1", 400, "PAGINATION_INVALID", undefined],
      ["?q=one&page=1.5", 400, "PAGINATION_INVALID", undefined],
      ["?q=one&perPage=ten", 400, "PAGINATION_INVALID", undefined],
    ] as const
  ) {
    const answer = await site.call("GET", SEARCH + query);
    assertEquals([answer.status, answer.json.error.code], [status, code], query);
    assertEquals(answer.json.error.details?.[0].field, field, query);
    assertEquals(answer.headers.get("access-control-allow-origin"), "*", query);
    assertEquals(answer.headers.get("cache-control"), "no-store", query);
  }
  for (
    const query of [
      "?q=xy",
      "?q=%20xy%20",
      `?q=${"x".repeat(100)}`,
      `?q=${"%F0%9F%8E%89".repeat(100)}`,
      `?q=one${many(20)}`,
      "?q=%ED%A0%80%ED%A0%80",
      "?q=%00%00",
      "?q=--",
      "?q=%22%22",
      "?q=AND+OR+NOT",
      "?q=one&page=9007199254740991",
      `?q=one&page=${"9".repeat(30)}`,
      "?q=one&collection=",
      "?q=one&collection=unknown",
      "?q=a*+b~1+(c)",
    ] // deno-fmt-ignore
  ) {
    const answer = await site.call("GET", SEARCH + query);
    assertEquals([answer.status, answer.json?.meta.total], [200, 0], query);
  }
  assertEquals((await site.call("POST", SEARCH)).status, 405);
});

Deno.test("GET /api/v1/search pages, and answers at most fifty results", async () => {
  await using site = await searchApp();
  for (let n = 0; n < 52; n++) await site.publish("notes", { title: `Rye ${n}` });

  const page = await site.call("GET", `${SEARCH}?q=rye&perPage=1000`);
  assertEquals([page.json.data.length, page.json.meta.perPage, page.json.meta.total], [50, 50, 52]);
  const second = await site.call("GET", `${SEARCH}?q=rye&perPage=50&page=2`);
  assertEquals(second.json.data.length, 2);
  const past = await site.call("GET", `${SEARCH}?q=rye&page=1000`);
  assertEquals([past.status, past.json.data, past.json.meta.total], [200, [], 52]);
});

Deno.test("GET /api/v1/search searches the named collections that are exposed", async () => {
  await using site = await searchApp();
  await site.publish("notes", { title: "Rye in a note" });
  await site.publish("recipes", { title: "Rye in a recipe" });
  const slugs = async (more: string) => {
    const { json } = await site.call("GET", `${SEARCH}?q=rye${more}`);
    const found = json.data.map((hit: { collectionSlug: string }) => hit.collectionSlug);
    assertEquals(json.meta.total, found.length);
    return found.sort().join(" ");
  };

  assertEquals(await slugs(""), "notes recipes");
  assertEquals(await slugs("&collection=notes"), "notes");
  assertEquals(
    await slugs("&collection=notes&collection=recipes&collection=notes"),
    "notes recipes",
  );
  assertEquals(await slugs("&collection=recipes&collection=unknown"), "recipes");

  await patchCollection(site.deps.content, UNATTENDED, "notes", { exposed: false });
  assertEquals(await slugs(""), "recipes");
  assertEquals(await slugs("&collection=notes"), "");
  await patchCollection(site.deps.content, UNATTENDED, "notes", { exposed: true });
  assertEquals(await slugs("&collection=notes"), "notes");
});

Deno.test("GET /api/v1/search forgets a trashed document at once, in another process too", async () => {
  await using site = await searchApp();
  const other = secondApp(site.context);
  const id = await site.publish("notes", { title: "Rye bread" });
  const total = async () => {
    const answer = await other.app.fetch(
      new Request(`http://localhost${SEARCH}?q=rye`),
      { remoteAddr: { transport: "tcp", hostname: "198.51.100.1", port: 1 } },
    );
    return (await answer.json()).meta.total;
  };
  assertEquals(await total(), 1);

  const trashed = await site.call("DELETE", `/api/v1/notes/${id}`, { token: await site.token() });

  assertEquals([trashed.status, await total()], [204, 0]);
});

Deno.test("GET /api/v1/search says what it searched for instead", async () => {
  await using site = await searchApp();
  await site.publish("notes", { title: "Sourdough" });

  const answer = await site.call("GET", `${SEARCH}?q=sourdoguh`);

  assertEquals([answer.json.meta.corrected, answer.json.meta.total], ["sourdough", 1]);
  assertEquals(answer.json.data[0].snippet, "<mark>Sourdough</mark>");
});

Deno.test("GET /api/v1/search counts against the address, and says when to come back", async () => {
  await using site = await searchApp();
  const statuses: number[] = [];
  for (let n = 0; n < 61; n++) {
    const answer = await site.call("GET", `${SEARCH}?q=rye`, { address: "203.0.113.9" });
    statuses.push(answer.status);
    if (n === 60) assertMatch(answer.headers.get("retry-after")!, /^\d+$/);
  }
  assertEquals(statuses.filter((status) => status === 200).length, 60);
  assertEquals(statuses.at(-1), 429);
});

Deno.test("GET /api/v1/search takes words as they are written with exact=true", async () => {
  await using site = await searchApp();
  await site.publish("notes", { title: "Chrysanthemum" });

  const corrected = await site.call("GET", `${SEARCH}?q=chrysanthenum`);
  assertEquals([corrected.json.meta.total, corrected.json.meta.corrected], [1, "chrysanthemum"]);
  const exact = await site.call("GET", `${SEARCH}?q=chrysanthenum&exact=true`);
  assertEquals([exact.json.data, exact.json.meta.total], [[], 0]);
  assertEquals(Object.hasOwn(exact.json.meta, "corrected"), false);
  for (const exact of ["false", "true"]) {
    const answer = await site.call("GET", `${SEARCH}?q=chrysanthemum&exact=${exact}`);
    assertEquals(answer.json.meta.total, 1);
  }

  for (const query of ["exact=1", "perpage=5", "Exact=true"]) {
    const refused = await site.call("GET", `${SEARCH}?q=one&${query}`);
    assertEquals([refused.status, refused.json.error.code], [400, "PARAMETER_INVALID"]);
  }
});

Deno.test("GET /api/v1/search counts results by collection with facets=collection", async () => {
  await using site = await searchApp();
  for (const title of ["Rye one", "Rye two", "Oats"]) await site.publish("notes", { title });
  await site.publish("recipes", { title: "Rye bread" });
  const facets = async (query: string) => {
    const { json } = await site.call("GET", `${SEARCH}?${query}`);
    return json.meta.facets;
  };
  const [notes, recipes] = [{ value: "notes", count: 2 }, { value: "recipes", count: 1 }];

  assertEquals(await facets("q=rye"), undefined);
  assertEquals(await facets("q=rye&facets=collection&perPage=1&page=3"), {
    collection: [notes, recipes],
  });
  assertEquals(await facets("q=rye&facets=collection&collection=recipes"), {
    collection: [recipes],
  });
  assertEquals(await facets("q=braed&facets=collection"), { collection: [recipes] });
  assertEquals(await facets("q=nothing&facets=collection"), { collection: [] });

  const refused = await site.call("GET", `${SEARCH}?q=rye&facets=status`);
  assertEquals([refused.status, refused.json.error.code], [400, "FACET_INVALID"]);
});

Deno.test("GET /api/v1/search finds other forms of a word while the site wants that", async () => {
  await using site = await searchApp();
  await site.publish("notes", { title: "Weekly", text: "Reporting from the harbour" });
  const found = async (query: string) =>
    (await site.call("GET", `${SEARCH}?q=${query}`)).json.meta.total;
  const want = (stemming: boolean) =>
    site.deps.settings.patch(UNATTENDED, { "search.stemming": stemming });
  assertEquals(await found("reports+harbour"), 0);

  await want(true);
  assertEquals(await found("reports+harbour"), 1);
  assertEquals(await found("reports+harbour&exact=true"), 0);
  await want(false);
  assertEquals(await found("reports+harbour"), 0);
});
