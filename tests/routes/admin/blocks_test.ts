import { answered, assertRefusal, listed } from "../../support/admin_answers.ts";
import { testApp } from "../../support/app.ts";
import { assertEquals } from "../../support/assert.ts";
import { NOON_SECONDS } from "../../support/headless.ts";

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
    colour: 1,
    fields: [{ name: "a", type: "select" }, { name: "b", type: "x" }, { type: "text" }],
  };
  const refused = [
    "colour UNKNOWN_KEY",
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
