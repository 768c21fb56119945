/** Fields with unique values. */
import { assertEquals } from "../../../support/harness/assert.ts";
import { callApp, secondApp } from "../../../support/sites/app.ts";
import {
  assertRefused,
  headless,
  storePicture,
  versionCount,
} from "../../../support/sites/headless.ts";

Deno.test("a value that another document has is NOT_UNIQUE, whatever the statuses", async () => {
  await using test = await headless();
  await test.post({ title: "One", code: "A", status: "scheduled" });
  const two = await test.post({ title: "Two", code: "B", status: "published" });
  const before = await storePicture(test);
  const created = await test.v1("POST", "/posts", { body: { title: "T", code: "A" } });
  const patched = await test.v1("PATCH", `/posts/${two.id}`, { body: { code: "A" } });
  assertRefused(created, 422, "VALIDATION_FAILED", ["code NOT_UNIQUE"]);
  assertRefused(patched, 422, "VALIDATION_FAILED", ["code NOT_UNIQUE"]);
  assertEquals(await storePicture(test), before);
});

Deno.test("NOT_UNIQUE comes together with all other failures of a body", async () => {
  await using test = await headless();
  await test.post({ title: "One", code: "A" });
  const body = { title: "", code: "A", rating: "x" };
  assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
    "title TOO_SHORT",
    "code NOT_UNIQUE",
    "rating INVALID_TYPE",
  ]);
});

Deno.test("every field whose value is taken is named", async () => {
  await using test = await headless([
    { name: "code", type: "text", unique: true },
    { name: "number", type: "number", unique: true },
  ]);
  await test.post({ title: "One", code: "A" });
  await test.post({ title: "Two", number: 7 });
  const body = { title: "T", code: "A", number: 7 };
  assertRefused(await test.v1("POST", "/posts", { body }), 422, "VALIDATION_FAILED", [
    "code NOT_UNIQUE",
    "number NOT_UNIQUE",
  ]);
});

Deno.test("no value is not unique: any number of documents may have none", async () => {
  await using test = await headless();
  for (const code of [null, null]) await test.post({ title: "T", code });
  await test.post({ title: "T" });
});

Deno.test("a value is free again when it is cleared, changed or trashed", async () => {
  await using test = await headless();
  const ids: string[] = [];
  for (const code of ["A", "B", "C"]) ids.push((await test.post({ title: "T", code })).id);
  await test.v1("PATCH", `/posts/${ids[0]}`, { body: { code: null } });
  await test.v1("PATCH", `/posts/${ids[1]}`, { body: { code: "B2" } });
  await test.v1("DELETE", `/posts/${ids[2]}`);
  for (const code of ["A", "B", "C"]) await test.post({ title: "T", code });
  const own = await test.v1("PATCH", `/posts/${ids[1]}`, { body: { code: "B2", title: "U" } });
  assertEquals(own.status, 200, "its own value is no conflict");
});

Deno.test("values differ by case and by every character", async () => {
  await using test = await headless();
  for (const code of ["a", "A", " a", "á", "a\u0301", ""]) await test.post({ title: "T", code });
});

Deno.test("of many that take one value at once one succeeds", async () => {
  await using test = await headless();
  const apps = [test.app, secondApp(test.context).app];
  const call = { token: test.full, body: { title: "T", code: "A" } };
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => callApp(apps[n % 2]!, "POST", "/api/v1/posts", call)),
  );
  assertEquals(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)]);
  assertEquals((await test.v1("GET", "/posts")).json.meta.total, 1);
});

Deno.test("a swap in two steps is recorded in full", async () => {
  await using test = await headless();
  const one = await test.post({ title: "One", code: "A" });
  const two = await test.post({ title: "Two", code: "B" });
  for (const [id, code] of [[one.id, "tmp"], [two.id, "A"], [one.id, "B"]]) {
    assertEquals((await test.v1("PATCH", `/posts/${id}`, { body: { code } })).status, 200);
  }
  assertEquals(await versionCount(test, one.id), 3);
});
