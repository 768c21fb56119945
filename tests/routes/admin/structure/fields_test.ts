import { requestCompaction } from "../../../../kv/index/segments/compaction_request.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { answered, assertRefusal, detailsOf } from "../../../support/sites/admin_answers.ts";
import { callApp, secondApp, type TestApp, testApp } from "../../../support/sites/app.ts";
import { assertEquals, assertMatch } from "../../../support/harness/assert.ts";

const POSTS = "/collections/posts";

/** A site whose posts have a rating of 0 to 4, and a code of their own. */
async function ratedPosts(count: number): Promise<{ test: TestApp; token: string; ids: string[] }> {
  const test = await testApp();
  await test.setUp();
  const fields = [{ name: "rating", type: "number" }, { name: "code", type: "text" }];
  answered(await test.admin("POST", "/collections", { slug: "posts", name: "Posts", fields }), 201);
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const body = { collection: "posts", title: `P${n}`, rating: n % 5, code: `c${n}` };
    ids.push(answered(await test.admin("POST", "/documents", body), 201).id);
  }
  return { test, token: await test.token(), ids };
}

const patch = (test: TestApp, name: string, body: Json) =>
  test.admin("PATCH", `${POSTS}/fields/${name}`, body);

/** The titles that two processes list, which must be the same. */
async function titles(test: TestApp, token: string, query: string): Promise<string> {
  const [one, other] = await Promise.all(
    [test.app, secondApp(test.context).app].map((app) =>
      callApp(app, "GET", `/api/v1/posts?${query}`, { token })
    ),
  );
  assertEquals(one!.status, 200, one!.text);
  assertEquals(one!.json, other!.json);
  return one!.json.data.map(({ title }: { title: string }) => title).join(" ");
}

Deno.test("POST /api/admin/collections/{slug}/fields adds a field at once, null everywhere", async () => {
  const { test, token, ids } = await ratedPosts(1);
  await using _ = test;
  const body = { name: "topic", type: "select", options: { choices: ["a", "b"] }, indexed: true };

  const answer = await test.admin("POST", `${POSTS}/fields`, body);

  const field = answered(answer, 201);
  assertEquals(answer.headers.get("location"), "/api/admin/collections/posts/fields/topic");
  assertEquals([field.name, field.label, field.position], ["topic", "topic", 2]);
  assertEquals(answered(await test.admin("GET", `${POSTS}/fields/topic`), 200), field);
  const shown = await test.call("GET", `/api/v1/posts/${ids[0]}`, { token });
  assertEquals([shown.json.topic, shown.json.rating], [null, 0]);
  assertRefusal(await test.admin("POST", `${POSTS}/fields`, body), 409, "CONFLICT");
  const taken = await test.admin("PATCH", `${POSTS}/fields/topic`, { name: "code" });
  assertRefusal(taken, 409, "CONFLICT");
  const nowhere = await test.admin("POST", "/collections/nothing/fields", body);
  assertRefusal(nowhere, 404, "COLLECTION_NOT_FOUND");
  assertRefusal(await patch(test, "nothing", {}), 404, "NOT_FOUND");
  assertRefusal(await test.admin("DELETE", `${POSTS}/fields/nothing`), 404, "NOT_FOUND");
});

Deno.test("a field's definition is validated whole, on POST and PATCH", async () => {
  const { test } = await ratedPosts(0);
  await using _ = test;
  const bad: [Json, string[]][] = [
    [{}, ["name REQUIRED", "type REQUIRED"]],
    [{ name: "title", type: "text" }, ["name INVALID_CHOICE"]],
    [{ name: "blocks", type: "text" }, ["name INVALID_CHOICE"]],
    [{ name: "Upper", type: "text" }, ["name PATTERN_MISMATCH"]],
    [{ name: "a".repeat(65), type: "text" }, ["name PATTERN_MISMATCH"]],
    [{ name: "constructor", type: "text" }, ["name INVALID_CHOICE"]],
    [{ name: "f", type: "text", options: { min: 1 } }, ["options.min UNKNOWN_KEY"]],
    [{ name: "f", type: "text", options: { pattern: "(?=x)" } }, [
      "options.pattern PATTERN_MISMATCH",
    ]],
    [{ name: "f", type: "number", options: { min: 5, max: 1 } }, ["options.max TOO_SMALL"]],
    [{ name: "f", type: "select", options: { choices: [] } }, ["options.choices TOO_SHORT"]],
    [{ name: "f", type: "rich_text", sortable: true }, ["sortable INVALID_CHOICE"]],
    [{ name: "f", type: "multi_select", sortable: true, options: { choices: ["a"] } }, [
      "sortable INVALID_CHOICE",
    ]],
    [
      {
        name: "f",
        type: "group",
        unique: true,
        options: { fields: [{ name: "g", type: "text" }] },
      },
      [
        "unique INVALID_CHOICE",
      ],
    ],
    [{ name: "f", type: "text", required: "yes", help: 1 }, [
      "help INVALID_TYPE",
      "required INVALID_TYPE",
    ]],
  ];
  for (const [body, details] of bad) {
    const answer = await test.admin("POST", `${POSTS}/fields`, body);
    assertEquals([answer.status, detailsOf(answer)], [422, details], JSON.stringify(body));
  }
  const patched = await patch(test, "rating", {
    name: "id",
    sortable: "x",
    options: { choices: [] },
  });
  assertRefusal(patched, 422, "VALIDATION_FAILED", [
    "name INVALID_CHOICE",
    "options.choices UNKNOWN_KEY",
    "sortable INVALID_TYPE",
  ]);
});

Deno.test("PATCH a field's name keeps the values, under the new name alone", async () => {
  const { test, token, ids } = await ratedPosts(3);
  await using _ = test;
  answered(await patch(test, "rating", { indexed: true, sortable: true }), 200);
  assertEquals(answered(await patch(test, "rating", { name: "stars" }), 200).name, "stars");

  const shown = (await test.call("GET", `/api/v1/posts/${ids[2]}`, { token })).json;
  assertEquals([shown.stars, "rating" in shown], [2, false]);
  assertEquals(await titles(test, token, "sort=-stars"), "P2 P1 P0");
  assertEquals(await titles(test, token, "field.stars=1"), "P1");
  const unknown = await test.call("GET", "/api/v1/posts?sort=rating", { token });
  assertEquals(unknown.json.error.code, "SORT_FIELD_INVALID");
  const old = await test.admin("PATCH", `/documents/${ids[0]}`, { rating: 1 });
  assertRefusal(old, 422, "VALIDATION_FAILED", ["rating UNKNOWN_KEY"]);

  // Another field may take the old name, and has values of its own.
  answered(await test.admin("POST", `${POSTS}/fields`, { name: "rating", type: "number" }), 201);
  const both = answered(await test.admin("PATCH", `/documents/${ids[2]}`, { rating: 9 }), 200);
  assertEquals([both.stars, both.rating], [2, 9]);
});

Deno.test("PATCH a field's indexed and sortable makes the lists right at once", async () => {
  const { test, token, ids } = await ratedPosts(12);
  await using _ = test;
  const refused = await test.call("GET", "/api/v1/posts?sort=rating", { token });
  assertEquals(refused.json.error.code, "SORT_FIELD_INVALID");
  const unfilterable = await test.call("GET", "/api/v1/posts?field.rating=3", { token });
  assertEquals(unfilterable.json.error.code, "FIELD_NOT_FILTERABLE");
  assertEquals((await titles(test, token, "sort=title")).split(" ").length, 12);

  answered(await patch(test, "rating", { indexed: true, sortable: true }), 200);

  assertEquals(await titles(test, token, "field.rating=3&sort=slug"), "P3 P8");
  assertEquals(await titles(test, token, "sort=rating,slug&perPage=4"), "P0 P10 P5 P1");
  answered(await test.admin("PATCH", `/documents/${ids[8]}`, { rating: 4 }), 200);
  answered(await test.admin("PATCH", `/documents/${ids[0]}`, { rating: null }), 200);
  assertEquals(await titles(test, token, "field.rating=3"), "P3");
  assertEquals(await titles(test, token, "sort=-rating,slug&perPage=3"), "P4 P8 P9");
  assertEquals((await titles(test, token, "sort=rating,slug")).split(" ").at(-1), "P0");

  answered(await patch(test, "rating", { indexed: false, sortable: false }), 200);
  answered(await test.admin("PATCH", `/documents/${ids[3]}`, { rating: 1 }), 200);
  answered(await patch(test, "rating", { indexed: true, sortable: true }), 200);
  assertEquals(await titles(test, token, "field.rating=3"), "");
  assertEquals(await titles(test, token, "field.rating=1&sort=slug"), "P1 P11 P3 P6");
});

Deno.test("PATCH a field's indexed reaches documents in old segments of the index too", async () => {
  const { test, token, ids } = await ratedPosts(20);
  await using _ = test;
  const { deps, context } = test;
  const { collections } = await deps.content.schema.current();
  await compactNow(test, collections[0]!.id);
  answered(await patch(test, "rating", { indexed: true, sortable: true }), 200);

  assertEquals(await titles(test, token, "field.rating=3&sort=createdAt"), "P3 P8 P13 P18");
  answered(await test.admin("PATCH", `/documents/${ids[3]}`, { rating: 0 }), 200);
  assertEquals(await titles(test, token, "field.rating=3&sort=createdAt"), "P8 P13 P18");
  await compactNow(test, collections[0]!.id);
  context.advance(3_600_000);
  assertEquals(await titles(test, token, "field.rating=0&sort=slug"), "P0 P10 P15 P3 P5");
});

async function compactNow(test: TestApp, collectionId: string): Promise<void> {
  const operation = new Operation();
  requestCompaction(operation, test.context, { id: collectionId });
  await test.context.store.commit(operation);
  await test.runner.drain();
}

Deno.test("PATCH a field's unique on a filled collection takes hold at once, or not at all", async () => {
  const { test, token, ids } = await ratedPosts(7);
  await using _ = test;
  assertEquals(answered(await patch(test, "code", { unique: true }), 200).unique, true);
  const body = { title: "Again", code: "c3" };
  const taken = await test.call("POST", "/api/v1/posts", { token, body });
  assertRefusal(taken, 422, "VALIDATION_FAILED", ["code NOT_UNIQUE"]);

  const shared = await patch(test, "rating", { unique: true, label: "Stars", indexed: true });
  assertRefusal(shared, 409, "CONFLICT", ["rating NOT_UNIQUE"]);
  const field = answered(await test.admin("GET", `${POSTS}/fields/rating`), 200);
  assertEquals([field.unique, field.label, field.indexed], [false, "rating", false]);

  // What stood in the way goes, in the bin or by a change: then it works, with all that was asked.
  for (const n of [5, 6]) answered(await test.admin("DELETE", `/documents/${ids[n]}`), 204);
  const made = answered(
    await patch(test, "rating", { unique: true, label: "Stars", name: "stars" }),
    200,
  );
  assertEquals([made.unique, made.label, made.name], [true, "Stars", "stars"]);
  const again = await test.admin("PATCH", `/documents/${ids[0]}`, { stars: 4 });
  assertRefusal(again, 422, "VALIDATION_FAILED", ["stars NOT_UNIQUE"]);

  answered(await patch(test, "stars", { unique: false }), 200);
  answered(await test.admin("PATCH", `/documents/${ids[0]}`, { stars: 4 }), 200);
  assertRefusal(await patch(test, "stars", { unique: true }), 409, "CONFLICT", [
    "stars NOT_UNIQUE",
  ]);
});

Deno.test("at most five fields may be unique", async () => {
  const { test } = await ratedPosts(0);
  await using _ = test;
  const field = (n: number) => ({ name: `u${n}`, type: "text", unique: true });
  for (let n = 0; n < 5; n++) answered(await test.admin("POST", `${POSTS}/fields`, field(n)), 201);
  assertRefusal(await test.admin("POST", `${POSTS}/fields`, field(5)), 409, "CONFLICT");
  assertRefusal(await patch(test, "code", { unique: true }), 409, "CONFLICT");
});

Deno.test("DELETE a field hides its values for good: one of the same name begins empty", async () => {
  const { test, token, ids } = await ratedPosts(2);
  await using _ = test;
  answered(await test.admin("DELETE", `${POSTS}/fields/rating`), 204);
  assertRefusal(await test.admin("GET", `${POSTS}/fields/rating`), 404, "NOT_FOUND");
  const without = (await test.call("GET", `/api/v1/posts/${ids[1]}`, { token })).json;
  assertEquals(["rating" in without, without.code], [false, "c1"]);

  const field = { name: "rating", type: "number", indexed: true, sortable: true };
  for (let round = 0; round < 3; round++) {
    answered(await test.admin("POST", `${POSTS}/fields`, field), 201);
    const shown = answered(await test.admin("GET", `/documents/${ids[1]}`), 200);
    assertEquals(shown.rating, null);
    assertEquals(await titles(test, token, "field.rating=1"), "");
    answered(await test.admin("PATCH", `/documents/${ids[1]}`, { rating: 1 }), 200);
    assertEquals(await titles(test, token, "field.rating=1"), "P1");
    answered(await test.admin("DELETE", `${POSTS}/fields/rating`), 204);
  }
});

Deno.test("a required field that is added later asks only those that publish", async () => {
  const { test, ids } = await ratedPosts(2);
  await using _ = test;
  answered(await test.admin("POST", `/documents/${ids[0]}/publish`), 202);
  const field = { name: "summary", type: "text", required: true };
  answered(await test.admin("POST", `${POSTS}/fields`, field), 201);

  const publish = await test.admin("POST", `/documents/${ids[1]}/publish`);
  assertRefusal(publish, 422, "VALIDATION_FAILED", ["summary REQUIRED"]);
  answered(await test.admin("PATCH", `/documents/${ids[1]}`, { rating: 3 }), 200);
  const live = await test.admin("PATCH", `/documents/${ids[0]}`, { rating: 3 });
  assertRefusal(live, 422, "VALIDATION_FAILED", ["summary REQUIRED"]);
});

Deno.test("PATCH a field's type is done at once without documents, and by a job with some", async () => {
  const { test, ids } = await ratedPosts(0);
  await using _ = test;
  const changed = answered(await patch(test, "rating", { type: "text" }), 200);
  assertEquals([changed.type, changed.options], ["text", {}]);
  answered(await patch(test, "rating", { type: "number", options: { min: 0 } }), 200);
  assertEquals(ids, []);
  const body = { collection: "posts", title: "T", rating: 3 };
  const { id } = answered(await test.admin("POST", "/documents", body), 201);

  const answer = await patch(test, "rating", { type: "text" });

  assertEquals(Object.keys(answered(answer, 202)), ["jobId"]);
  assertMatch(answer.json.jobId, /^[0-9A-Z]{26}$/);
  const job = answered(await test.admin("GET", `/jobs/${answer.json.jobId}`), 200);
  assertEquals([job.type, job.state, job.attempts], ["MIGRATE", "queued", 0]);
  assertEquals(answered(await test.admin("GET", `/documents/${id}`), 200).rating, 3);
  const bad = await patch(test, "code", { type: "select" });
  assertRefusal(bad, 422, "VALIDATION_FAILED", ["options.choices REQUIRED"]);
});

Deno.test("PATCH a field's type takes a definition of any size", async () => {
  const { test } = await ratedPosts(1);
  await using _ = test;
  const choices = Array.from({ length: 1_000 }, (_, n) => `choice ${n} ${"x".repeat(60)}`);
  answered(await patch(test, "code", { type: "select", options: { choices } }), 202);
});
