/**
 * The properties of the specification's section "Entity version history", each by its number.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { CHANGED, CREATED } from "../../kv/versioning/timeline/events.ts";
import { readLog } from "../../kv/versioning/timeline/log.ts";
import {
  type CurrentRow,
  readHead,
  type VersionRow,
  versionState,
} from "../../kv/versioning/entities.ts";
import { findVersionLocation } from "../../kv/versioning/version_locations.ts";
import { currentKey, currentPrefix, lastUsedKey, versionKey } from "../../kv/keys.ts";
import { SPILL_BYTES } from "../../kv/limits/store.ts";
import { UNATTENDED } from "../../kv/model/entities/entity.ts";
import { ENTITY_TYPES, type EntityType } from "../../kv/model/entities/entity_kinds.ts";
import { Store } from "../../kv/store/store.ts";
import { versionedWrite } from "../../kv/versioning/versioned_write.ts";
import { HistorySite } from "../support/harness/history_site.ts";
import { HookedDriver } from "../support/stores/hooked_driver.ts";

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
/** As much of a state as the caches of schema, people and settings ask for, whatever the type. */
const STATE = { email: "", permissions: [], slug: "", fields: [], options: {}, type: "text" };
const POSTS = {
  slug: "posts",
  name: "Posts",
  fields: [{ name: "body", label: "Body", type: "text" }],
};

/** Files below `kv`, `jobs` and `routes` in which a text stands. */
async function filesWith(text: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) await walk(path);
      else if (name.endsWith(".ts") && (await Deno.readTextFile(path)).includes(text)) {
        found.push(path);
      }
    }
  };
  for (const folder of ["kv", "jobs", "routes"]) await walk(folder);
  return found.sort();
}

/** Every entity of a site with all that history has of it. */
async function everyEntity(site: HistorySite) {
  const { store } = site.app.context;
  const found: { type: EntityType; id: string; live: CurrentRow; versions: VersionRow[] }[] = [];
  for (const type of ENTITY_TYPES) {
    for (const { key, value } of await store.listAll<CurrentRow>({ prefix: currentPrefix(type) })) {
      const id = key.at(-1) as string;
      const keys = Array.from({ length: value!.n }, (_, index) => versionKey(type, id, index + 1));
      const versions = (await store.getMany(keys)).map((entry) => entry.value as VersionRow);
      found.push({ type, id, live: value!, versions });
    }
  }
  return found;
}

Deno.test("History 1: every mutation is one atomic batch of live row, snapshot and version number", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  await site.want(201, "POST", "/collections", POSTS);
  const { id } = await site.want(201, "POST", "/documents", { collection: "posts", title: "One" });
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two" });
  await site.want(200, "PATCH", "/settings", { "site.title": "Other" });
  await site.want(201, "POST", "/roles", { name: "writer", permissions: [] });
  await site.want(201, "POST", "/tokens", { name: "ci", scopes: ["*"] });

  for (const { type, id, live, versions } of await everyEntity(site)) {
    assertEquals(versions.map(({ n }) => n), versions.map((_, index) => index + 1));
    const newest = versions.at(-1)!;
    assertEquals([newest.vid, newest.at], [live.vid, live.at]);
    const { state } = await readHead(context, type, id, currentKey(type, id));
    assertEquals(state, await versionState(context, type, id, newest));
    for (const { n, vid, at } of versions) {
      const found = await findVersionLocation(context, vid);
      assertEquals(found?.location, [type, id, n]);
      const events = (await Array.fromAsync(readLog(context.store, type))).flat();
      const logged = events.filter((event) => event.id === id && event.n === n);
      assertEquals(logged, [{ id, n, at, kind: n === 1 ? CREATED : CHANGED }]);
    }
  }
  // A commit that fails leaves nothing of all this.
  const hooked = new HookedDriver(context.store.driver);
  const failing = { ...context, store: new Store(hooked, { sleep: () => Promise.resolve() }) };
  hooked.hook = (_n, when) => {
    if (when === "before") throw new TypeError("The store is away");
  };
  const before = await context.store.listAll({ prefix: [] });
  await assertRejects(() =>
    versionedWrite(failing, UNATTENDED, async (transaction) => {
      await Promise.resolve();
      transaction.save("theme", context.newId(0), null, { name: "x" } as never);
    })
  );
  assertEquals(await context.store.listAll({ prefix: [] }), before);
  // Nobody else sets a live row or a version: only an import, which replays history and mutates nothing.
  const writersOf = async (text: string) =>
    (await filesWith(text)).filter((path) => !path.startsWith("kv/backup/")).sort();
  assertEquals(await writersOf("set(currentKey("), ["kv/versioning/transaction.ts"]);
  const [stages, calls] = ["kv/versioning/secondary_rows.ts", "kv/versioning/transaction.ts"];
  assertEquals(await writersOf("set(versionKey("), [stages]);
  assertEquals(await writersOf("stageVersion("), [stages, calls]);
});

Deno.test("History 2: only a token's last use records no snapshot", async () => {
  await using site = await HistorySite.open();
  const { store } = site.app.context;
  await site.want(201, "POST", "/collections", POSTS);
  const token = await site.want(201, "POST", "/tokens", { name: "ci", scopes: ["*"] });

  await site.app.call("GET", "/api/v1/posts", { token: token.token });
  await site.app.deps.limiter.settle({ force: true });
  const used = (await store.get(lastUsedKey(token.id))).value;
  const versions = (await site.versions("api_token", token.id)).length;
  await site.want(200, "PATCH", `/tokens/${token.id}`, { name: "renamed" });

  assert(used !== null);
  assertEquals(versions, 1);
  assertEquals((await site.versions("api_token", token.id)).length, 2);
});

Deno.test("History 3: history is append-only, and a restore is itself reversible", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", POSTS);
  const { id } = await site.want(201, "POST", "/documents", { collection: "posts", title: "One" });
  const then = site.pass();
  await site.want(200, "PATCH", `/documents/${id}`, { title: "Two" });
  site.pass();
  const before = await everyEntity(site);

  await site.restore("document", id, 1);
  site.pass();
  const { result } = await site.travel(then);
  const undone = site.now;
  site.pass();
  await site.travel(result.finish.undoneBy);

  assert(result.finish.undoneBy <= undone);
  for (const { type, id, versions } of await everyEntity(site)) {
    const early = before.find((one) => one.type === type && one.id === id)?.versions ?? [];
    assertEquals(versions.slice(0, early.length), early);
    assert(versions.length > early.length);
  }
  assertEquals((await site.want(200, "GET", `/documents/${id}`)).title, "One");
});

Deno.test("History 4: every document mutation goes through the same repository", async () => {
  await using site = await HistorySite.open();
  const token = await site.app.token();
  await site.want(201, "POST", "/collections", POSTS);
  const { id } = await site.want(201, "POST", "/documents", { collection: "posts", title: "One" });

  await site.app.call("PATCH", `/api/v1/posts/${id}`, { token, body: { body: "by token" } });
  await site.want(200, "POST", `/documents/${id}/schedule`, { publishAt: site.now + 5 });
  site.pass(60);
  await site.app.runner.drain();

  const versions = await site.versions("document", id);
  assertEquals(
    versions.map(({ version_number, changed_by }) => [version_number, changed_by]),
    [[4, null], [3, site.userId], [2, null], [1, site.userId]],
  );
  assertEquals(versions[0].change_summary, "Published on schedule");
  const savers = await filesWith(`save("document"`);
  // The second only repeats the tombstone of what is gone already.
  assertEquals(savers, ["kv/documents/write.ts", "kv/history/restore/document_restore.ts"]);
});

Deno.test("History 5: a snapshot's spillover key is its own, and old versions keep their payloads", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  await site.want(201, "POST", "/collections", POSTS);
  const body = (n: number) => `${n} `.repeat(SPILL_BYTES);
  const post = { collection: "posts", title: "One", body: body(1), status: "draft" };
  const { id } = await site.want(201, "POST", "/documents", post);
  await site.want(200, "PATCH", `/documents/${id}`, { body: body(2) });
  await site.want(202, "POST", `/documents/${id}/publish`);
  await site.want(202, "POST", `/documents/${id}/unpublish`);
  await site.want(202, "POST", `/documents/${id}/publish`);

  const entity = (await everyEntity(site)).find((one) => one.id === id)!;
  const keys = entity.versions.map(({ snapshot }) => snapshot!.key);
  assertEquals(new Set(keys).size, 5);
  assert(keys.every((key) => key !== `documents/${id}/data.json`));
  assert(await context.objects.get(`documents/${id}/data.json`) !== null);
  const bodies: string[] = [];
  for (const { id: versionId } of (await site.versions("document", id)).reverse()) {
    const { state } = await site.want(200, "GET", `/versions/${versionId}`);
    bodies.push(state.data.body.slice(0, 1));
  }
  assertEquals(bodies, ["1", "2", "2", "2", "2"]);
});

Deno.test("History 6: the version endpoints work for every type; ids are ULIDs, times epoch seconds", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  for (const type of ENTITY_TYPES) {
    const id = context.newId(context.now());
    for (const name of ["first", "second"]) {
      await versionedWrite(context, { userId: site.userId }, async (transaction) => {
        const head = await transaction.head(type, id);
        transaction.save(type, id, head, { ...STATE, id, name, key: name } as never);
      });
    }

    const { data, meta } = await site.want(200, "GET", `/versions/${type}/${id}?perPage=1`);
    const one = await site.want(200, "GET", `/versions/${data[0].id}`);

    assertEquals(meta, { page: 1, perPage: 1, total: 2 });
    assertEquals(data, [{
      id: data[0].id,
      version_number: 2,
      changed_by: site.userId,
      editor: "Ada",
      change_summary: null,
      changed_at: site.now,
    }]);
    assert(ULID.test(one.id) && ULID.test(one.entity_id));
    assertEquals([one.entity_type, one.entity_id, one.state.name], [type, id, "second"]);
  }
});

Deno.test("History 7: the preview of an instant and the restore to it are the same", async () => {
  await using site = await HistorySite.open();
  await site.want(201, "POST", "/collections", POSTS);
  for (const title of ["One", "Two"]) {
    await site.want(201, "POST", "/documents", { collection: "posts", title });
  }
  const [first] = await site.ids("document");
  const then = site.pass();
  await site.want(200, "PATCH", `/documents/${first}`, { title: "Changed" });
  await site.want(201, "POST", "/roles", { name: "late", permissions: [] });
  await site.want(201, "POST", "/documents", { collection: "posts", title: "Late" });
  site.pass();
  const preview = await site.want(200, "GET", `/state-at?timestamp=${then}`);
  const change = await site.want(200, "GET", `/state-at/diff?from=${site.now}&to=${then}`);

  await site.travel(then);
  site.pass();
  const now = await site.want(200, "GET", `/state-at?timestamp=${site.now}`);

  assertEquals(now.entities, preview.entities);
  assertEquals(change.entities.document.removed.count, 1);
  assertEquals(change.entities.document.changed.sample, [
    { id: first, title: "One", status: "draft" },
  ]);
});
