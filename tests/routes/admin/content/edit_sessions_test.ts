/**
 * Sittings: what one person types without a longer pause is one entry of history, and one that PRUNE counts.
 */
import { assertEquals } from "@std/assert";
import { pruneEntity } from "../../../../kv/history/prune.ts";
import type { CurrentRow } from "../../../../kv/versioning/entities.ts";
import { currentKey, versionPrefix } from "../../../../kv/keys.ts";
import { EditSessionPages } from "../../../../kv/versioning/edit_sessions.ts";
import { type TestApp, testApp } from "../../../support/sites/app.ts";
import { type Admin, setUpAdmin } from "../../../support/sites/backups.ts";
import { seededRandom } from "../../../support/seeded_random.ts";
import { typeTitle } from "../../../support/harness/live_typing.ts";

async function noteSite() {
  const app = await testApp();
  const admin = await setUpAdmin(app);
  await admin.ask("POST", "/collections", { slug: "notes", name: "Notes", fields: [] });
  const { json } = await admin.ask("POST", "/documents", { collection: "notes", title: "One" });
  return { app, admin, id: json.id as string };
}

/** A user types a title, and it becomes a version. */
function type({ context, deps }: TestApp, id: string, by: string, title: string) {
  return typeTitle({ context, content: deps.content }, id, by, title);
}

async function sittings(admin: Admin, id: string, query = "") {
  const { json } = await admin.ask("GET", `/versions/document/${id}?group=sitting${query}`);
  const items = json.data.map((one: Record<string, unknown>) => [one.version_number, one.count]);
  return { items, total: json.meta.total, data: json.data };
}

Deno.test("?group=sitting lists the versions of one edit session as one", async () => {
  const { app, admin, id } = await noteSite();
  await using _app = app;
  const start = app.context.now();
  for (const title of ["A", "B", "C"]) {
    app.context.advance(60_000);
    await type(app, id, "ada", title);
  }
  await type(app, id, "ben", "D");
  await type(app, id, "ada", "E");
  app.context.advance(600_000);
  await type(app, id, "ada", "F");
  await admin.ask("PATCH", `/documents/${id}`, { title: "G" });
  await type(app, id, "ada", "H");

  const { items, total, data } = await sittings(admin, id);
  assertEquals(items, [[9, 1], [8, 1], [7, 1], [6, 1], [5, 1], [4, 3], [1, 1]]);
  assertEquals([total, data[5].since], [7, Math.floor(start / 1000) + 60]);
  const page = await sittings(admin, id, "&perPage=2&page=3");
  assertEquals([page.items, page.total], [[[5, 1], [4, 3]], 7]);
  for (const query of ["group=day", "group=sitting&group=sitting"]) {
    const wrong = await admin.ask("GET", `/versions/document/${id}?${query}`);
    assertEquals([wrong.status, wrong.json.error.code], [400, "PARAMETER_INVALID"], query);
  }
});

Deno.test("a process that reads only newer versions lists the sittings that all versions give", async () => {
  const { app, admin, id } = await noteSite();
  await using _app = app;
  const random = seededRandom(7);
  const rowsRead = async (pages: EditSessionPages) => {
    const { driver } = app.context.store;
    const { list } = driver;
    let rows = 0;
    driver.list = async function* (range, options) {
      for await (const entry of list.call(driver, range, options)) {
        if (entry.key[0] === versionPrefix("document", id)[0]) rows += 1;
        yield entry;
      }
    };
    await pages.read("document", id, { skip: 0, limit: 1 });
    driver.list = list;
    return rows;
  };
  for (let step = 0; step < 60; step++) {
    const chance = random();
    if (chance < 0.2) app.context.advance(600_000);
    if (chance < 0.8) await type(app, id, chance < 0.5 ? "ada" : "ben", `Title ${step}`);
    else if (chance < 0.9) await admin.ask("PATCH", `/documents/${id}`, { title: `T ${step}` });
    else if (chance < 0.95) {
      const { json } = await admin.ask("GET", `/versions/document/${id}?perPage=100`);
      const version = json.data[Math.floor(random() * json.data.length)];
      await admin.ask("PATCH", `/versions/${version.id}`, { name: `Name ${step}` });
    } else {
      const { value } = await app.context.store.get<CurrentRow>(currentKey("document", id));
      await pruneEntity(app.context, [], "document", { id, current: value!, keep: 8 });
    }
    const range = { skip: Math.floor(random() * 3), limit: 5 };
    const fresh = new EditSessionPages(app.context);
    assertEquals(
      await app.deps.editSessions.read("document", id, range),
      await fresh.read("document", id, range),
      `step ${step}`,
    );
  }
  await type(app, id, "cem", "The last one");
  assertEquals(await rowsRead(app.deps.editSessions), 2);
});

Deno.test("PRUNE counts sittings, and keeps named and once published versions", async () => {
  const { app, admin, id } = await noteSite();
  await using _app = app;
  const prune = async (keep: number) => {
    const { value } = await app.context.store.get<CurrentRow>(currentKey("document", id));
    await pruneEntity(app.context, [], "document", { id, current: value!, keep });
    return (await sittings(admin, id)).items;
  };
  for (const person of ["ada", "ben", "ada"]) {
    for (let n = 0; n < 20; n++) await type(app, id, person, `${person} ${n}`);
  }
  assertEquals(await prune(3), [[61, 20], [41, 20], [21, 20]]);
  const { json } = await admin.ask("GET", `/versions/document/${id}?perPage=100`);
  const named = json.data.find((one: { version_number: number }) => one.version_number === 30);
  const answer = await admin.ask("PATCH", `/versions/${named.id}`, { name: " For review " });
  assertEquals([answer.status, answer.json.name], [200, "For review"]);
  assertEquals(await prune(1), [[61, 20], [30, 1]]);
  assertEquals((await admin.ask("PATCH", `/versions/${named.id}`, { name: null })).json.name, null);
  assertEquals(await prune(1), [[61, 20]]);

  await admin.ask("POST", `/documents/${id}/publish`);
  for (const person of ["ada", "ben", "ada", "ben"]) await type(app, id, person, person);
  assertEquals(await prune(1), [[66, 1], [62, 1]]);
  for (let n = 0; n < 12; n++) await type(app, id, `person ${n}`, `${n}`);
  assertEquals(await prune(1), [[78, 1], [62, 1]]);
  for (let n = 0; n < 12; n++) {
    await type(app, id, "ada", `change ${n}`);
    await admin.ask("POST", `/documents/${id}/publish`);
  }
  const kept = await prune(1);
  const newest = Array.from({ length: 10 }, (_, n) => [102 - 2 * n, 1]);
  assertEquals(kept, newest, "up to ten times the cap");
  for (const name of ["", "x".repeat(101), 7]) {
    assertEquals((await admin.ask("PATCH", `/versions/${named.id}`, { name })).status, 422);
  }
});
