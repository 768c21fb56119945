import { StoreFull } from "../../../../kv/unavailable.ts";
import { DiskReserve } from "../../../../kv/store/disk/disk_reserve.ts";
import { FullDiskDriver } from "../../../../kv/store/disk/full_disk_driver.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { SILENT } from "../../../../kv/log.ts";
import { assert, assertEquals, assertRejects } from "../../../support/harness/assert.ts";
import { testContext } from "../../../support/harness/context.ts";
import { inFolder } from "../../../support/harness/folder.ts";
import { HookedDriver } from "../../../support/stores/hooked_driver.ts";

Deno.test("from the first commit without room to the first room, commits are refused and reads are not", async () => {
  await using context = await testContext();
  const hooked = new HookedDriver(context.store.driver);
  let isFull = false;
  hooked.hook = () => {
    if (isFull) throw new StoreFull("The disk is full");
  };
  const reserved: string[] = [];
  const reserve = {
    take: () => Promise.resolve(!isFull),
    release: () => Promise.resolve(void reserved.push("released")),
    isLost: () => Promise.resolve(false),
  };
  const disk = { isFull: false };
  const driver = new FullDiskDriver(hooked, { reserve, log: SILENT, disk, retryMs: 1 });
  const set = (value: number) => driver.commit(new Operation().set(["key"], value));
  assert((await set(1)).ok);
  isFull = true;
  await assertRejects(() => set(2), StoreFull);
  await assertRejects(() => set(3), StoreFull);
  assertEquals([disk.isFull, reserved], [true, ["released"]]);
  const calls = hooked.calls;
  await assertRejects(() => set(4), StoreFull);
  assertEquals(hooked.calls, calls);
  isFull = false;
  assertEquals((await driver.getMany([["key"]]))[0]!.value, 1);
  while (disk.isFull) await new Promise((done) => setTimeout(done, 2));
  assert((await set(5)).ok);
});

Deno.test("the log says once that other files have taken the reserve, before Deno KV ends the process", async () => {
  await using context = await testContext();
  const lines: string[] = [];
  const log = { ...SILENT, error: (event: string) => void lines.push(event) };
  let [free, lost, looks] = [false, false, 0];
  const reserve = {
    take: () => Promise.resolve(free),
    release: () => Promise.resolve(),
    isLost: () => Promise.resolve((looks += 1, lost)),
  };
  const disk = { isFull: true };
  const options = { reserve, log, disk, retryMs: 1 };
  const driver = new FullDiskDriver(new HookedDriver(context.store.driver), options);
  const look = async () => {
    const until = looks + 3;
    for (let turn = 0; looks < until; turn++) {
      assert(turn < 1_000, "nothing looks after the reserve");
      await new Promise((done) => setTimeout(done, 1));
    }
  };

  await look();
  assertEquals(lines, ["disk full"]);
  lost = true;
  await look();
  assertEquals(lines, ["disk full", "disk reserve lost"]);
  free = true;
  while (disk.isFull) await new Promise((done) => setTimeout(done, 1));
  driver.close();
});

Deno.test("a reserve takes its bytes once, and gives them back", () =>
  inFolder(async (folder) => {
    const path = `${folder}/reserve`;
    const reserve = new DiskReserve(path, 300_000);
    assert(await reserve.prepare());
    assert(await reserve.take());
    assertEquals((await Deno.stat(path)).size, 300_000);
    assert(!await reserve.isLost());
    await reserve.release();
    await reserve.release();
    assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  }));
