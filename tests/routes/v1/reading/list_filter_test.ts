/** `field.<name>` and `status` filters of lists. */
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  type Headless,
  headless,
  NO_ID,
  titles,
  VALUES,
} from "../../../support/sites/headless.ts";

async function found(test: Headless, query: string): Promise<string> {
  return titles(await test.v1("GET", `/posts?perPage=100&sort=title&${query}`));
}

const MATCHING: [string, Record<string, unknown>, string][] = [
  ["summary", { summary: "Two words, é & 😀" }, encodeURIComponent("Two words, é & 😀")],
  ["summary", { summary: "plus sign" }, "plus+sign"],
  ["summary", { summary: "" }, ""],
  ["summary", { summary: "a=b" }, "a=b"],
  ["summary", { summary: "\ufffd" }, "%EF%BF%BD"],
  ["rating", { rating: 0 }, "0"],
  ["rating", { rating: 7 }, "7"],
  ["rating", { rating: 7 }, "7.0"],
  ["price", { price: -2.5 }, "-2.5"],
  ["price", { price: 1e20 }, "1e20"],
  ["featured", { featured: false }, "false"],
  ["featured", { featured: true }, "true"],
  ["eventAt", { eventAt: 1_700_000_000 }, "1700000000"],
  ["topic", { topic: "howto" }, "howto"],
  ["tags", { tags: ["b", "c"] }, "c"],
  [
    "homepage",
    { homepage: "https://x.test/?a=1&b=2" },
    encodeURIComponent("https://x.test/?a=1&b=2"),
  ],
  ["contact", { contact: "ada@example.org" }, "ada%40example.org"],
  ["cover", { cover: NO_ID }, NO_ID],
  ["related", { related: NO_ID }, NO_ID],
];
for (const [name, values, text] of MATCHING) {
  Deno.test(`GET /{collection}?field.${name}=${text} finds ${JSON.stringify(values)}`, async () => {
    await using test = await headless();
    await test.post({ title: "without" });
    await test.post({ title: "with", ...(values as typeof VALUES) });
    const answer = await test.v1("GET", `/posts?field.${name}=${text}`);
    assertEquals(titles(answer), "with");
    assertEquals(answer.json.meta, { page: 1, perPage: 20, total: 1 });
  });
}

Deno.test("GET /{collection} filters: several fields all, several values of one any", async () => {
  await using test = await headless();
  for (const rating of [1, 2, 3]) {
    for (const topic of ["news", "howto"]) {
      await test.post({ title: `${rating}${topic[0]}`, rating, topic, tags: ["a", "b"] });
    }
  }
  assertEquals(await found(test, "field.rating=1"), "1h 1n");
  assertEquals(await found(test, "field.rating=1&field.topic=news"), "1n");
  assertEquals(await found(test, "field.rating=1&field.rating=3"), "1h 1n 3h 3n");
  assertEquals(await found(test, "field.rating=1&field.topic=news&field.rating=3"), "1n 3n");
  assertEquals(await found(test, "field.topic=news&field.topic=howto&field.rating=2"), "2h 2n");
  assertEquals(await found(test, "field.tags=a&field.rating=1"), "1h 1n");
  assertEquals(await found(test, "field.tags=c"), "");
  assertEquals(await found(test, "field.tags=b&field.tags=c&field.rating=2"), "2h 2n");
  assertEquals(await found(test, "field.rating=1&field.rating=1"), "1h 1n");
});

Deno.test("GET /{collection} filters by status and fields together, under what may be seen", async () => {
  await using test = await headless();
  for (const status of ["draft", "published", "scheduled"]) {
    for (const rating of [1, 2]) await test.post({ title: `${status}${rating}`, status, rating });
  }
  assertEquals(await found(test, "status=published&field.rating=1"), "published1");
  assertEquals(await found(test, "status=draft"), "draft1 draft2");
  assertEquals(await found(test, "field.rating=2"), "draft2 published2 scheduled2");
  const token = await test.token({ scopes: ["posts:read"] });
  const seen = await test.v1("GET", "/posts?field.rating=2", { token });
  assertEquals([titles(seen), seen.json.meta.total], ["published2", 1]);
  const drafts = await test.v1("GET", "/posts?field.rating=2&status=draft", { token });
  assertEquals([titles(drafts), drafts.json.meta.total], ["", 0]);
});

const UNKNOWN = ["nope", "", "publishAt", "Title", "blocks", "seo.heading", "Rating"];
UNKNOWN.push("__proto__", "constructor", "toString", "rating%20", "%ff", "%00");
for (const name of UNKNOWN) {
  Deno.test(`GET /{collection}?field.${name}= names no field`, async () => {
    await using test = await headless();
    const answer = await test.v1("GET", `/posts?field.${name}=1`);
    assertRefused(answer, 400, "FILTER_FIELD_INVALID");
  });
}

for (const name of ["body", "extra", "gallery", "seo", "sections", "hidden", "code"]) {
  Deno.test(`GET /{collection}?field.${name}= is not filterable`, async () => {
    await using test = await headless();
    for (const value of ["", "x", "[]", "null"]) {
      const answer = await test.v1("GET", `/posts?field.${name}=${value}`);
      assertRefused(answer, 400, "FIELD_NOT_FILTERABLE");
      assertEquals(answer.json.error.message.endsWith(`: ${name}`), true);
    }
  });
}

const INVALID: [string, string[]][] = [
  ["rating", [
    "abc",
    "",
    "1.5",
    "Infinity",
    "NaN",
    "0x1",
    "1,2",
    "9007199254740993",
    "%20",
    "1%00",
  ]],
  ["price", ["abc", "", "Infinity", "-Infinity", "NaN", "1e999", ".5", "5.", "+1", "1e", "--1"]],
  ["featured", ["", "1", "0", "yes", "True", "null"]],
  ["eventAt", ["", "2024-01-01", "1.5", "1e99", "now"]],
  ["topic", ["", "sports", "News", "news%20", "null"]],
  ["tags", ["", "z", "a,b", "[]"]],
  ["homepage", ["", "example", "javascript:alert(1)", "%00"]],
  ["contact", ["", "nobody", "a@", "@b"]],
  ["cover", ["", "x", "01jd0000000000000000000000", "null"]],
  ["related", ["", "x", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "%00"]],
  ["summary", ["a%00b", "%ff", "%E0%A4%A", "%ED%A0%80", "100%", "%zz"]],
];
for (const [name, texts] of INVALID) {
  Deno.test(`GET /{collection}?field.${name}= refuses what cannot match`, async () => {
    await using test = await headless();
    for (const text of texts) {
      const answer = await test.v1("GET", `/posts?field.${name}=${text}`);
      const details = [`field.${name} INVALID_FILTER_VALUE`];
      assertRefused(answer, 422, "VALIDATION_FAILED", details);
    }
  });
}

Deno.test("GET /{collection} tells every malformed filter at once", async () => {
  await using test = await headless();
  const query = "field.rating=x&field.topic=y&field.price=1&field.rating=z&field.featured=maybe";
  assertRefused(await test.v1("GET", `/posts?${query}`), 422, "VALIDATION_FAILED", [
    "field.rating INVALID_FILTER_VALUE",
    "field.rating INVALID_FILTER_VALUE",
    "field.topic INVALID_FILTER_VALUE",
    "field.featured INVALID_FILTER_VALUE",
  ]);
});

Deno.test("GET /{collection} takes a hundred filter values, and no more", async () => {
  await using test = await headless();
  await test.post({ title: "T", summary: "7" });
  const values = (count: number) =>
    Array.from({ length: count }, (_, n) => `field.summary=${n}`).join("&");
  assertEquals(await found(test, values(100)), "T");
  for (const count of [101, 1_000]) {
    assertRefused(await test.v1("GET", `/posts?${values(count)}`), 400, "FILTER_INVALID");
  }
});

Deno.test("GET /{collection} refuses a status that is given twice", async () => {
  await using test = await headless();
  const answer = await test.v1("GET", "/posts?status=draft&status=published");
  assertRefused(answer, 422, "VALIDATION_FAILED", ["status INVALID_FILTER_VALUE"]);
});

Deno.test("GET /{collection} refuses the trash as a status that no listed document has", async () => {
  await using test = await headless();
  for (const query of ["status=trashed", "field.status=trashed", "field.status[ne]=trashed"]) {
    const answer = await test.v1("GET", `/posts?${query}`);
    const [name] = query.split("=");
    assertRefused(answer, 422, "VALIDATION_FAILED", [`${name} INVALID_FILTER_VALUE`]);
  }
  const filter = encodeURIComponent(JSON.stringify({ not: { status: ["trashed"] } }));
  assertEquals((await test.v1("GET", `/posts?filter=${filter}`)).status, 422);
});
