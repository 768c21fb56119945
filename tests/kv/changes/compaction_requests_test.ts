/** How often a write asks for the compaction of changes. */
import { assertEquals } from "@std/assert";
import { requestCompactionSometimes } from "../../../kv/changes/compaction.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

Deno.test("one write in 500 asks for the compaction of changes", async () => {
  const context = await testContext();
  const asks = (chance: number): boolean => {
    const operation = new Operation();
    const store = Object.create(context.store, { random: { value: () => chance } });
    requestCompactionSometimes(operation, { ...context, store });
    return operation.mutations > 0;
  };
  assertEquals([0, 1.9e-3, 2e-3, 0.5, 1].map(asks), [true, true, false, false, false]);
  context.store.close();
});
