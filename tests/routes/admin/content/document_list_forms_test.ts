/** The admin's list takes the query language of the headless API: one parser, one index, one projection. */
import { testApp } from "../../../support/sites/app.ts";
import { answered, assertRefusal } from "../../../support/sites/admin_answers.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import { formOf } from "../../../support/sites/media_app.ts";
import { IMAGES } from "../../../support/sites/images.ts";

/** Four notes; one refers to a draft, one to a trashed note, and one has a cover. */
async function site() {
  const test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "notes",
    name: "Notes",
    fields: [
      { name: "rating", label: "rating", type: "number", indexed: true, sortable: true },
      {
        name: "kind",
        label: "kind",
        type: "select",
        indexed: true,
        options: { choices: ["a", "b"] },
      },
      {
        name: "next",
        label: "next",
        type: "reference",
        indexed: true,
        options: { collection: "notes" },
      },
      { name: "cover", label: "cover", type: "media" },
      { name: "body", label: "body", type: "rich_text" },
    ],
  });
  await test.collection({ slug: "pages", name: "Pages" });
  const make = async (body: Record<string, unknown>): Promise<string> =>
    answered(await test.admin("POST", "/documents", { collection: "notes", ...body } as never), 201)
      .id;
  const upload = await test.admin("POST", "/media", undefined, {
    raw: formOf(IMAGES["image/png"] as Uint8Array<ArrayBuffer>),
  });
  const cover = answered(upload, 201).id;
  const draft = await make({ title: "Draft", rating: 1, kind: "a", cover });
  const gone = await make({ title: "Gone", rating: 9 });
  const body = [{ _type: "block", style: "h2", children: [{ _type: "span", text: "Head" }] }];
  await make({ title: "First", rating: 2, kind: "b", next: draft, body });
  await make({ title: "Second", rating: 3, kind: "b", next: gone, status: "published" });
  await test.admin("DELETE", `/documents/${gone}`);
  await make({ collection: "pages", title: "Page" });
  return { test, gone, cover };
}

Deno.test("GET /api/admin/documents takes operators, JSON filters and match", async () => {
  const { test } = await site();
  await using _closed = test;
  const found = async (query: string) =>
    answered(await test.admin("GET", `/documents?collection=notes&sort=title&${query}`), 200).data
      .map(({ title }: { title: string }) => title).join(" ");
  const json = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`;

  assertEquals(await found("field.rating[gte]=2"), "First Second");
  assertEquals(await found("field.kind[ne]=b"), "Draft");
  assertEquals(await found("field.title[startsWith]=SEC"), "Second");
  assertEquals(await found(json({ or: [{ rating: 1 }, { not: { kind: "b" } }] })), "Draft");
  assertEquals(await found(json({ next: { match: { rating: 1 } } })), "First");
  assertEquals(await found(json({ next: { match: { rating: 9 } } })), "", "it is in the trash");
});

Deno.test("GET /api/admin/documents counts facets and walks by cursor", async () => {
  const { test } = await site();
  await using _closed = test;
  const { meta, data } = answered(
    await test.admin("GET", "/documents?collection=notes&facets=kind,rating&perPage=2&cursor="),
    200,
  );
  assertEquals([data.length, meta.total, meta.page], [2, 3, undefined]);
  assertEquals(meta.facets.kind, [{ value: "b", count: 2 }, { value: "a", count: 1 }]);
  assertEquals(meta.facets.rating, { min: 1, max: 3, sum: 6, avg: 2, count: 3 });
  const next = answered(
    await test.admin("GET", `/documents?collection=notes&perPage=2&cursor=${meta.nextCursor}`),
    200,
  );
  assertEquals([next.data.length, next.meta.nextCursor], [1, null]);
});

Deno.test("GET /api/admin/documents picks keys, includes what people see, and writes rich text", async () => {
  const { test, gone, cover } = await site();
  await using _closed = test;
  const query = "collection=notes&sort=title&fields=title,hasWorkingCopy,collection" +
    "&include=next.cover&richText=markdown";
  const { data } = answered(await test.admin("GET", `/documents?${query}`), 200);

  const [draft, first, second] = data;
  assertEquals(Object.keys(draft), ["id", "title", "next", "collection", "hasWorkingCopy"]);
  assertEquals([first.next.title, first.next.status, first.next.cover.id], [
    "Draft",
    "draft",
    cover,
  ]);
  assertEquals([first.next.collection, first.next.hasWorkingCopy], ["notes", false]);
  assertEquals(second.next, gone, "what is in the trash stays an id");
  const whole = answered(
    await test.admin("GET", "/documents?collection=notes&richText=html&field.title=First"),
    200,
  );
  assertEquals(whole.data[0].body, "<h2>Head</h2>");
});

Deno.test("GET /api/admin/documents over several collections knows what all of them have", async () => {
  const { test } = await site();
  await using _closed = test;
  const { data } = answered(
    await test.admin("GET", "/documents?fields=title,collection&sort=title"),
    200,
  );
  assertEquals(data.map(({ title }: { title: string }) => title), [
    "Draft",
    "First",
    "Page",
    "Second",
  ]);
  for (
    const [query, code] of [
      ["fields=rating", "FIELD_INVALID"],
      ["include=next", "INCLUDE_INVALID"],
      ["facets=kind", "FACET_INVALID"],
      ["collection=notes&fields=nope", "FIELD_INVALID"],
      ["collection=notes&field.kind[gt]=a", "FILTER_OPERATOR_INVALID"],
      ["cursor=x", "CURSOR_INVALID"],
      ["perpage=3", "PARAMETER_INVALID"],
    ] as const
  ) assertRefusal(await test.admin("GET", `/documents?${query}`), 400, code);
});
