/** `page` and `perPage` of lists. */
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import {
  assertFramed,
  assertRefused,
  type Headless,
  headless,
  ids,
  titles,
} from "../../../support/sites/headless.ts";

/** Posts `0` to `count - 1`, one a second. */
async function posts(test: Headless, count: number): Promise<void> {
  for (let n = 0; n < count; n++) {
    await test.post({ title: `${n}`, status: "published" });
    test.context.advance(1_000);
  }
}

Deno.test("GET /{collection} answers twenty documents, newest first, with exact totals", async () => {
  await using test = await headless([]);
  await posts(test, 23);
  const first = await test.v1("GET", "/posts");
  assertFramed(first);
  assertEquals(Object.keys(first.json), ["data", "meta"]);
  assertEquals(first.json.meta, { page: 1, perPage: 20, total: 23 });
  assertEquals(ids(first).length, 20);
  assertEquals(first.json.data[0].title, "22");
  const second = await test.v1("GET", "/posts?page=2");
  assertEquals(second.json.meta, { page: 2, perPage: 20, total: 23 });
  assertEquals(titles(second), "2 1 0");
});

Deno.test("GET /{collection} lists documents as they are read one by one", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "T", rating: 3, gallery: [{ caption: "c" }] });
  const [list, read] = [await test.v1("GET", "/posts"), await test.v1("GET", `/posts/${id}`)];
  assertEquals(list.json.data, [read.json]);
});

Deno.test("GET /{collection} in pages, forwards and backwards, shows everything once", async () => {
  await using test = await headless([]);
  await posts(test, 17);
  for (const sort of ["createdAt", "-createdAt", "status", "-status", "-status,title"]) {
    const whole = ids(await test.v1("GET", `/posts?perPage=100&sort=${sort}`));
    assertEquals(new Set(whole).size, 17);
    const paged: string[] = [];
    for (let page = 1; page <= 4; page++) {
      paged.push(...ids(await test.v1("GET", `/posts?perPage=5&page=${page}&sort=${sort}`)));
    }
    assertEquals(paged, whole);
  }
  const up = ids(await test.v1("GET", "/posts?perPage=100&sort=status"));
  const down = ids(await test.v1("GET", "/posts?perPage=100&sort=-status"));
  assertEquals(down, up.reverse(), "ties are broken by id in the direction of the first key");
});

for (const perPage of ["101", "100000", "9007199254740993", "9".repeat(400)]) {
  Deno.test(`GET /{collection}?perPage=${perPage.slice(0, 20)} is clamped`, async () => {
    await using test = await headless([]);
    await test.post({ title: "T" });
    const answer = await test.v1("GET", `/posts?perPage=${perPage}`);
    assertEquals(answer.json.meta, { page: 1, perPage: 100, total: 1 });
  });
}

for (const perPage of [1, 20, 99, 100]) {
  Deno.test(`GET /{collection}?perPage=${perPage} is taken as it is`, async () => {
    await using test = await headless([]);
    const answer = await test.v1("GET", `/posts?perPage=${perPage}`);
    assertEquals(answer.json.meta, { page: 1, perPage, total: 0 });
  });
}

for (const page of [2, 1_000_000, 9_007_199_254_740_991]) {
  Deno.test(`GET /{collection}?page=${page} is empty past the end`, async () => {
    await using test = await headless([]);
    await test.post({ title: "T" });
    const answer = await test.v1("GET", `/posts?page=${page}&perPage=100&sort=title`);
    assertEquals(answer.status, 200);
    assertEquals(answer.json, { data: [], meta: { page, perPage: 100, total: 1 } });
  });
}

const BAD = [
  "0",
  "-1",
  "1.5",
  "1.0",
  "1e3",
  "0x10",
  "abc",
  "",
  "%20",
  "1%20",
  "%2B1",
  "+1",
  "null",
];
BAD.push("NaN", "Infinity", "1,2", "%00", "%", "%zz", "%ff", "٣", "1_000", "[1]", "1;2");
for (const value of BAD) {
  Deno.test(`GET /{collection} refuses ${JSON.stringify(value)} as a page and as a size`, async () => {
    await using test = await headless([]);
    for (const name of ["page", "perPage"]) {
      const answer = await test.v1("GET", `/posts?${name}=${value}`);
      assertRefused(answer, 400, "PAGINATION_INVALID");
      assert(answer.json.error.message.includes(name), answer.json.error.message);
    }
  });
}

Deno.test("GET /{collection} has nothing on a page that no number can hold", async () => {
  await using test = await headless([]);
  await test.post({ title: "Hello" });
  for (const page of ["9007199254740991", "9007199254740993", "9".repeat(400)]) {
    const { status, json } = await test.v1("GET", `/posts?page=${page}&perPage=100`);
    const meta = { page: Number.MAX_SAFE_INTEGER, perPage: 100, total: 1 };
    assertEquals([status, json], [200, { data: [], meta }]);
  }
});

for (const query of ["page=1&page=1", "page=1&page=2", "perPage=5&perPage=5"]) {
  Deno.test(`GET /{collection} refuses the repeated parameter of ?${query}`, async () => {
    await using test = await headless([]);
    assertRefused(await test.v1("GET", `/posts?${query}`), 400, "PAGINATION_INVALID");
  });
}

Deno.test("GET /{collection} counts what the token may see", async () => {
  await using test = await headless([]);
  for (const status of ["draft", "published", "scheduled", "published"]) {
    await test.post({ title: "T", status });
  }
  const reader = await test.token({ scopes: ["posts:read"] });
  const seen = await test.v1("GET", "/posts?perPage=1", { token: reader });
  assertEquals(seen.json.meta, { page: 1, perPage: 1, total: 2 });
  const full = await test.v1("GET", "/posts?perPage=1");
  assertEquals(full.json.meta.total, 4);
});

Deno.test("GET /{collection} is not disturbed by parameters that it does not know", async () => {
  await using test = await headless([]);
  await test.post({ title: "T" });
  for (const query of ["?", "?x=1", "?field=1", "?&&=", "?%", "?utm=%E0%A4%A"]) {
    assertEquals(titles(await test.v1("GET", `/posts${query}`)), "T", query);
  }
});
