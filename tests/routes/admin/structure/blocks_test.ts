import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, listed } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";
import { NOON_SECONDS } from "../../../support/sites/headless.ts";

const QUOTE = { name: "quote", label: "Quote", fields: [{ name: "text", type: "text" }] };

Deno.test("/api/admin/blocks defines, shows, changes and removes kinds of blocks", async () => {
  await using test = await testApp();
  await test.setUp();
  const answer = await test.admin("POST", "/blocks", QUOTE);
  const made = answered(answer, 201);
  assertEquals(answer.headers.get("location"), "/api/admin/blocks/quote");
  const { id: _id, ...shown } = made;
  assertEquals(shown, {
    name: "quote",
    label: "Quote",
    fields: [{
      name: "text",
      label: "text",
      type: "text",
      required: false,
      help: "",
      options: {},
    }],
    createdAt: NOON_SECONDS,
    updatedAt: NOON_SECONDS,
  });
  assertEquals(answered(await test.admin("GET", "/blocks/quote"), 200), made);
  answered(await test.admin("POST", "/blocks", { name: "aside" }), 201);
  const names = listed(await test.admin("GET", "/blocks")).map(({ name }) => name);
  assertEquals(names, ["aside", "quote"]);

  test.context.advance(2_000);
  const patched = answered(await test.admin("PATCH", "/blocks/quote", { label: "Said" }), 200);
  assertEquals(patched, { ...made, label: "Said", updatedAt: NOON_SECONDS + 2 });
  assertEquals(answered(await test.admin("PATCH", "/blocks/quote", patched), 200), patched);
  answered(await test.admin("PATCH", "/blocks/quote", { name: "citation" }), 200);
  assertRefusal(await test.admin("GET", "/blocks/quote"), 404, "NOT_FOUND");
  answered(await test.admin("DELETE", "/blocks/citation"), 204);
  assertRefusal(await test.admin("DELETE", "/blocks/citation"), 404, "NOT_FOUND");
  const { data } = answered(
    await test.admin("GET", `/versions/block_definition/${made.id}`),
    200,
  );
  assertEquals(data.map(({ version_number: n }: { version_number: number }) => n), [4, 3, 2, 1]);
});

Deno.test("/api/admin/blocks refuses taken names, bad fields and unknown keys", async () => {
  await using test = await testApp();
  await test.setUp();
  answered(await test.admin("POST", "/blocks", QUOTE), 201);
  answered(await test.admin("POST", "/blocks", { name: "aside" }), 201);
  assertRefusal(await test.admin("POST", "/blocks", QUOTE), 409, "CONFLICT");
  assertRefusal(await test.admin("PATCH", "/blocks/aside", { name: "quote" }), 409, "CONFLICT");
  assertRefusal(await test.admin("PATCH", "/blocks/nothing", {}), 404, "NOT_FOUND");
  const bad = {
    name: "not a name",
    color: 1,
    fields: [{ name: "a", type: "select" }, { name: "b", type: "x" }, { type: "text" }],
  };
  const refused = [
    "color UNKNOWN_KEY",
    "fields.0.options.choices REQUIRED",
    "fields.1.type INVALID_CHOICE",
    "fields.2.name REQUIRED",
  ];
  const name = "name PATTERN_MISMATCH";
  const created = await test.admin("POST", "/blocks", bad);
  assertRefusal(created, 422, "VALIDATION_FAILED", [...refused, name]);
  const patched = await test.admin("PATCH", "/blocks/quote", bad);
  assertRefusal(patched, 422, "VALIDATION_FAILED", [...refused, name]);
  assertRefusal(await test.admin("POST", "/blocks", {}), 422, "VALIDATION_FAILED", [
    "name REQUIRED",
  ]);
});

Deno.test("blocks whose kind is gone, renamed or stricter stay in a document that is changed", async () => {
  await using test = await testApp();
  await test.setUp();
  const fields = [{ name: "words", type: "text" }];
  answered(await test.admin("POST", "/blocks", { name: "quote", label: "Quote", fields }), 201);
  await test.collection({
    slug: "pages",
    name: "Pages",
    fields: [{ name: "parts", type: "block" }],
  });
  const quote = (id: string, words: string) => ({ type: "quote", id, data: { words } });
  const parts = [quote("b1", "One"), quote("b2", "Two")];
  const { id } = answered(
    await test.admin("POST", "/documents", {
      collection: "pages",
      title: "P",
      parts,
      blocks: parts,
    }),
    201,
  );
  const patch = (body: Record<string, Json>) => test.admin("PATCH", `/documents/${id}`, body);
  const changes: [string, string, Json?][] = [
    ["PATCH", "/blocks/quote", { fields: [{ name: "said", type: "text" }] }],
    ["PATCH", "/blocks/quote", { name: "pullQuote" }],
    ["DELETE", "/blocks/pullQuote"],
  ];
  for (const [method, path, body] of changes) {
    assert((await test.admin(method, path, body)).status < 300);
    const whole = answered(await test.admin("GET", `/documents/${id}`), 200);
    answered(await patch(whole), 200);
    answered(await patch({ parts: parts.toReversed(), blocks: [parts[1]!] }), 200);
    answered(await patch({ parts, blocks: parts }), 200);
    // Only what is there already: neither another nor a changed one.
    assertEquals((await patch({ parts: [...parts, quote("b3", "Three")] })).status, 422);
    assertEquals((await patch({ parts: [quote("b1", "Other")] })).status, 422);
  }
  answered(await test.admin("POST", `/documents/${id}/publish`), 202);
  assertEquals(answered(await test.admin("GET", `/documents/${id}`), 200).parts, parts);
});
