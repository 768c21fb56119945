import { versionHoldsKey } from "../../../kv/versioning/backup_keys.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { areVersionsHeld, withVersionsHeld } from "../../../kv/versioning/version_holds.ts";
import { type CurrentRow, livingEntities, versionState } from "../../../kv/versioning/entities.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import {
  currentKey,
  prunedMarkKey,
  siteRestoreKey,
  versionIdKey,
  versionPrefix,
} from "../../../kv/keys.ts";
import { SPILL_BYTES } from "../../../kv/limits/store.ts";
import { asJson, type EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { pruneEntity } from "../../../kv/history/prune.ts";
import { Operation, StaleRead } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { getVersionRow, listVersions } from "../../../kv/versioning/versions.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { HistorySite } from "../../support/harness/history_site.ts";
import { HookedDriver, Killed } from "../../support/stores/hooked_driver.ts";

const ID = "01KT1GW6G00000000000000000";

async function save(context: TestContext, type: EntityType, id: string, filler: number) {
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    const head = await transaction.head(type, id);
    const n = (head.row?.n ?? 0) + 1;
    const state = { id, name: `${n}`, data: "x".repeat(filler), blocks: [] };
    transaction.save(type, id, head, state as never);
  });
}

async function numbers(context: TestContext, type: EntityType, id: string): Promise<number[]> {
  const { versions } = await listVersions(context, type, id, { skip: 0, limit: 1_000 });
  return versions.map(({ version_number }) => version_number);
}

async function live(context: TestContext, type: EntityType): Promise<CurrentRow> {
  return (await context.store.get<CurrentRow>(currentKey(type, ID))).value!;
}

/** Everything in the store that tells of versions of the entity. */
async function keysOf(context: TestContext): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, value } of context.store.list({ prefix: [] })) {
    const isPointer = key[0] === "version_id" && Array.isArray(value) && value[1] === ID;
    if (isPointer || ["version", "state_chunk"].includes(key[0] as string)) keys.push(`${key}`);
  }
  return keys;
}

Deno.test("PRUNE keeps as many versions of each type as its setting says", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  await site.want(200, "PATCH", "/settings", { "versions.keep.theme": 3 });
  for (let n = 0; n < 120; n++) {
    for (const type of ["theme", "plugin"] as const) await save(context, type, ID, 0);
  }

  const job = await site.run("PRUNE");
  const again = await site.run("PRUNE");

  assertEquals([job.state, job.result.prune], ["done", { removed: 117 + 70 }]);
  assertEquals([again.state, again.result.prune], ["done", { removed: 0 }]);
  assertEquals(await numbers(context, "theme", ID), [120, 119, 118]);
  assertEquals((await numbers(context, "plugin", ID)).length, 50);
  const page = await site.want(200, "GET", `/versions/theme/${ID}?perPage=2&page=2`);
  assertEquals(page.meta, { page: 2, perPage: 2, total: 3 });
  assertEquals(page.data.map((one: { version_number: number }) => one.version_number), [118]);
});

Deno.test("pruneEntity() removes rows, pointers, pieces and objects, and never the newest", async () => {
  for (const filler of [10, 100_000, SPILL_BYTES + 10]) {
    await using context = await testContext();
    for (let n = 0; n < 5; n++) await save(context, "document", ID, filler);
    const before = await live(context, "document");
    const firstId = (await listVersions(context, "document", ID, { skip: 4, limit: 1 }))
      .versions[0]!.id;

    const removed = await pruneEntity(context, [], "document", {
      id: ID,
      current: before,
      keep: 0,
    });

    assertEquals(removed, 4);
    assertEquals(await numbers(context, "document", ID), [5]);
    const { row } = await getVersionRow(context, before.vid);
    assertEquals(asJson((await versionState(context, "document", ID, row))!).name, "5");
    assertEquals((await context.store.get(versionIdKey(firstId))).value, null);
    assertEquals((await context.store.get(prunedMarkKey("document", ID, 1, 5))).value, "p");
    const own = (await keysOf(context)).filter((key) =>
      !key.includes(`,5`) && !key.includes(before.vid)
    );
    assertEquals(own, []);
    const objects: string[] = [];
    for await (const { key } of context.objects.list("versions/")) objects.push(key);
    assertEquals(objects.length, filler > SPILL_BYTES ? 1 : 0);
  }
});

Deno.test("pruneEntity() killed at any call leaves nothing that cannot be finished", async () => {
  for (let death = 1; death < 40; death++) {
    await using context = await testContext();
    for (let n = 0; n < 130; n++) await save(context, "theme", ID, 10);
    const hooked = new HookedDriver(context.store.driver);
    const store = new Store(hooked, { sleep: () => Promise.resolve() });
    const dying = { ...context, store };
    hooked.hook = (n, when) => {
      if (n >= death && when === "after") throw new Killed();
    };
    const current = { n: 130 } as CurrentRow;
    let died = false;
    await pruneEntity(dying, [], "theme", { id: ID, current, keep: 4 }).catch((error) => {
      if (!(error instanceof Killed)) throw error;
      died = true;
    });

    // What is listed is what is there.
    const left = await numbers(context, "theme", ID);
    const rows = await context.store.listAll({ prefix: versionPrefix("theme", ID) });
    assertEquals(left, rows.map(({ key }) => key.at(-1)).reverse());
    hooked.hook = () => {};
    await pruneEntity(dying, [], "theme", { id: ID, current, keep: 4 });
    assertEquals(await numbers(context, "theme", ID), [130, 129, 128, 127]);
    if (!died) return;
  }
  assert(false, "It never ran through");
});

Deno.test("pruneEntity() touches nothing once a restore of the site has begun", async () => {
  await using context = await testContext();
  for (let n = 0; n < 5; n++) await save(context, "theme", ID, 10);
  const check = await context.store.get(siteRestoreKey);
  await context.store.commit(new Operation().set(siteRestoreKey, {}));

  const work = pruneEntity(context, [check], "theme", {
    id: ID,
    current: await live(context, "theme"),
    keep: 1,
  });

  assert(await work.then(() => false, (error) => error instanceof StaleRead));
  assertEquals((await numbers(context, "theme", ID)).length, 5);
});

Deno.test("PRUNE waits while the site is being restored", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  for (let n = 0; n < 60; n++) await save(context, "theme", ID, 10);
  await site.want(202, "POST", "/restore", { timestamp: site.now });

  const operation = new Operation();
  const id = addJob(operation, { ...context, now: () => context.now() - 1 }, {
    type: "PRUNE",
    payload: {},
  });
  await context.store.commit(operation);
  await site.app.runner.drain();
  const waiting = await findJob(context.store, id);
  const kept = (await numbers(context, "theme", ID)).length;
  site.pass(61);
  await site.app.runner.drain();

  assertEquals([waiting?.state, kept], ["waiting", 61]);
  assertEquals((await findJob(context.store, id))?.state, "done");
  assertEquals((await numbers(context, "theme", ID)).length, 50);
});

Deno.test("PRUNE waits while a back-up is being written, and removes nothing once one has begun", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  for (let n = 0; n < 60; n++) await save(context, "theme", ID, 10);
  const before = await context.store.get(versionHoldsKey);
  const row = await live(context, "theme");

  await withVersionsHeld(context, ID, async () => {
    await assertRejects(
      () => pruneEntity(context, [before], "theme", { id: ID, current: row, keep: 5 }),
      StaleRead,
    );
    const waiting = await site.run("PRUNE");
    assertEquals([waiting.state, (await numbers(context, "theme", ID)).length], ["waiting", 60]);
    return { isDone: true };
  });

  site.pass(61);
  await site.app.runner.drain();
  assertEquals((await numbers(context, "theme", ID)).length, 50);
});

Deno.test("withVersionsHeld() holds on between two processes, and lets go at the end or by itself", async () => {
  await using context = await testContext();
  const held = async () => areVersionsHeld(context, await context.store.get(versionHoldsKey));
  const write = (id: string, isDone: boolean) =>
    withVersionsHeld(context, id, ({ hasStood }) => Promise.resolve({ hasStood, isDone }));

  assertEquals((await write("one", false)).hasStood, false);
  assertEquals((await write("two", true)).hasStood, false);
  assert(await held(), "the other's end is not this one's");
  await assertRejects(() =>
    withVersionsHeld(context, "one", () => Promise.reject(new Error("cut off")))
  );
  assert(await held(), "somebody may go on with it");
  context.advance(599_000);
  assertEquals((await write("one", true)).hasStood, true);
  assert(!await held());

  await write("dead", false);
  context.advance(600_001);
  assert(!await held());
  assertEquals((await write("dead", true)).hasStood, false);
});

Deno.test("a site can be put back to any second since its beginning, whatever was pruned", async () => {
  await using site = await HistorySite.open();
  const { context } = site.app;
  const begun = site.now;
  for await (const { id } of livingEntities(context, "permission")) {
    for (let n = 0; n < 60; n++) {
      site.pass(1);
      await save(context, "permission", id, 10);
    }
  }
  await site.run("PRUNE");

  await site.prove();
  await site.want(202, "POST", "/restore", { timestamp: begun });
});
