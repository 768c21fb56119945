import { assert, assertEquals, assertMatch } from "@std/assert";
import { searchSegmentPrefix } from "../../../kv/search/search_keys.ts";
import { SearchIndex } from "../../../kv/search/search_index.ts";
import { SearchSite } from "../../support/sites/search_site.ts";

Deno.test("search() finds words in title, text and rich text, whatever their case and diacritics", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Crème brûlée", text: "Eggs and sugar", rich: "Bake it\nslowly" });
  await site.publish({ title: "Something else" });

  for (const text of ["creme", "CRÈME brulee", "eggs", "slowly bake", "sugar crème"]) {
    assertEquals(await site.titles(text), ["Crème brûlée"], text);
  }
  assertEquals(await site.titles("eggs else"), []);
});

Deno.test("search() wants every word, and takes the last one as a prefix as well", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Green", text: "greenhouse plants" });
  await site.publish({ title: "Blue", text: "green plans" });

  assertEquals((await site.titles("green pla")).sort(), ["Blue", "Green"]);
  assertEquals(await site.titles("green plant"), ["Green"]);
  assertEquals(await site.titles("pla green"), []);
  assertEquals((await site.titles('"green"')).sort(), ["Blue", "Green"]);
  assertEquals(await site.titles('"plant"'), []);
});

Deno.test("search() ranks titles over texts, whole words over beginnings", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "On harbours", text: "lamp lamp lamp lamp" });
  await site.publish({ title: "Lampoons", text: "nothing of the kind" });
  await site.publish({ title: "The lamp", text: "nothing of the kind" });

  assertEquals((await site.titles("lamp"))[0], "The lamp");
  assertEquals(await site.titles('"lamp"'), ["The lamp", "On harbours"]);
  const { hits } = await site.search("lamp");
  assert(hits.every(({ rank }, n) => rank > 0 && (n === 0 || rank <= hits[n - 1]!.rank)));
});

Deno.test("search() finds a quoted phrase in order and inside of one field only", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "To be or not", text: "to be that is", rich: "the question" });
  await site.publish({ title: "Or not to", text: "be" });
  await site.compact();
  await site.publish({ title: "Not or to be", text: "is that the question" });

  assertEquals(await site.titles('"to be or not"'), ["To be or not"]);
  assertEquals((await site.titles('"to be"')).sort(), ["Not or to be", "To be or not"]);
  assertEquals(await site.titles('"or not to be"'), []);
  assertEquals(await site.titles('"is the question"'), []);
  assertEquals(await site.titles('"the question" that "is that"'), ["Not or to be"]);
});

Deno.test("search() tries one edit where nothing matches, and says so", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Kubernetes in the garden" });
  await site.compact();
  await site.publish({ title: "Tulips in the garden" });

  for (
    const text of [
      "kubernets",
      "kubernettes",
      "kubernetez",
      "kubrenetes",
      "xubernetes",
      "ubernetes",
    ]
  ) {
    const answer = await site.search(text);
    assertEquals([answer.corrected, answer.total], ["kubernetes", 1], text);
  }
  assertEquals((await site.search("tulpis gardn")).corrected, "tulips garden");
  assertEquals((await site.search("kubernetes")).corrected, undefined);
  assertEquals(await site.titles("tulx"), [], "too short to be corrected");
  assertEquals(await site.titles("kubrnets"), [], "two edits");
  assertEquals(await site.titles('"kubernets"'), [], "quoted words are meant as they are");
});

Deno.test("search() corrects by the words of documents that are there, not of removed ones", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "Reed and heron" });
  const ids: string[] = [];
  for (let n = 0; n < 3; n++) ids.push(await site.publish({ title: "Reeds and herons" }));
  await site.compact();
  for (const id of ids) await site.remove(id);

  for (const text of ["reeds herons", "herons reeds", "reedz herons"]) {
    assertEquals(await site.titles(text), ["Reed and heron"], text);
  }
});

Deno.test("search() counts exactly and pages without repeating or skipping", async () => {
  using site = await SearchSite.open();
  const ids: string[] = [];
  for (let n = 0; n < 60; n++) {
    ids.push(await site.publish({ title: "Equal", text: n % 3 === 0 ? "odd one" : "even" }));
    if (n === 25 || n === 45) await site.compact();
  }

  const found: string[] = [];
  for (let page = 1; page <= 5; page++) {
    const { total, hits } = await site.search("equal", { page, perPage: 13 });
    assertEquals(total, 60);
    found.push(...hits.map(({ documentId }) => documentId));
  }
  // What ranks alike is in order of id.
  const odd = ids.filter((_, n) => n % 3 === 0);
  const even = ids.filter((_, n) => n % 3 !== 0);
  assertEquals([...found].sort(), ids);
  assertEquals(found.filter((id) => odd.includes(id)), odd);
  assertEquals(found.filter((id) => even.includes(id)), even);
  assertEquals((await site.search("equal", { page: 9e15, perPage: 50 })).hits, []);
  assertEquals((await site.search("odd")).total, 20);
});

Deno.test("search() is the same on a page far down as on the first ones", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 1_300; n++) await site.publish({ title: `Row ${n % 7}`, text: "row" });
  await site.compact();
  const pageOf = async (page: number, perPage: number) =>
    (await site.search("row", { page, perPage })).hits.map(({ documentId }) => documentId);

  const firstThousand = await pageOf(1, 1_000);
  const rest = await pageOf(2, 1_000);
  const all = await pageOf(1, 1_300);

  assertEquals([...firstThousand, ...rest], all);
  assertEquals(new Set(all).size, 1_300);
});

Deno.test("search() finds only documents of the collections it is given", async () => {
  using site = await SearchSite.open(3);
  for (let n = 0; n < 9; n++) await site.publish({ title: `Page ${n}`, collection: n % 3 });
  await site.compact();
  await site.publish({ title: "Page of the delta", collection: 1 });
  const [one, two] = site.collections.map(({ id }) => id) as [string, string];

  assertEquals((await site.search("page")).total, 10);
  const { total, hits } = await site.search("page", { collectionIds: [two] });
  assertEquals([total, new Set(hits.map(({ collectionId }) => collectionId))], [4, new Set([two])]);
  assertEquals((await site.search("page", { collectionIds: [one, two, "gone"] })).total, 7);
  assertEquals((await site.search("page", { collectionIds: [] })).total, 0);
});

Deno.test("recordRemoval() takes a document out at once, in every process, until it is published again", async () => {
  using site = await SearchSite.open();
  const other = site.process();
  const id = await site.publish({ title: "Here today" });
  await site.publish({ title: "Here always" });
  const otherTotal = async () =>
    (await other.index.search({ text: "here", ...site.request() })).total;

  for (const compacted of [false, true]) {
    if (compacted) await site.compact();
    assertEquals(await otherTotal(), 2);
    await site.remove(id);
    assertEquals([await otherTotal(), await site.titles("here")], [1, ["Here always"]]);
    if (compacted) await site.compact();
    assertEquals(await otherTotal(), 1);
    await site.publish({ title: "Here again" }, id);
    assertEquals([await otherTotal(), await site.titles("again")], [2, ["Here again"]]);
    assertEquals(await site.titles("today"), []);
  }
});

Deno.test("recordPosting() replaces the document's previous posting", async () => {
  using site = await SearchSite.open();
  const id = await site.publish({ title: "Old title", text: "old words" });
  await site.publish({ title: "New title", text: "new words" }, id);
  assertEquals([await site.titles("old"), await site.titles("new")], [[], ["New title"]]);

  await site.compact();
  await site.publish({ title: "Newest title", text: "newest words" }, id);

  assertEquals([await site.titles('"new"'), await site.titles("newest")], [[], ["Newest title"]]);
  assertEquals((await site.search("title")).total, 1);
});

Deno.test("search() reads a large delta whole", async () => {
  using site = await SearchSite.open();
  const ids: string[] = [];
  for (let n = 0; n < 1_200; n++) ids.push(await site.publish({ title: `Delta ${n}` }));
  for (const id of ids.slice(0, 30)) await site.remove(id);

  assertEquals((await site.search("delta")).total, 1_170);
});

Deno.test("search() finds words anywhere in a long document", async () => {
  using site = await SearchSite.open();
  const filler = Array.from({ length: 60_000 }, (_, n) => `word${n % 9_000}`).join(" ");
  const id = await site.publish({ title: "Long", text: `alpha ${filler} omega end` });
  const check = async () => {
    assertEquals(await site.titles("alpha omega"), ["Long"]);
    assertEquals(await site.titles('"word8999 word0"'), ["Long"]);
    const [hit] = (await site.search("word500")).hits;
    assertMatch(hit!.snippet, /<mark>word500<\/mark>/);
  };

  await check();
  await site.publish({ title: "Long", text: `alpha ${filler} omega end` }, id);
  await site.compact();
  await check();
});

Deno.test("search() answers hostile queries without a match or a failure", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "The one and only", text: "a the of and to in" });
  await site.compact();

  for (
    const text of [
      "?!",
      '""',
      '"',
      "* *",
      "()",
      "AND OR NOT",
      "title:one",
      "one~2",
      "/one/",
      "NEAR(a b)",
      "\ud800\ud800",
      "\udc00one",
      "a".repeat(10_000),
      "🎉🎉",
      "\u0000\u0001",
      "\u0301\u0301",
      "%%%",
      "'; DROP TABLE documents; --",
      "<script>alert(1)</script>",
      "x ".repeat(50),
      "\ufdfa".repeat(100),
      "の".repeat(100),
    ] // deno-fmt-ignore
  ) {
    const startedAt = performance.now();
    const { total, hits } = await site.search(text);
    assert(total === hits.length, text);
    assert(performance.now() - startedAt < 1_000, text);
  }
  assertEquals(
    (await site.search("the of and to")).total,
    1,
    "words that every text has are found",
  );
});

Deno.test("search() starts again when a compaction has deleted what it was reading", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "First segment" });
  await site.compact();
  const opened = await site.index.open();
  for (let n = 0; n < 4; n++) {
    await site.publish({ title: `Segment ${n}` });
    await site.compact();
  }
  const [first] = opened.reader.manifest.segments;
  const chunks = () =>
    site.context.store.listAll({ prefix: searchSegmentPrefix(first!.id) }, { limit: 1 });
  assertEquals((await chunks()).length, 1, "queries may still be reading it");
  site.ms += 100_000;
  await site.compact();
  assertEquals((await chunks()).length, 0);

  assertEquals((await site.index.search({ text: "segment", ...site.request() }, opened)).total, 5);
});

Deno.test("search() keeps an answer in memory until the index changes, in any process", async () => {
  using site = await SearchSite.open();
  await site.publish({ title: "First harbour" });
  await site.publish({ title: "Another harbour" });
  await site.compact();
  let loads = 0;
  const index = new SearchIndex({
    store: site.context.store,
    loadDocuments: (ids) => {
      loads += 1;
      return site.load(ids);
    },
    // Room for the newest of each kind alone: texts do not stay.
    memoryBytesMax: 0,
  });
  const collectionIds = site.collections.map(({ id }) => id);
  const ask = (page: number) => index.search({ text: "harbour", collectionIds, page, perPage: 20 });

  const first = await ask(1);
  assertEquals(await ask(1), first);
  assertEquals(loads, 2, "what is asked for once is not kept");
  assertEquals(await ask(1), first);
  assertEquals(loads, 2);
  assertEquals((await ask(2)).hits, []);

  await site.publish({ title: "Third harbour" });
  assertEquals((await ask(1)).total, 3);
});

Deno.test("search() lets go of a loaded document before it takes the next", async () => {
  using site = await SearchSite.open();
  for (let n = 0; n < 23; n++) await site.publish({ title: `Harbour ${n}` });
  const steps: string[] = [];
  const index = new SearchIndex({
    store: site.context.store,
    loadDocuments: async function* (ids) {
      for (const { state, collection } of site.load(ids)) {
        const title = state.title;
        // The title is asked for when what is shown of the document is kept.
        Object.defineProperty(state, "title", {
          get: () => {
            steps.push(title);
            return title;
          },
        });
        steps.push("load");
        yield { state, collection };
      }
    },
  });
  const collectionIds = site.collections.map(({ id }) => id);

  const { hits } = await index.search({ text: "harbour", collectionIds, page: 1, perPage: 50 });

  assertEquals(new Set(hits.map(({ title }) => title)).size, 23);
  assertEquals(steps.length, 46);
  assertEquals(steps.filter((step, n) => (step === "load") === (n % 2 === 1)), []);
});

Deno.test("search() answers many queries at a time as it answers each alone", async () => {
  using site = await SearchSite.open();
  const words = ["lamp", "harbour", "green", "tea", "north"];
  for (let n = 0; n < 60; n++) {
    const chosen = words.filter((_, index) => (n >> index) % 2 === 0);
    await site.publish({ title: `Number ${n}`, text: chosen.join(" ") });
    if (n % 20 === 19) await site.compact();
  }
  const texts = words.flatMap((one) => words.map((other) => `${one} ${other}`));
  const alone = [];
  for (const text of texts) alone.push(await site.search(text));

  // In another process, which has nothing in memory: the queries wait in between.
  const { index } = site.process();
  const together = await Promise.all(
    texts.map((text) => index.search({ text, ...site.request() })),
  );

  assertEquals(together, alone);
});
