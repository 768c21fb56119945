import { noise } from "../../../support/noise.ts";
import { SETTINGS } from "../../../../kv/model/entities/setting.ts";
import type { Json } from "../../../../kv/model/entities/entity.ts";
import { answered, assertRefusal, detailsOf } from "../../../support/sites/admin_answers.ts";
import { testApp } from "../../../support/sites/app.ts";
import { assert, assertEquals } from "../../../support/harness/assert.ts";

Deno.test("GET /api/admin/settings answers all settings, flat, with what they are until set", async () => {
  await using test = await testApp();
  await test.setUp();

  const settings = answered(await test.admin("GET", "/settings"), 200);

  const keys = Object.keys(SETTINGS).filter((key) => !SETTINGS[key]!.optional);
  assertEquals(Object.keys(settings).sort(), keys.sort());
  assertEquals(settings["site.title"], "The Lantern");
  assertEquals(settings["images.transform_enabled"], true);
  assertEquals([settings["versions.keep.document"], settings["versions.keep.user"]], [100, 50]);
  assertEquals(settings["packages.publishers"], []);
});

Deno.test("PATCH /api/admin/settings changes the given settings, each as a version of its own", async () => {
  await using test = await testApp();
  await test.setUp();
  const before = answered(await test.admin("GET", "/settings"), 200);
  const changes = { "site.title": "New", "site.language": "de", "versions.keep.document": 7 };

  const after = answered(await test.admin("PATCH", "/settings", changes), 200);

  assertEquals(after, { ...before, ...changes });
  assertEquals(answered(await test.admin("GET", "/settings"), 200), after);
  for (const body of [{}, changes] as Json[]) {
    assertEquals(answered(await test.admin("PATCH", "/settings", body), 200), after);
  }
  const state = answered(
    await test.admin("GET", `/state-at?timestamp=${test.context.now() / 1000}`),
    200,
  );
  assert(state.entities.setting.count >= 3);
});

Deno.test("PATCH /api/admin/settings refuses unknown keys and wrong values, all together", async () => {
  await using test = await testApp();
  await test.setUp();
  const before = answered(await test.admin("GET", "/settings"), 200);
  const answer = await test.admin("PATCH", "/settings", {
    "site.title": "",
    "site.url": "ftp://example.org",
    "site.timezone": "Mars/Olympus",
    "images.transform_enabled": "yes",
    "versions.keep.document": 0,
    "exports.keep": 5,
    "no.such": 1,
    toString: 1,
    "secret.": "x",
    "secret.ok": 5,
  });

  assertEquals([answer.status, detailsOf(answer)], [422, [
    "images.transform_enabled INVALID_TYPE",
    "no.such UNKNOWN_KEY",
    "secret. UNKNOWN_KEY",
    "secret.ok INVALID_TYPE",
    "site.timezone PATTERN_MISMATCH",
    "site.title TOO_SHORT",
    "site.url PATTERN_MISMATCH",
    "toString UNKNOWN_KEY",
    "versions.keep.document TOO_SMALL",
  ]]);
  assertEquals(answered(await test.admin("GET", "/settings"), 200), before);
  const proto = await test.admin("PATCH", "/settings", undefined, {
    raw: '{"__proto__": 1}',
    headers: { "content-type": "application/json" },
  });
  assertRefusal(proto, 422, "VALIDATION_FAILED");
});

Deno.test("secret settings are kept, used and never shown", async () => {
  await using test = await testApp();
  await test.setUp();
  const secret = "hunter2-and-more";
  const patched = await test.admin("PATCH", "/settings", { "secret.smtp": secret });
  answered(patched, 200);
  assertEquals(await test.deps.settings.get("secret.smtp"), secret);
  const read = await test.admin("GET", "/settings");
  const at = await test.admin("GET", `/state-at?timestamp=${test.context.now() / 1000}`);
  const texts = [patched.text, read.text, at.text];
  const log = await test.context.store.listAll<{ n: number }>({ prefix: ["live", "setting"] });
  assert(log.length > 0);
  for (const { key } of log) {
    const path = `/versions/setting/${String(key.at(-1))}`;
    const list = await test.admin("GET", path);
    texts.push(list.text);
    for (const { id } of list.json.data) {
      texts.push((await test.admin("GET", `/versions/${id}`)).text);
    }
  }
  for (const text of texts) assert(!text.includes(secret));
  assert(!("secret.smtp" in read.json));
  answered(await test.admin("PATCH", "/settings", { "secret.smtp": null }), 200);
  assertEquals(await test.deps.settings.get("secret.smtp"), null);
});

Deno.test("PATCH /api/admin/settings refuses what one commit cannot hold", async () => {
  await using test = await testApp();
  await test.setUp();
  const many = (count: number, chars: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [`secret.s${n}`, noise(chars, n)]),
    );
  answered(await test.admin("PATCH", "/settings", many(100, 100)), 200);
  assertRefusal(await test.admin("PATCH", "/settings", many(340, 1)), 413, "PAYLOAD_TOO_LARGE");
  assertRefusal(await test.admin("PATCH", "/settings", many(60, 9_000)), 413, "PAYLOAD_TOO_LARGE");
  assertEquals(await test.deps.settings.get("secret.s0"), noise(100, 0));
});
