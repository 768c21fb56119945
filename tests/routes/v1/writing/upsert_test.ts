/** PUT by slug, and dry runs. */
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { assertEquals } from "../../../support/harness/assert.ts";
import {
  assertRefused,
  headless,
  storePicture,
  versionCount,
} from "../../../support/sites/headless.ts";

Deno.test("PUT by slug creates, then replaces the values given", async () => {
  await using test = await headless();
  const path = "/posts/by-slug/hello";
  const made = await test.v1("PUT", path, { body: { title: "A title", rating: 3 } });
  assertEquals([made.status, made.json.slug, made.json.status], [201, "hello", "draft"]);
  assertEquals(made.headers.get("location"), `/api/v1/posts/${made.json.id}`);
  const changed = await test.v1("PUT", path, { body: { summary: "Short" } });
  assertEquals([changed.status, changed.json.id], [200, made.json.id]);
  assertEquals([changed.json.title, changed.json.rating, changed.json.summary], [
    "A title",
    3,
    "Short",
  ]);
  assertEquals(changed.headers.get("location"), null);
  assertEquals(await versionCount(test, made.json.id), 2);
  assertEquals((await test.v1("PUT", path, { body: { summary: "Short" } })).text, changed.text);
  assertEquals(await versionCount(test, made.json.id), 2);
});

Deno.test("PUT by slug follows the conditions and rules of the other writes", async () => {
  await using test = await headless();
  const path = "/posts/by-slug/hello";
  const onlyNew = { headers: { "if-none-match": "*" } };
  const body = { title: "Hello" };
  assertRefused(
    await test.v1("PUT", path, { body, headers: { "if-match": '"x"' } }),
    412,
    "PRECONDITION_FAILED",
  );
  const made = await test.v1("PUT", path, { body, ...onlyNew });
  assertEquals(made.status, 201);
  assertRefused(await test.v1("PUT", path, { body, ...onlyNew }), 412, "PRECONDITION_FAILED");
  const stale = { headers: { "if-match": made.headers.get("etag")! } };
  assertEquals((await test.v1("PUT", path, { body: { rating: 1 }, ...stale })).status, 200);
  assertRefused(
    await test.v1("PUT", path, { body: { rating: 2 }, ...stale }),
    412,
    "PRECONDITION_FAILED",
  );
  assertRefused(
    await test.v1("PUT", path, { body: { status: "published" } }),
    422,
    "STATUS_TRANSITION_NOT_SUPPORTED",
  );
  assertRefused(await test.v1("PUT", path, { body: { slug: "other" } }), 422, "VALIDATION_FAILED", [
    "slug INVALID_CHOICE",
  ]);
  assertEquals((await test.v1("PUT", path, { body: { slug: "hello" } })).status, 200);
  assertRefused(
    await test.v1("PUT", "/posts/by-slug/No!", { body }),
    422,
    "VALIDATION_FAILED",
    ["slug PATTERN_MISMATCH"],
  );
  assertRefused(
    await test.v1("PUT", "/posts/by-slug/new", { body: {} }),
    422,
    "VALIDATION_FAILED",
    ["title REQUIRED"],
  );
  const reader = await test.token({ scopes: ["posts:read", "posts:read-drafts"] });
  assertRefused(await test.v1("PUT", path, { body, token: reader }), 403, "FORBIDDEN");
});

Deno.test("a slug that a trashed document gave up can be created again", async () => {
  await using test = await headless();
  const first = await test.v1("PUT", "/posts/by-slug/hello", { body: { title: "One" } });
  await test.v1("DELETE", `/posts/${first.json.id}`);
  const second = await test.v1("PUT", "/posts/by-slug/hello", { body: { title: "Two" } });
  assertEquals([second.status, second.json.id === first.json.id], [201, false]);
});

Deno.test("many PUTs of one slug at once make one document", async () => {
  await using test = await headless();
  const answers = await Promise.all(
    Array.from(
      { length: 12 },
      (_, n) =>
        test.v1("PUT", "/posts/by-slug/hello", { body: { title: "Hello", rating: n % 11 } }),
    ),
  );
  assertEquals(new Set(answers.map(({ json }) => json.id)).size, 1);
  assertEquals(answers.filter(({ status }) => status === 201).length, 1);
  assertEquals(answers.filter(({ status }) => status === 200).length, 11);
});

Deno.test("a dry run answers what would be, or the refusal, and writes nothing", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello", code: "taken" });
  const before = await storePicture(test);
  const created = await test.v1("POST", "/posts?dryRun=true", { body: { title: "Hello" } });
  assertEquals([created.status, created.json.slug], [200, "hello-2"]);
  for (const name of ["etag", "location"]) assertEquals(created.headers.get(name), null);
  const patched = await test.v1("PATCH", `/posts/${id}?dryRun=true`, { body: { rating: 9 } });
  assertEquals([patched.status, patched.json.rating, patched.json.title], [200, 9, "Hello"]);
  const put = await test.v1("PUT", "/posts/by-slug/new?dryRun=true", { body: { title: "New" } });
  assertEquals([put.status, put.json.slug], [200, "new"]);
  assertRefused(
    await test.v1("POST", "/posts?dryRun=true", { body: { title: "X", slug: "hello" } }),
    409,
    "SLUG_CONFLICT",
  );
  assertRefused(
    await test.v1("POST", "/posts?dryRun=true", { body: { title: "X", code: "taken" } }),
    422,
    "VALIDATION_FAILED",
    ["code NOT_UNIQUE"],
  );
  for (const path of [`/posts/${id}?dryRun=true`, `/posts/${id}?dryRun=maybe`]) {
    assertRefused(await test.v1("DELETE", path), 400, "PARAMETER_INVALID");
  }
  assertEquals(await storePicture(test), before);
});

Deno.test("a dry run leaves its idempotency key free", async () => {
  await using test = await headless();
  const call = { body: { title: "Hello" }, headers: { "idempotency-key": "a" } };
  assertEquals((await test.v1("POST", "/posts?dryRun=true", call)).status, 200);
  assertEquals((await test.v1("POST", "/posts", call)).status, 201);
});

Deno.test("PUT by slug tells everything that is wrong with its body at once, before its conditions", async () => {
  await using test = await headless();
  await test.post({ title: "One" });
  const wrong = { rating: "x", nope: 1 };
  const details = ["nope UNKNOWN_KEY", "rating INVALID_TYPE"];
  const put = (path: string, body: Record<string, Json>, headers = {}) =>
    test.v1("PUT", `/posts/by-slug/${path}`, { body, headers });

  for (const slug of ["two", "Two!", 5, null]) {
    const answer = await put("one", { ...wrong, slug });
    assertRefused(answer, 422, "VALIDATION_FAILED", [...details, "slug INVALID_CHOICE"]);
  }
  const misplaced = await put("No!", { ...wrong, title: "T" });
  assertRefused(misplaced, 422, "VALIDATION_FAILED", [...details, "slug PATTERN_MISMATCH"]);
  const onlyNew = await put("one", wrong, { "if-none-match": "*" });
  assertRefused(onlyNew, 422, "VALIDATION_FAILED", details);
  const gone = await put("gone", { ...wrong, title: "T" }, { "if-match": "*" });
  assertRefused(gone, 422, "VALIDATION_FAILED", details);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 1);
});

Deno.test("a dry run that is asked for twice, or of what has none, is refused and not carried out", async () => {
  await using test = await headless();
  const { id } = await test.post({ title: "Hello" });
  const before = await storePicture(test);
  const body = { title: "Other" };
  const ndjson = { "content-type": "application/x-ndjson" };
  const line = JSON.stringify({ op: "create", body });
  for (const query of ["dryRun=false&dryRun=true", "dryRun=true&dryRun=true"]) {
    assertRefused(await test.v1("POST", `/posts?${query}`, { body }), 400, "PARAMETER_INVALID");
    const patched = await test.v1("PATCH", `/posts/${id}?${query}`, { body });
    assertRefused(patched, 400, "PARAMETER_INVALID");
  }
  const bulk = await test.v1("POST", "/posts/_bulk?dryRun=true", { raw: line, headers: ndjson });
  assertRefused(bulk, 400, "PARAMETER_INVALID");
  const media: [string, string][] = [
    ["POST", "/media"],
    ["PATCH", `/media/${id}`],
    ["DELETE", `/media/${id}`],
  ];
  for (const [method, path] of media) {
    const given = method === "DELETE" ? {} : { body: { alt: "x" } };
    const answer = await test.v1(method, `${path}?dryRun=true`, given);
    assertRefused(answer, 400, "PARAMETER_INVALID");
  }
  assertEquals(await storePicture(test), before);
});
