import { assertEquals } from "@std/assert";
import { UNATTENDED } from "../../../../kv/model/entities/entity.ts";
import { SITE_TYPES } from "../../../../kv/model/entities/entity_kinds.ts";
import { compactTimeline } from "../../../../kv/history/timeline/compaction.ts";
import { versionedWrite } from "../../../../kv/versioning/versioned_write.ts";
import { callApp } from "../../../support/sites/app.ts";
import { HistorySite } from "../../../support/harness/history_site.ts";

const at = (site: HistorySite, timestamp: number) =>
  site.want(200, "GET", `/state-at?timestamp=${timestamp}`);

Deno.test("GET /api/admin/state-at answers all fourteen types with counts and small samples", async () => {
  await using site = await HistorySite.open();
  const { id: collectionId } = await site.want(201, "POST", "/collections", {
    slug: "posts",
    name: "Posts",
    fields: [{ name: "body", label: "Body", type: "text" }],
  });
  const documents: string[] = [];
  for (let n = 1; n <= 7; n++) {
    const post = { collection: "posts", title: `Post ${n}` };
    documents.push((await site.want(201, "POST", "/documents", post)).id);
  }
  await site.want(201, "POST", "/blocks", { name: "quote", label: "Quote", fields: [] });
  await site.want(201, "POST", "/tokens", { name: "ci", scopes: ["*"] });
  await site.want(200, "PATCH", "/settings", { "secret.key": "hush" });

  const { status, text, json } = await site.ask("GET", `/state-at?timestamp=${site.now}`);

  assertEquals(status, 200);
  assertEquals([json.timestamp, Object.keys(json).sort()], [site.now, ["entities", "timestamp"]]);
  assertEquals(Object.keys(json.entities).sort(), [...SITE_TYPES].sort());
  const { document, user, setting, collection, field_definition, role, theme } = json.entities;
  assertEquals(document.count, 7);
  assertEquals(
    document.sample,
    documents.slice(-5).reverse().map((id, index) => ({
      id,
      title: `Post ${7 - index}`,
      status: "draft",
    })),
  );
  assertEquals(user, { count: 1, sample: [{ id: site.userId, displayName: "Ada" }] });
  assertEquals(setting.count, 3);
  assertEquals(setting.sample, [{ key: "site.url" }, { key: "site.title" }]);
  assertEquals(collection, { count: 1, sample: [{ id: collectionId, name: "Posts" }] });
  assertEquals(field_definition.sample[0].name, "body");
  assertEquals(role.count, 4);
  assertEquals(theme, { count: 0, sample: [] });
  for (const secret of ["passwordHash", "hush", "hash", "value"]) {
    assertEquals(text.includes(secret), false, secret);
  }
});

Deno.test("GET /api/admin/state-at is exact at the second", async () => {
  await using site = await HistorySite.open();
  const before = site.pass();
  const { id } = await site.want(201, "POST", "/roles", { name: "one", permissions: [] });
  // Many versions in one second: the last one counts.
  await site.want(200, "PATCH", `/roles/${id}`, { name: "two" });
  await site.want(200, "PATCH", `/roles/${id}`, { name: "three" });
  const created = site.pass();
  await site.want(204, "DELETE", `/roles/${id}`);
  const deleted = site.pass();
  await site.restore("role", id, 1);
  const again = site.pass();
  const name = async (timestamp: number) => {
    const { role } = (await at(site, timestamp)).entities;
    const found = role.sample.find((one: { id: string }) => one.id === id);
    return [role.count, found?.name ?? null];
  };

  assertEquals(await name(0), [0, null]);
  assertEquals(await name(before), [4, null]);
  assertEquals(await name(created - 1), [4, null]);
  assertEquals(await name(created), [5, "three"]);
  assertEquals(await name(deleted - 1), [5, "three"]);
  assertEquals(await name(deleted), [4, null]);
  assertEquals(await name(again), [5, "one"]);
  assertEquals(await name(again + 100_000), [5, "one"]);
});

Deno.test("GET /api/admin/state-at is the same before and after the log is compacted, at once after a write", async () => {
  await using site = await HistorySite.open();
  const { id } = await site.want(201, "POST", "/roles", { name: "one", permissions: [] });
  const then = site.pass();
  const answer = await at(site, then);

  for (const type of SITE_TYPES) {
    while (!(await compactTimeline(site.app.context, type, { eventsMin: 1 })).done);
  }
  const compacted = await at(site, then);
  await site.want(200, "PATCH", `/roles/${id}`, { name: "two" });

  assertEquals(compacted, answer);
  assertEquals((await at(site, then)).entities, answer.entities);
  assertEquals((await at(site, site.now)).entities.role.sample[0].name, "two");
});

Deno.test("GET /api/admin/state-at takes a late version with an earlier time in", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  const slow = { ...context, now: () => context.now() - 30_000 };
  for (const type of SITE_TYPES) {
    while (!(await compactTimeline(context, type, { eventsMin: 1 })).done);
  }
  const id = context.newId(slow.now());
  await versionedWrite(slow, UNATTENDED, async (transaction) => {
    transaction.save(
      "theme",
      id,
      await transaction.head("theme", id),
      { id, name: "Late" } as never,
    );
  });

  const theme = { count: 1, sample: [{ id, name: "Late" }] };
  assertEquals((await at(site, site.now - 30)).entities.theme, theme);
  assertEquals((await at(site, site.now - 31)).entities.theme.count, 0);
});

Deno.test("GET /api/admin/state-at says so where pruning took away what an instant needs", async () => {
  await using site = await HistorySite.open();
  await site.want(200, "PATCH", "/settings", { "versions.keep.role": 2 });
  const { id } = await site.want(201, "POST", "/roles", { name: "one", permissions: [] });
  const first = site.pass();
  for (const name of ["two", "three", "four"]) {
    await site.want(200, "PATCH", `/roles/${id}`, { name });
    site.pass();
  }
  await site.run("PRUNE");

  const pruned = await at(site, first);
  const before = await at(site, first - 1);
  const now = await at(site, site.now);

  assertEquals([pruned.complete, pruned.entities.role.complete], [false, false]);
  assertEquals(pruned.entities.role.count, 5);
  assertEquals(pruned.entities.role.sample.some((one: { id: string }) => one.id === id), false);
  assertEquals("complete" in pruned.entities.user, false);
  assertEquals(["complete" in before, before.entities.role.count], [false, 4]);
  assertEquals(["complete" in now, now.entities.role.count], [false, 5]);
});

Deno.test("GET /api/admin/state-at/diff lists entities created, changed and removed in between", async () => {
  await using site = await HistorySite.open();
  const kept = await site.want(201, "POST", "/roles", { name: "kept", permissions: [] });
  const doomed = await site.want(201, "POST", "/roles", { name: "doomed", permissions: [] });
  const from = site.pass();
  await site.want(200, "PATCH", `/roles/${kept.id}`, { name: "renamed" });
  await site.want(204, "DELETE", `/roles/${doomed.id}`);
  const fresh = await site.want(201, "POST", "/roles", { name: "fresh", permissions: [] });
  const brief = await site.want(201, "POST", "/roles", { name: "brief", permissions: [] });
  await site.want(204, "DELETE", `/roles/${brief.id}`);
  const to = site.pass();

  const diff = await site.want(200, "GET", `/state-at/diff?from=${from}&to=${to}`);
  const back = await site.want(200, "GET", `/state-at/diff?from=${to}&to=${from}`);

  assertEquals([diff.from, diff.to, "complete" in diff], [from, to, false]);
  assertEquals(Object.keys(diff.entities).length, 14);
  assertEquals(diff.entities.role, {
    created: { count: 1, sample: [{ id: fresh.id, name: "fresh" }] },
    changed: { count: 1, sample: [{ id: kept.id, name: "renamed" }] },
    removed: { count: 1, sample: [{ id: doomed.id, name: "doomed" }] },
  });
  assertEquals(back.entities.role.created.sample, [{ id: doomed.id, name: "doomed" }]);
  assertEquals(back.entities.role.changed.sample, [{ id: kept.id, name: "kept" }]);
  const none = { count: 0, sample: [] };
  assertEquals(diff.entities.document, { created: none, changed: none, removed: none });
});

Deno.test("GET /api/admin/state-at refuses invalid instants", async () => {
  await using site = await HistorySite.open();
  for (
    const [query, code] of [
      ["", "REQUIRED"],
      ["?timestamp=", "REQUIRED"],
      ["?timestamp=now", "INVALID_TYPE"],
      ["?timestamp=1.5", "INVALID_TYPE"],
      ["?timestamp=1&timestamp=2", "INVALID_TYPE"],
      ["?timestamp=-1", "TOO_SMALL"],
      ["?timestamp=1764000000000", "TOO_LARGE"],
    ]
  ) {
    const { status, json } = await site.ask("GET", `/state-at${query}`);
    assertEquals([query, status, json.error.code], [query, 422, "VALIDATION_FAILED"]);
    assertEquals(json.error.details[0], { ...json.error.details[0], field: "timestamp", code });
  }
  assertEquals(await site.refusal("GET", "/state-at/diff?from=1"), [422, "VALIDATION_FAILED"]);
  assertEquals(await site.refusal("POST", "/state-at"), [405, "METHOD_NOT_ALLOWED"]);
});

Deno.test("GET /api/admin/state-at is for administrators", async () => {
  await using site = await HistorySite.open();
  const bo = { email: "bo@example.org", password: "another long one" };
  await site.want(201, "POST", "/users", { ...bo, displayName: "Bo", roles: ["editor"] });
  const session = await site.ask("POST", "/session", bo);
  const cookie = session.headers.get("set-cookie")!.split(";")[0]!;

  for (const path of ["/state-at?timestamp=1", "/state-at/diff?from=1&to=2"]) {
    const get = (headers: Record<string, string>) =>
      callApp(site.app.app, "GET", `/api/admin${path}`, { headers });
    assertEquals([(await get({ cookie })).status, (await get({})).status], [403, 401]);
  }
});
