import { assertEquals, assertRejects } from "@std/assert";
import { GuardedPicture } from "../../kv/guarded_picture.ts";
import { schemaKey } from "../../kv/keys.ts";
import { Operation } from "../../kv/store/operation.ts";
import { type TestContext, testContext } from "../support/context.ts";

const VALUE = ["value"];

/** Sets the value and touches its guard in one commit; answers the guard as it is then. */
async function write(context: TestContext, value: number) {
  await context.store.commit(new Operation().set(VALUE, value).touch(schemaKey));
  return await context.store.get(schemaKey);
}

/** A picture of the value that counts how often it was read; `meanwhile` happens in the first reading. */
function pictureOf(context: TestContext, meanwhile: () => Promise<unknown> = async () => {}) {
  const seen = { reads: 0 };
  const picture = new GuardedPicture(context, schemaKey, async () => {
    seen.reads += 1;
    const { value } = await context.store.get<number>(VALUE);
    if (seen.reads === 1) await meanwhile();
    return value;
  });
  return { picture, seen };
}

Deno.test("GuardedPicture.current() reads once until the guard changes", async () => {
  await using context = await testContext();
  const { picture, seen } = pictureOf(context);
  const known = picture.known;
  await write(context, 1);

  const together = await Promise.all(Array.from({ length: 5 }, () => picture.current()));
  await picture.current();
  const reads = seen.reads;
  await write(context, 2);

  assertEquals([known, together, reads], [null, [1, 1, 1, 1, 1], 1]);
  assertEquals([await picture.current(), seen.reads, picture.known], [2, 2, 2]);
});

Deno.test("GuardedPicture.at() is never older than the guard it is given", async () => {
  await using context = await testContext();
  const first = await write(context, 1);
  let asked: Promise<number | null> | undefined;
  const { picture, seen } = pictureOf(context, async () => {
    const second = await write(context, 2);
    asked = picture.at(second);
  });

  const early = await picture.at(first);

  // The guard changed while it was read: neither sees the value from before.
  assertEquals([early, await asked, seen.reads], [2, 2, 2]);
});

Deno.test("GuardedPicture.current() tries again after a reading that failed", async () => {
  await using context = await testContext();
  await write(context, 1);
  const { picture } = pictureOf(context, () => Promise.reject(new Error("away")));

  await assertRejects(() => picture.current(), Error, "away");

  assertEquals(await picture.current(), 1);
});
