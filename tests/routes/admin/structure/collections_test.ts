import { noise } from "../../../support/noise.ts";
import { FIELDS_MAX } from "../../../../kv/limits/content.ts";
import { RESERVED_SLUGS } from "../../../../kv/model/input/collection_input.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import {
  answered,
  assertRefusal,
  detailsOf,
  listed,
} from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp, testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { NOON_SECONDS } from "../../../support/sites/headless.ts";

const POSTS = { slug: "posts", name: "Posts" };

Deno.test("POST /api/admin/collections answers the collection, with its fields in their order", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [
    { name: "rating", type: "number", indexed: true, sortable: true, options: { min: 0, max: 5 } },
    { name: "body", type: "rich_text", label: "Text", help: "Long", required: true },
  ];

  const answer = await test.admin("POST", "/collections", { ...POSTS, fields });

  const made = answered(answer, 201);
  assertEquals(answer.headers.get("location"), "/api/admin/collections/posts");
  const { id, fields: madeFields, ...framing } = made;
  assertEquals(framing, {
    slug: "posts",
    name: "Posts",
    description: "",
    exposed: true,
    createdAt: NOON_SECONDS,
    updatedAt: NOON_SECONDS,
  });
  const times = { createdAt: NOON_SECONDS, updatedAt: NOON_SECONDS };
  assertEquals(
    madeFields.map(({ id: _id, ...field }: { id: string }) => field),
    [
      {
        name: "rating",
        label: "rating",
        type: "number",
        required: false,
        help: "",
        options: { min: 0, max: 5 },
        unique: false,
        indexed: true,
        sortable: true,
        position: 0,
        ...times,
      },
      {
        name: "body",
        label: "Text",
        type: "rich_text",
        required: true,
        help: "Long",
        options: {},
        unique: false,
        indexed: false,
        sortable: false,
        position: 1,
        ...times,
      },
    ],
  );
  assertEquals(answered(await test.admin("GET", "/collections/posts"), 200), made);
  assertEquals(listed(await test.admin("GET", "/collections")), [made]);
  const { data } = answered(await test.admin("GET", `/versions/collection/${id}`), 200);
  assertEquals([data.length, data[0].editor], [1, "Ada"]);
});

Deno.test("POST /api/admin/collections tells all that is wrong, in it and in its fields", async () => {
  await using test = await testApp();
  await test.setUp();
  const answer = await test.admin("POST", "/collections", {
    slug: "Not a slug",
    exposed: "yes",
    color: "red",
    fields: [
      { name: "id", type: "text" },
      { name: "ok", type: "nonsense" },
      { name: "Bad", type: "text", unknown: 1 },
      { name: "pick", type: "select" },
      { name: "list", type: "json", indexed: true },
      { name: "twice", type: "text" },
      { name: "twice", type: "text" },
    ],
  });

  assertRefusal(answer, 422, "VALIDATION_FAILED", [
    "color UNKNOWN_KEY",
    "exposed INVALID_TYPE",
    "fields.0.name INVALID_CHOICE",
    "fields.1.type INVALID_CHOICE",
    "fields.2.name PATTERN_MISMATCH",
    "fields.2.unknown UNKNOWN_KEY",
    "fields.3.options.choices REQUIRED",
    "fields.4.indexed INVALID_CHOICE",
    "fields.6.name NOT_UNIQUE",
    "name REQUIRED",
    "slug PATTERN_MISMATCH",
  ]);
  assertEquals(listed(await test.admin("GET", "/collections")), []);
});

Deno.test("POST /api/admin/collections refuses reserved and taken slugs", async () => {
  await using test = await testApp();
  await test.setUp();
  assert(RESERVED_SLUGS.size >= 10);
  for (const slug of RESERVED_SLUGS) {
    const answer = await test.admin("POST", "/collections", { slug, name: "N" });
    assertEquals([answer.status, detailsOf(answer)], [422, ["slug INVALID_CHOICE"]], slug);
  }
  answered(await test.admin("POST", "/collections", POSTS), 201);
  answered(await test.admin("POST", "/collections", { slug: "pages", name: "Pages" }), 201);
  assertRefusal(await test.admin("POST", "/collections", POSTS), 409, "CONFLICT");
  const renamed = await test.admin("PATCH", "/collections/pages", { slug: "posts" });
  assertRefusal(renamed, 409, "CONFLICT");
});

Deno.test("POST /api/admin/collections gives a slug once, however many ask at once", async () => {
  await using test = await testApp();
  await test.setUp();
  const cookie = (await test.call("POST", "/api/admin/session", {
    body: { email: "ada@example.org", password: "correct horse battery" },
  })).headers.get("set-cookie")!.split(";")[0]!;
  const other = secondApp(test.context);
  const call = { body: POSTS, headers: { cookie } };
  const answers = await Promise.all(
    [test.app, other.app, test.app, other.app].map((app) =>
      callApp(app, "POST", "/api/admin/collections", call)
    ),
  );

  assertEquals(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
  assertEquals(listed(await test.admin("GET", "/collections")).length, 1);
});

Deno.test("POST /api/admin/collections takes as many fields as there may be, and removes them", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = Array.from({ length: FIELDS_MAX }, (_, n) => ({ name: `f${n}`, type: "text" }));
  const made = await test.admin("POST", "/collections", { ...POSTS, fields });
  assertEquals(answered(made, 201).fields.length, FIELDS_MAX);
  const one = { name: "onemore", type: "text" };
  assertRefusal(await test.admin("POST", "/collections/posts/fields", one), 409, "CONFLICT");
  answered(await test.admin("DELETE", "/collections/posts"), 204);
  const many = await test.admin("POST", "/collections", { ...POSTS, fields: [...fields, one] });
  assertRefusal(many, 422, "VALIDATION_FAILED", ["fields TOO_LONG"]);
});

Deno.test("POST /api/admin/collections refuses what one commit cannot hold", async () => {
  await using test = await testApp();
  await test.setUp();
  const choices = Array.from({ length: 1_000 }, (_, n) => `${n}${noise(95, n)}`);
  const fields = Array.from(
    { length: 16 },
    (_, n) => ({ name: `f${n}`, type: "select", options: { choices } }),
  );
  const answer = await test.admin("POST", "/collections", { ...POSTS, fields });
  assertRefusal(answer, 413, "PAYLOAD_TOO_LARGE");
  assertEquals(listed(await test.admin("GET", "/collections")), []);
});

Deno.test("PATCH /api/admin/collections/{slug} changes the given members", async () => {
  await using test = await testApp();
  await test.setUp();
  const made = answered(await test.admin("POST", "/collections", POSTS), 201);
  test.context.advance(5_000);

  const patched = answered(
    await test.admin("PATCH", "/collections/posts", { name: "Texts", description: "All of them" }),
    200,
  );

  const updatedAt = NOON_SECONDS + 5;
  assertEquals(patched, { ...made, name: "Texts", description: "All of them", updatedAt });
  test.context.advance(5_000);
  const nothing: Record<string, Json>[] = [{}, { name: "Texts" }, { id: "x", createdAt: 1 }];
  for (const body of nothing) {
    assertEquals(answered(await test.admin("PATCH", "/collections/posts", body), 200), patched);
  }
  const bad = { name: "", exposed: 1, fields: [], slug: "api" };
  assertRefusal(await test.admin("PATCH", "/collections/posts", bad), 422, "VALIDATION_FAILED", [
    "exposed INVALID_TYPE",
    "fields UNKNOWN_KEY",
    "name TOO_SHORT",
    "slug INVALID_CHOICE",
  ]);
  const nowhere = await test.admin("PATCH", "/collections/nothing", {});
  assertRefusal(nowhere, 404, "COLLECTION_NOT_FOUND");
});

Deno.test("PATCH /api/admin/collections/{slug} with a new slug moves the endpoints at once", async () => {
  await using test = await testApp();
  await test.setUp();
  const token = await test.token();
  answered(await test.admin("POST", "/collections", POSTS), 201);
  const { id } = answered(
    await test.admin("POST", "/documents", { collection: "posts", title: "T" }),
    201,
  );
  answered(await test.admin("PATCH", "/collections/posts", { slug: "texts" }), 200);

  const other = secondApp(test.context);
  for (const app of [test.app, other.app]) {
    const found = await callApp(app, "GET", `/api/v1/texts/${id}`, { token });
    assertEquals([found.status, found.json?.title], [200, "T"]);
    const gone = await callApp(app, "GET", `/api/v1/posts/${id}`, { token });
    assertEquals([gone.status, gone.json.error.code], [404, "COLLECTION_NOT_FOUND"]);
  }
  const shown = answered(await test.admin("GET", `/documents/${id}`), 200);
  assertEquals(shown.collection, "texts");
  answered(await test.admin("POST", "/collections", POSTS), 201);
});

Deno.test("PATCH /api/admin/collections/{slug} with exposed false hides it from the headless API", async () => {
  await using test = await testApp();
  await test.setUp();
  const token = await test.token();
  answered(await test.admin("POST", "/collections", { ...POSTS, exposed: false }), 201);
  const hidden = await test.call("GET", "/api/v1/posts", { token });
  assertEquals([hidden.status, hidden.json.error.code], [404, "COLLECTION_NOT_FOUND"]);
  answered(await test.admin("POST", "/documents", { collection: "posts", title: "T" }), 201);
  answered(await test.admin("PATCH", "/collections/posts", { exposed: true }), 200);
  assertEquals((await test.call("GET", "/api/v1/posts", { token })).json.meta.total, 1);
});

Deno.test("DELETE /api/admin/collections/{slug} waits until every document is trashed", async () => {
  await using test = await testApp();
  await test.setUp();
  answered(await test.admin("POST", "/collections", POSTS), 201);
  const make = async () =>
    answered(await test.admin("POST", "/documents", { collection: "posts", title: "T" }), 201).id;
  const ids = [await make(), await make()];
  answered(await test.admin("POST", `/documents/${ids[1]}/archive`), 200);

  for (const id of ids) {
    assertRefusal(await test.admin("DELETE", "/collections/posts"), 409, "CONFLICT");
    answered(await test.admin("DELETE", `/documents/${id}`), 204);
  }
  answered(await test.admin("DELETE", "/collections/posts"), 204);

  assertRefusal(await test.admin("GET", "/collections/posts"), 404, "COLLECTION_NOT_FOUND");
  assertRefusal(await test.admin("DELETE", "/collections/posts"), 404, "COLLECTION_NOT_FOUND");
  assertRefusal(await test.admin("GET", `/documents/${ids[0]}`), 404, "NOT_FOUND");
  assertRefusal(await test.admin("POST", `/documents/${ids[0]}/untrash`), 404, "NOT_FOUND");
  assertEquals(listed(await test.admin("GET", "/documents?status=any")), []);
  answered(await test.admin("POST", "/collections", POSTS), 201);
  assertEquals(listed(await test.admin("GET", "/documents?status=any&collection=posts")), []);
});

Deno.test("PATCH /api/admin/collections/{slug} with a new slug takes references with it", async () => {
  await using test = await testApp();
  await test.setUp();
  const reference = { name: "author", type: "reference", options: { collection: "people" } };
  const other = { name: "page", type: "reference", options: { collection: "pages" } };
  const list = { name: "credits", type: "repeater", options: { fields: [reference, other] } };
  answered(await test.admin("POST", "/collections", { slug: "people", name: "People" }), 201);
  answered(await test.admin("POST", "/blocks", { name: "byline", fields: [reference] }), 201);
  const posts = { ...POSTS, fields: [{ ...reference, indexed: true }, other, list] };
  answered(await test.admin("POST", "/collections", posts), 201);
  const person = { collection: "people", title: "Ada" };
  const { id: author } = answered(await test.admin("POST", "/documents", person), 201);
  const post = { collection: "posts", title: "T", author, credits: [{ author }] };
  const { id } = answered(await test.admin("POST", "/documents", post), 201);

  answered(await test.admin("PATCH", "/collections/people", { slug: "writers" }), 200);

  const { fields } = answered(await test.admin("GET", "/collections/posts"), 200);
  const targets = (all: { options: { collection?: string } }[]) =>
    all.map(({ options }) => options.collection);
  assertEquals(targets(fields), ["writers", "pages", undefined]);
  assertEquals(targets(fields[2].options.fields), ["writers", "pages"]);
  assertEquals(targets((await test.admin("GET", "/blocks/byline")).json.fields), ["writers"]);
  answered(await test.admin("POST", `/documents/${id}/publish`), 202);
  const versions = await test.admin("GET", `/versions/field_definition/${fields[0].id}`);
  assertEquals(listed(versions).length, 2);
  const untouched = await test.admin("GET", `/versions/field_definition/${fields[1].id}`);
  assertEquals(listed(untouched).length, 1);
});
