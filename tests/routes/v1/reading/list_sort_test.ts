/** `sort` of lists: which keys, which order. */
import { patchField } from "../../../../kv/schema/fields.ts";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  ids,
  titles,
} from "../../../support/sites/headless.ts";

async function sorted(test: Headless, sort: string): Promise<string> {
  return titles(await test.v1("GET", `/posts?perPage=100&sort=${encodeURIComponent(sort)}`));
}

Deno.test("GET /{collection} sorts text by code point of its lower-cased NFC form", async () => {
  await using test = await headless();
  const texts = ["b", "A", "a", "Z", "é", "e\u0301a", "z", "10", "9", "😀", "\uffee", "_", ""];
  for (const [index, summary] of texts.entries()) {
    await test.post({ title: String.fromCharCode(65 + index), summary });
  }
  const sortForm = (text: string) => [...text.normalize("NFC").toLowerCase()];
  const compare = (a: string, b: string) => {
    const [left, right] = [sortForm(a), sortForm(b)];
    for (let index = 0; index < Math.min(left.length, right.length); index++) {
      const distance = left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
      if (distance !== 0) return distance;
    }
    return left.length - right.length;
  };
  const places = texts.map((_, index) => index);
  const named = (order: number[]) => order.map((n) => String.fromCharCode(65 + n)).join(" ");
  const up = [...places].sort((a, b) => compare(texts[a]!, texts[b]!) || a - b);
  const down = [...places].sort((a, b) => compare(texts[b]!, texts[a]!) || b - a);
  assertEquals(await sorted(test, "summary"), named(up));
  assertEquals(await sorted(test, "-summary"), named(down));
});

Deno.test("GET /{collection} sorts every sortable field and framing key both ways", async () => {
  await using test = await headless();
  const low = { rating: 1, price: -2.5, featured: false, eventAt: -5, topic: "howto" };
  const high = { rating: 10, price: 1e20, featured: true, eventAt: 5, topic: "news" };
  const other = { homepage: "http://a.test/", contact: "a@a.test" };
  const another = { homepage: "http://b.test/", contact: "b@a.test" };
  await test.post({ title: "low", slug: "a", ...low, ...other });
  test.context.advance(1_000);
  const { id } = await test.post({
    title: "mid",
    slug: "b",
    status: "published",
    ...high,
    ...another,
  });
  test.context.advance(1_000);
  await test.v1("PATCH", `/posts/${id}`, { body: { summary: "touched" } });
  for (const name of [...Object.keys(low), ...Object.keys(other), "createdAt", "updatedAt"]) {
    assertEquals(await sorted(test, name), "low mid", name);
    assertEquals(await sorted(test, `-${name}`), "mid low", name);
  }
  for (const name of ["title", "slug", "status"]) {
    assertEquals(await sorted(test, name), "low mid", name);
    assertEquals(await sorted(test, `-${name}`), "mid low", name);
  }
  assertEquals(await sorted(test, "publishedAt"), "mid low", "without a value: last");
  assertEquals(await sorted(test, "-publishedAt"), "mid low", "without a value: last");
});

Deno.test("GET /{collection} puts documents without a value last in both directions", async () => {
  await using test = await headless();
  for (const [title, rating] of [["none1", null], ["two", 2], ["none2", null], ["one", 1]]) {
    await test.post({ title: title as string, rating: rating as number });
  }
  assertEquals(await sorted(test, "rating"), "one two none1 none2");
  assertEquals(await sorted(test, "-rating"), "two one none2 none1");
  assertEquals(await sorted(test, "rating,-title"), "one two none2 none1");
  assertEquals(await sorted(test, "-rating,title"), "two one none1 none2");
});

Deno.test("GET /{collection} sorts by status in the order of the words", async () => {
  await using test = await headless([]);
  for (const status of ["scheduled", "published", "draft"]) {
    await test.post({ title: status, status });
  }
  assertEquals(await sorted(test, "status"), "draft published scheduled");
});

Deno.test("GET /{collection} sorts by many keys, the first one first", async () => {
  await using test = await headless();
  const rows: [string, string, number, boolean][] = [
    ["a", "x", 1, true],
    ["b", "x", 1, false],
    ["c", "x", 2, true],
    ["d", "w", 2, false],
  ];
  for (const [title, summary, rating, featured] of rows) {
    await test.post({ title, summary, rating, featured });
  }
  assertEquals(await sorted(test, "summary,-rating,featured"), "d c b a");
  assertEquals(await sorted(test, "-summary,rating,-featured"), "a b c d");
  assertEquals(await sorted(test, "featured,summary,title"), "d b a c");
  assertEquals(await sorted(test, "title,title,-title"), "a b c d");
  const every = "topic,-eventAt,featured,price,homepage,contact,cover,related,rating,summary";
  assertEquals(
    await sorted(test, `${every},createdAt,updatedAt,publishedAt,status,-title`),
    "b d a c",
  );
});

Deno.test("GET /{collection} breaks ties by id in the direction of the first key", async () => {
  await using test = await headless();
  for (const title of ["1", "2", "3"]) await test.post({ title, rating: 5, summary: "same" });
  for (const sort of ["rating", "rating,-summary", "createdAt"]) {
    assertEquals(await sorted(test, sort), "1 2 3", sort);
  }
  for (const sort of ["-rating", "-rating,summary", "-createdAt"]) {
    assertEquals(await sorted(test, sort), "3 2 1", sort);
  }
  assertEquals(titles(await test.v1("GET", "/posts")), "3 2 1", "the default");
});

const BAD = ["", "-", "nope", "id", "-id", "--title", "+title", "Title", "title,", ",title"];
BAD.push("title,,slug", " title", "title ", "title;slug", "blocks", "publishAt", "code", "hidden");
BAD.push("body", "extra", "gallery", "seo", "sections", "tags", "seo.heading", "data.rating");
BAD.push("__proto__", "constructor", "field.rating", "rating:desc", "\0", "%00", "*");
for (const sort of BAD) {
  Deno.test(`GET /{collection} refuses to sort by ${JSON.stringify(sort)}`, async () => {
    await using test = await headless();
    const answer = await test.v1("GET", `/posts?sort=${encodeURIComponent(sort)}`);
    assertRefused(answer, 400, "SORT_FIELD_INVALID");
    const wrong = sort.split(",").find((name) => name !== "title")!.replace(/^-/, "");
    assert(answer.json.error.message.endsWith(`: ${wrong}`), answer.json.error.message);
  });
}

Deno.test("GET /{collection} refuses malformed and endless sorts", async () => {
  await using test = await headless();
  const endless = "title,".repeat(2_000) + "title";
  for (const query of ["sort=%ff", "sort=%", "sort=title&sort=x", `sort=${endless}`]) {
    assertRefused(await test.v1("GET", `/posts?${query}`), 400, "SORT_FIELD_INVALID");
  }
  const long = await test.v1("GET", `/posts?sort=${"x".repeat(5_000)}`);
  assertRefused(long, 400, "SORT_FIELD_INVALID");
  assert(long.text.length < 400, "what was asked for is cut");
});

Deno.test("GET /{collection} takes a repeated sort as one list", async () => {
  await using test = await headless();
  for (const [title, rating] of [["B", 1], ["A", 2], ["C", 1]] as const) {
    await test.post({ title, rating });
  }
  const titles = async (query: string) =>
    (await test.v1("GET", `/posts?${query}`)).json.data.map(({ title }: { title: string }) =>
      title
    );
  assertEquals(await titles("sort=rating&sort=-title"), ["C", "B", "A"]);
  assertEquals(await titles("sort=-title&sort=rating"), await titles("sort=-title,rating"));
  const many = Array.from({ length: 33 }, () => "sort=title").join("&");
  assertRefused(await test.v1("GET", `/posts?${many}`), 400, "SORT_FIELD_INVALID");
});

Deno.test("GET /{collection} follows a field that becomes sortable and ceases to be", async () => {
  await using test = await headless();
  for (const [title, hidden] of [["1", "b"], ["2", "a"], ["3", "c"]]) {
    await test.post({ title: title!, hidden: hidden! });
  }
  const { content } = test.deps;
  await patchField(content, UNATTENDED, "posts", "hidden", { sortable: true });
  assertEquals(await sorted(test, "hidden"), "2 1 3");
  await patchField(content, UNATTENDED, "posts", "hidden", { name: "shown" });
  assertEquals(await sorted(test, "-shown"), "3 1 2");
  assertRefused(await test.v1("GET", "/posts?sort=hidden"), 400, "SORT_FIELD_INVALID");
  await patchField(content, UNATTENDED, "posts", "shown", { sortable: false });
  assertRefused(await test.v1("GET", "/posts?sort=shown"), 400, "SORT_FIELD_INVALID");
  assertEquals(ids(await test.v1("GET", "/posts")).length, 3);
});
