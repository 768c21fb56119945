import { assertEquals } from "@std/assert";
import { Claims, grantClaims } from "../../../kv/rate_limit/claims.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { testContext } from "../../support/harness/context.ts";

/** The most that one commit grants. */
const CLAIMS_MAX = 8;

Deno.test("Claims.others() answers as many claims as one commit grants, without the own one", async () => {
  await using context = await testContext();
  const own = new Claims(context.store, "t", 60_000);
  const claimOf = (id: string) => ({ id, quota: 10, wanted: 1 });
  await own.make(claimOf("a"));
  const ids = Array.from({ length: CLAIMS_MAX + 1 }, (_, n) => `b${n}`);
  for (const [index, id] of ids.entries()) {
    await new Claims(context.store, "t", 60_000).make(claimOf(id));
    const others = (await own.others()).map(({ value }) => value!.id);
    assertEquals(others, ids.slice(0, Math.min(CLAIMS_MAX, index + 1)));
  }
});

Deno.test("grantClaims() takes claims away, and its commit fails if one is gone", async () => {
  await using context = await testContext();
  const [first, second] = [1, 2].map(() => new Claims(context.store, "t", 60_000));
  await first!.make({ id: "a", quota: 10, wanted: 1 });
  await second!.make({ id: "b", quota: 10, wanted: 1 });
  const claims = await new Claims(context.store, "t", 60_000).others();
  await second!.withdraw();
  const granting = new Operation();
  grantClaims(granting, claims);
  assertEquals((await context.store.commit(granting)).ok, false);

  const again = new Operation();
  grantClaims(again, claims.slice(0, 1));
  assertEquals((await context.store.commit(again)).ok, true);
  assertEquals(await second!.others(), []);
});
