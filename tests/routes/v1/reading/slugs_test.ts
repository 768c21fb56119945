/** Slugs: derived, given, taken, given up. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import { assertRefused, headless, storePicture } from "../../../support/sites/headless.ts";

const DERIVED: [string, string][] = [
  ["Hello, World!", "hello-world"],
  ["  --Crème Brûlée--  ", "creme-brulee"],
  ["Ünïcödé & Æther", "unicode-aether"],
  ["Straße", "strasse"],
  ["C++ / C#", "c-c"],
  ["a_b.c", "a-b-c"],
  ["10 % off", "10-off"],
  ["Привет, мир", "privet-mir"],
  ["日本", "riben"],
  ["!!!", "untitled"],
  ["😀", "untitled"],
  ["x".repeat(300), "x".repeat(96)],
  [`${"x".repeat(95)} yz`, "x".repeat(95)],
];
for (const [title, slug] of DERIVED) {
  Deno.test(`POST /{collection} derives ${slug.slice(0, 40)} from ${title.slice(0, 40)}`, async () => {
    await using test = await headless([]);
    const post = await test.post({ title });
    assertEquals(post.slug, slug);
    assertEquals((await test.v1("GET", `/posts/by-slug/${slug}`)).json, post);
  });
}

Deno.test("POST /{collection} numbers derived slugs that are taken", async () => {
  await using test = await headless([]);
  const slugs = [];
  for (let n = 0; n < 13; n++) slugs.push((await test.post({ title: "Hello" })).slug);
  assertEquals(slugs, ["hello", ...Array.from({ length: 12 }, (_, n) => `hello-${n + 2}`)]);
  const long = "y".repeat(96);
  assertEquals((await test.post({ title: long })).slug, long);
  assertEquals((await test.post({ title: `${long}z` })).slug, `${long}-2`);
  assertEquals((await test.post({ title: "Hello", slug: null })).slug, "hello-14");
});

Deno.test("POST /{collection} of one title by many at once gives each a slug of its own", async () => {
  await using test = await headless([]);
  const apps = [test.app, secondApp(test.context).app];
  const call = { token: test.full, body: { title: "Same" } };
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => callApp(apps[n % 2]!, "POST", "/api/v1/posts", call)),
  );
  assertEquals(answers.map(({ status }) => status), Array(12).fill(201));
  assertEquals(new Set(answers.map(({ json }) => json.slug)).size, 12);
});

for (const slug of ["a", "a-b", "2024", "x".repeat(128), "0-0"]) {
  Deno.test(`POST /{collection} takes the slug ${slug.slice(0, 20)} as given`, async () => {
    await using test = await headless([]);
    const post = await test.post({ title: "T", slug });
    assertEquals(post.slug, slug);
    assertEquals((await test.v1("GET", `/posts/by-slug/${slug}`)).json, post);
    const again = await test.v1("POST", "/posts", { body: { title: "T", slug } });
    assertRefused(again, 409, "SLUG_CONFLICT");
  });
}

const BAD = [
  "",
  "A",
  "a b",
  "-a",
  "a-",
  "a--b",
  "a_b",
  "ä",
  "a/b",
  "a.b",
  "x".repeat(129),
  "a\n",
  "\0",
];
for (const slug of BAD) {
  Deno.test(`POST /{collection} refuses the slug ${JSON.stringify(slug.slice(0, 20))}`, async () => {
    await using test = await headless([]);
    const answer = await test.v1("POST", "/posts", { body: { title: "T", slug } });
    assertRefused(answer, 422, "VALIDATION_FAILED", ["slug PATTERN_MISMATCH"]);
  });
}

Deno.test("a taken slug is a conflict, and nothing is written", async () => {
  await using test = await headless([]);
  await test.post({ title: "One" });
  const two = await test.post({ title: "Two" });
  const before = await storePicture(test);
  const created = await test.v1("POST", "/posts", { body: { title: "T", slug: "one" } });
  const patched = await test.v1("PATCH", `/posts/${two.id}`, { body: { slug: "one" } });
  assertRefused(created, 409, "SLUG_CONFLICT");
  assertRefused(patched, 409, "SLUG_CONFLICT");
  assertEquals(await storePicture(test), before);
  const invalid = await test.v1("POST", "/posts", { body: { title: "", slug: "one" } });
  assertRefused(invalid, 422, "VALIDATION_FAILED", ["title TOO_SHORT"]);
});

Deno.test("slugs are unique within their collection only", async () => {
  await using test = await headless([]);
  await test.collection({ slug: "pages", name: "Pages" });
  await test.post({ title: "T", slug: "same" });
  const answer = await test.v1("POST", "/pages", { body: { title: "T", slug: "same" } });
  assertEquals(answer.status, 201);
});

Deno.test("a slug that is changed is free at once, and leads nowhere until it is taken", async () => {
  await using test = await headless([]);
  const one = await test.post({ title: "One", status: "published" });
  const moved = await test.v1("PATCH", `/posts/${one.id}`, { body: { slug: "uno" } });
  assertEquals([moved.status, moved.json.slug], [200, "uno"]);
  assertRefused(await test.v1("GET", "/posts/by-slug/one"), 404, "NOT_FOUND");
  const two = await test.post({ title: "Two", slug: "one" });
  assertEquals((await test.v1("GET", "/posts/by-slug/one")).json.id, two.id);
  const back = await test.v1("PATCH", `/posts/${one.id}`, { body: { slug: "one" } });
  assertRefused(back, 409, "SLUG_CONFLICT");
});

Deno.test("a changed title keeps the slug", async () => {
  await using test = await headless([]);
  const { id } = await test.post({ title: "One" });
  const answer = await test.v1("PATCH", `/posts/${id}`, { body: { title: "Two" } });
  assertEquals([answer.json.title, answer.json.slug], ["Two", "one"]);
});

Deno.test("of two that take one slug at once one is refused", async () => {
  await using test = await headless([]);
  const ids = [(await test.post({ title: "A" })).id, (await test.post({ title: "B" })).id];
  const apps = [test.app, secondApp(test.context).app];
  const answers = await Promise.all(
    ids.map((id, n) =>
      callApp(apps[n]!, "PATCH", `/api/v1/posts/${id}`, { token: test.full, body: { slug: "c" } })
    ),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [200, 409]);
});
