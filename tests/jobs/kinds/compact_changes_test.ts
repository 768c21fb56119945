import { assertEquals } from "@std/assert";
import { changeOpenPrefix } from "../../../kv/changes/change_keys.ts";
import { recordChange } from "../../../kv/changes/change_log.ts";
import { compactChanges } from "../../../kv/changes/compaction.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

async function record(context: TestContext, count: number): Promise<void> {
  for (let done = 0; done < count; done++) {
    const operation = new Operation();
    const statuses = { before: null, after: "draft" as const };
    recordChange(operation, {
      collectionId: "",
      id: context.newId(context.now()),
      n: 1,
      at: 0,
      ...statuses,
    });
    await context.store.commit(operation);
  }
}

async function openChanges({ store }: TestContext): Promise<number> {
  return (await store.listAll({ prefix: changeOpenPrefix })).length;
}

Deno.test("COMPACT_CHANGES leaves concurrent writes to its next run", async () => {
  await using context = await testContext();
  await record(context, 3);
  assertEquals(await compactChanges(context), false);
  assertEquals(await openChanges(context), 0);
  // More than one commit moves.
  await record(context, 250);
  assertEquals(await compactChanges(context), true);
  await record(context, 3);
  assertEquals(await compactChanges(context), false);
  assertEquals(await openChanges(context), 0);
});
