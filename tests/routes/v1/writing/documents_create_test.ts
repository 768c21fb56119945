/** `POST /api/v1/{collection}`: what is created, and how it is answered. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
} from "../../../support/harness/assert.ts";
import {
  assertFramed,
  assertRefused,
  headless,
  NOON_SECONDS,
  NOTHING,
  storePicture,
  VALUES,
  versionCount,
} from "../../../support/sites/headless.ts";

Deno.test("POST /{collection} creates a draft and answers it with its place", async () => {
  await using test = await headless();

  const answer = await test.v1("POST", "/posts", { body: { title: "Hello" } });

  assertEquals(answer.status, 201);
  assertFramed(answer);
  const { id } = answer.json;
  assertMatch(id, /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
  assertEquals(answer.json, {
    id,
    slug: "hello",
    title: "Hello",
    status: "draft",
    createdAt: NOON_SECONDS,
    updatedAt: NOON_SECONDS,
    publishedAt: null,
    ...NOTHING,
    blocks: [],
  });
  assertEquals(answer.headers.get("location"), `/api/v1/posts/${id}`);
  assertEquals(answer.headers.get("content-type"), "application/json");
  assertMatch(answer.headers.get("etag")!, /^"[^"]+"$/);
  assertEquals(await versionCount(test, id), 1);
});

Deno.test("POST /{collection} answers what GET answers, tag included", async () => {
  await using test = await headless();
  const created = await test.v1("POST", "/posts", {
    body: { title: "Whole", status: "published", ...VALUES },
  });
  const read = await test.v1("GET", `/posts/${created.json.id}`);
  assertEquals(created.status, 201);
  assertEquals(read.json, created.json);
  assertEquals(read.headers.get("etag"), created.headers.get("etag"));
  for (const [name, value] of Object.entries(VALUES)) assertEquals(read.json[name], value, name);
});

for (const status of ["draft", "published", "scheduled"]) {
  Deno.test(`POST /{collection} with status ${status} creates it so`, async () => {
    await using test = await headless();
    const post = await test.post({ title: "T", status });
    assertEquals(post.status, status);
    assertEquals(post.publishedAt, status === "published" ? NOON_SECONDS : null);
    assert(!("publishAt" in post));
  });
}

for (const status of ["archived", "trashed", "Draft", "", "deleted"]) {
  Deno.test(`POST /{collection} refuses the status ${JSON.stringify(status)}`, async () => {
    await using test = await headless();
    const before = await storePicture(test);
    const answer = await test.v1("POST", "/posts", { body: { title: "T", status } });
    assertRefused(answer, 422, "VALIDATION_FAILED", ["status INVALID_STATUS"]);
    assertEquals(await storePicture(test), before);
  });
}

for (const status of [null, 1, true, [], {}, ["draft"]]) {
  Deno.test(`POST /{collection} refuses the status ${JSON.stringify(status)} for its type`, async () => {
    await using test = await headless();
    const answer = await test.v1("POST", "/posts", { body: { title: "T", status } });
    assertRefused(answer, 422, "VALIDATION_FAILED", ["status INVALID_TYPE"]);
  });
}

Deno.test("POST /{collection} ignores read-only keys and the block tree, whatever they hold", async () => {
  await using test = await headless();
  const post = await test.post({
    title: "T",
    id: "01JD0000000000000000000000",
    createdAt: "never",
    updatedAt: -1,
    publishedAt: { a: 1 },
    blocks: [{ type: "nothing", id: 7, more: true }],
  });
  assertNotEquals(post.id, "01JD0000000000000000000000");
  assertEquals([post.createdAt, post.updatedAt], [NOON_SECONDS, NOON_SECONDS]);
  assertEquals([post.publishedAt, post.blocks], [null, []]);
});

for (const key of ["unknown", "publishAt", "collection", "Title", "", "toString", "blocks2"]) {
  Deno.test(`POST /{collection} refuses the unknown key ${JSON.stringify(key)}`, async () => {
    await using test = await headless();
    const answer = await test.v1("POST", "/posts", { body: { title: "T", [key]: null } });
    assertRefused(answer, 422, "VALIDATION_FAILED", [`${key} UNKNOWN_KEY`]);
  });
}

const JSON_TYPE = { headers: { "content-type": "application/json" } };

const TITLES: [string, unknown, string][] = [
  ["missing", undefined, "REQUIRED"],
  ["null", null, "REQUIRED"],
  ["empty", "", "TOO_SHORT"],
  ["white space", " \n\t\u00a0 ", "TOO_SHORT"],
  ["301 characters", "x".repeat(301), "TOO_LONG"],
  ["301 characters outside the basic plane", "😀".repeat(301), "TOO_LONG"],
  ["a number", 7, "INVALID_TYPE"],
  ["an array", ["T"], "INVALID_TYPE"],
  ["a lone surrogate", "a\ud800b", "INVALID_TYPE"],
  ["NUL", "a\0b", "INVALID_TYPE"],
];
for (const [name, title, code] of TITLES) {
  Deno.test(`POST /{collection} refuses a title that is ${name}`, async () => {
    await using test = await headless();
    const answer = await test.v1("POST", "/posts", {
      raw: JSON.stringify({ title }),
      ...JSON_TYPE,
    });
    assertRefused(answer, 422, "VALIDATION_FAILED", [`title ${code}`]);
  });
}
Deno.test("POST /{collection} takes titles of 300 characters, trimmed", async () => {
  await using test = await headless();
  assertEquals((await test.post({ title: `  ${"😀".repeat(300)} ` })).title, "😀".repeat(300));
  assertEquals((await test.post({ title: " x " })).title, "x");
});

Deno.test("POST /{collection} requires required fields of published documents only", async () => {
  await using test = await headless([
    { name: "summary", type: "text", required: true },
    { name: "gallery", type: "repeater", required: true, options: { fields: [CAPTION] } },
    { name: "seo", type: "group", options: { fields: [CAPTION] } },
  ]);
  for (const status of ["draft", "scheduled"]) await test.post({ title: "T", status });

  const bare = await test.v1("POST", "/posts", { body: { title: "T", status: "published" } });
  const nested = await test.v1("POST", "/posts", {
    body: { title: "T", status: "published", summary: " ", gallery: [{}], seo: { caption: null } },
  });
  const whole = { summary: "s", gallery: [{ caption: "c" }], seo: { caption: "c" } };

  assertRefused(bare, 422, "VALIDATION_FAILED", ["summary REQUIRED", "gallery REQUIRED"]);
  assertRefused(nested, 422, "VALIDATION_FAILED", [
    "summary REQUIRED",
    "gallery.0.caption REQUIRED",
    "seo.caption REQUIRED",
  ]);
  assertEquals((await test.post({ title: "T", status: "published", ...whole })).seo, whole.seo);
});
const CAPTION = { name: "caption", label: "Caption", type: "text", required: true };

Deno.test("POST /{collection} gives fields their defaults, null included as given", async () => {
  await using test = await headless([
    { name: "tone", type: "text", options: { default: "calm" } },
    { name: "stars", type: "number", options: { default: 3 } },
    { name: "open", type: "boolean", options: { default: true } },
    { name: "kind", type: "select", options: { choices: ["x", "y"], default: "y" } },
  ]);
  const post = await test.post({ title: "T", stars: null });
  assertEquals([post.tone, post.stars, post.open, post.kind], ["calm", null, true, "y"]);
});

Deno.test("POST /{collection} tells every failure of a body at once", async () => {
  await using test = await headless();
  const answer = await test.v1("POST", "/posts", {
    body: {
      title: 1,
      slug: "Not A Slug",
      status: "trashed",
      nonsense: 1,
      rating: "many",
      topic: "sports",
      gallery: [{ caption: 1 }, { size: "big", more: 1 }],
    },
  });
  assertRefused(answer, 422, "VALIDATION_FAILED", [
    "title INVALID_TYPE",
    "slug PATTERN_MISMATCH",
    "status INVALID_STATUS",
    "nonsense UNKNOWN_KEY",
    "rating INVALID_TYPE",
    "topic INVALID_CHOICE",
    "gallery.0.caption INVALID_TYPE",
    "gallery.1.size INVALID_TYPE",
    "gallery.1.more UNKNOWN_KEY",
  ]);
});

Deno.test("POST /{collection} needs the write scope alone", async () => {
  await using test = await headless();
  for (const scopes of [["posts:write"], ["*:write"], ["*"]]) {
    const token = await test.token({ scopes });
    const answer = await test.v1("POST", "/posts", { token, body: { title: "T" } });
    assertEquals(answer.status, 201);
  }
  for (const scopes of [["posts:read"], ["posts:read-drafts"], ["other:write"], ["*:read"]]) {
    const token = await test.token({ scopes });
    const before = await storePicture(test);
    const answer = await test.v1("POST", "/posts", { token, body: { title: "T" } });
    assertRefused(answer, 403, "FORBIDDEN");
    assertEquals(await storePicture(test), before);
  }
});
