/** What an entity was at an instant, and what it costs to know. */
import type { Context } from "../../../kv/context.ts";
import { type CurrentRow, readHead } from "../../../kv/versioning/entities.ts";
import { pruneEntity } from "../../../kv/history/prune.ts";
import { stateAtInstant } from "../../../kv/history/site_restore/state_at_instant.ts";
import { Timeline } from "../../../kv/history/timeline/timeline.ts";
import { currentKey } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { Store } from "../../../kv/store/store.ts";
import { getVersionRow, listVersions, nameVersion } from "../../../kv/versioning/versions.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { assert, assertEquals } from "../../support/harness/assert.ts";
import { testContext } from "../../support/harness/context.ts";
import { CountingDriver } from "../../support/stores/counting_driver.ts";

const ID = "01KT1GW6G00000000000000000";
const TYPE = "theme";

/** A theme with a version for each of 64 minutes, and a store that counts. */
async function minutes() {
  const plain = await testContext();
  const driver = new CountingDriver(plain.store.driver);
  const context: Context = { ...plain, store: new Store(driver) };
  const times: number[] = [];
  for (let n = 1; n <= 64; n++) {
    plain.advance(60_000);
    times.push(Math.floor(plain.now() / 1000));
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const head = await transaction.head(TYPE, ID);
      transaction.save(TYPE, ID, head, { id: ID, name: `${n}` } as never);
    });
  }
  return { plain, context, driver, times };
}

async function at(context: Context, instant: number) {
  const head = await readHead(context, TYPE, ID, currentKey(TYPE, ID));
  const timeline = new Timeline(context.store);
  const then = await stateAtInstant(context, timeline, { type: TYPE, id: ID, head }, instant);
  return then.kind === "there" ? then.n : then.kind;
}

Deno.test("stateAtInstant() finds each of many versions by few reads of single keys", async () => {
  const { plain, context, driver, times } = await minutes();
  await using _closed = plain;
  for (const [position, time] of times.entries()) {
    const { lists } = context.store.counts;
    driver.take();
    assertEquals(await at(context, time + 59), position + 1);
    assert(driver.take().calls <= 13);
    assertEquals(context.store.counts.lists, lists, "nothing is looked for");
  }
  assertEquals(await at(context, times[0]! - 1), "absent");
});

Deno.test("stateAtInstant() knows every second of stored versions, and none of pruned ones", async () => {
  const { plain, context, times } = await minutes();
  await using _closed = plain;
  const { versions } = await listVersions(context, TYPE, ID, { skip: 0, limit: 100 });
  const kept = new Set([64, 63, 40, 39, 17, 2]);
  for (const { id, version_number: n } of versions) {
    if (kept.has(n) && n < 63) await nameVersion(context, await getVersionRow(context, id), `${n}`);
  }
  const { value: live } = await context.store.get<CurrentRow>(currentKey(TYPE, ID));
  assertEquals(await pruneEntity(context, [], TYPE, { id: ID, current: live!, keep: 2 }), 58);

  for (const [position, time] of times.entries()) {
    const n = position + 1;
    for (const instant of [time, time + 59]) {
      assertEquals([n, await at(context, instant)], [n, kept.has(n) ? n : "pruned"]);
    }
  }
  assertEquals(await at(context, times[0]! - 1), "absent");
});
