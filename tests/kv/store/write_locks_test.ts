import { assert, assertEquals } from "@std/assert";
import type { Context } from "../../../kv/context.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { type CommitResult, DenoKvDriver } from "../../../kv/store/driver.ts";
import type { Key } from "../../../kv/keys.ts";
import type { Entry, Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { WriteLocks } from "../../../kv/store/commits/write_locks.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { testContext } from "../../support/harness/context.ts";

/** Waits by the machine's clock. */
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** There and back, milliseconds. */
const DISTANCE_MS = 100;
/** One after the other they take longer than a contended write is tried again. */
const WRITERS = 24;

/** A store at a distance. */
class FarDriver extends DenoKvDriver {
  override async getMany(keys: Key[]): Promise<Entry[]> {
    await sleep(DISTANCE_MS);
    return await super.getMany(keys);
  }

  override async commit(operation: Operation): Promise<CommitResult> {
    await sleep(DISTANCE_MS / 2);
    const result = await super.commit(operation);
    await sleep(DISTANCE_MS / 2);
    return result;
  }
}

async function increment(context: Context): Promise<number> {
  return await versionedWrite(context, UNATTENDED, async (transaction) => {
    const head = await transaction.head("setting", "counter");
    const value = Number((head.state as { value?: number } | null)?.value ?? 0) + 1;
    transaction.save("setting", "counter", head, { value } as never);
    return value;
  });
}

Deno.test("WriteLocks gives turns in the order in which they were asked for, by key", async () => {
  const turns = new WriteLocks();
  const order: number[] = [];
  const take = async (n: number) => {
    const end = await turns.acquire("a");
    order.push(n);
    await sleep(1);
    end();
  };
  const all = [1, 2, 3].map(take);
  assert(turns.isHeld("a") && !turns.isHeld("b"));
  (await turns.acquire("b"))();
  await Promise.all(all);
  assertEquals(order, [1, 2, 3]);
  assert(!turns.isHeld("a") && !turns.isHeld("b"));
});

Deno.test("everybody who changes one entity from far away gets through, in two processes at once", async () => {
  await using context = await testContext();
  const kv = await Deno.openKv(":memory:");
  const processOf = (): Context => ({
    ...context,
    store: new Store(new FarDriver(kv)),
    now: () => Date.now(),
  });
  const processes = [processOf(), processOf()];

  const values = await Promise.all(
    Array.from({ length: WRITERS }, (_, n) => increment(processes[n % 2]!)),
  );

  assertEquals(values.sort((a, b) => a - b), Array.from({ length: WRITERS }, (_, n) => n + 1));
  kv.close();
});
