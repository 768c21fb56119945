/**
 * Transactions, one at a time: what they refuse, record, announce and compete for.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { changeStampKey } from "../../../kv/changes/change_keys.ts";
import { afterStamp, FIRST_STAMP, readChanges } from "../../../kv/changes/change_log.ts";
import { currentKey, versionPrefix } from "../../../kv/keys.ts";
import { UNATTENDED } from "../../../kv/model/entities/entity.ts";
import { ENTITY_TYPES, type EntityType, kindOf } from "../../../kv/model/entities/entity_kinds.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Assumption, AssumptionFailed } from "../../../kv/store/commits/assumption.ts";
import { keyText, StaleRead } from "../../../kv/store/operation.ts";
import type { VersionRow } from "../../../kv/versioning/entities.ts";
import { optimisticWrite } from "../../../kv/versioning/optimistic_write.ts";
import type { Transaction } from "../../../kv/versioning/transaction.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";

/** Saves a state of an entity, or its removal; answers the key that the transaction competes for. */
async function save(
  context: TestContext,
  type: EntityType,
  state: Record<string, string> | null,
): Promise<string | null> {
  return await versionedWrite(context, UNATTENDED, async (transaction: Transaction) => {
    const head = await transaction.head(type, "a");
    transaction.save(type, "a", head, state as never);
    return transaction.contended;
  });
}

Deno.test("Transaction.living() refuses an entity that was never there, or is gone", async () => {
  await using context = await testContext();
  const living = () =>
    versionedWrite(context, UNATTENDED, async (transaction) => {
      return (await transaction.living("role", "a")).state;
    });
  assertEquals((await assertRejects(living, Refusal)).code, "NOT_FOUND");
  await save(context, "role", { name: "one" });
  assertEquals((await living() as { name: string }).name, "one");
  await save(context, "role", null);
  assertEquals((await assertRejects(living, Refusal)).code, "NOT_FOUND");
});

Deno.test("Transaction.contended is the entity that a save changes, not one that it creates", async () => {
  await using context = await testContext();
  assertEquals(await save(context, "role", { name: "one" }), null);
  assertEquals(await save(context, "role", { name: "two" }), keyText(currentKey("role", "a")));
});

Deno.test("Transaction.save() announces the kinds that have an event, and no others", async () => {
  for (const type of ENTITY_TYPES) {
    await using context = await testContext();
    let announced = 0;
    const heard = { ...context, onEvent: () => void (announced += 1) };
    await save(heard, type, { name: "one" });
    assertEquals(announced, kindOf(type).event === undefined ? 0 : 1, type);
  }
});

Deno.test("Transaction.record() leaves the current row, and is not public", async () => {
  for (const type of ["document", "role"] as const) {
    await using context = await testContext();
    await save(context, type, { name: "one" });
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const head = await transaction.head(type, "a");
      transaction.record(type, "a", head, { name: "aside" } as never, { summary: "Aside" });
      transaction.save(type, "a", head, { name: "two" } as never);
    });
    const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix(type, "a") });
    const versions = rows.map(({ value }) => value!).toSorted((a, b) => a.n - b.n);
    assertEquals(versions.map(({ n, summary }) => [n, summary]), [
      [1, null],
      [2, "Aside"],
      [3, null],
    ]);
    assertEquals(versions[1]!.published, type === "document" ? false : undefined);
  }
});

Deno.test("Transaction.save() tells of which collection a change of the schema is, of a deleted field too", async () => {
  await using context = await testContext();
  const collections = async (state: Record<string, string> | null) => {
    const before = (await context.store.get(changeStampKey)).versionstamp ?? FIRST_STAMP;
    await save(context, "field_definition", state);
    const upTo = (await context.store.get(changeStampKey)).versionstamp!;
    const { changes } = await readChanges(context.store, {
      after: afterStamp(before),
      upTo,
      limit: 9,
    });
    return changes.map(({ event, collectionId }) => [event, collectionId]);
  };
  const expected = [["schema.changed", "C"]];
  assertEquals(await collections({ name: "one", collectionId: "C" }), expected);
  assertEquals(await collections({ name: "two", collectionId: "C" }), expected);
  assertEquals(await collections(null), expected);
});

Deno.test("optimisticWrite() passes on what refuses the write, and only that", async () => {
  await using context = await testContext();
  const write = (error: Error) => () =>
    optimisticWrite(context, UNATTENDED, () => Promise.reject(error), new Assumption([]), {});
  const refusal = await assertRejects(write(new Refusal("FORBIDDEN")), Refusal);
  assertEquals(refusal.code, "FORBIDDEN");
  await assertRejects(write(new StaleRead(["any"])), AssumptionFailed);
});
