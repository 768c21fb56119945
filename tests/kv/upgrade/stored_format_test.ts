import { formatKey, shardRowPrefix } from "../../../kv/keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import {
  bringUpFormat,
  finishFormat,
  FORMAT,
  FORMAT_STEPS,
  type FormatStep,
  NewerFormat,
} from "../../../kv/upgrade/stored_format.ts";
import { Store } from "../../../kv/store/store.ts";
import { assert, assertEquals, assertRejects } from "../../support/harness/assert.ts";
import { answered } from "../../support/sites/admin_answers.ts";
import { multilingual, paragraph } from "../../support/sites/multilingual.ts";
import { testApp } from "../../support/sites/app.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { HookedDriver, Killed } from "../../support/stores/hooked_driver.ts";

const row = (n: number) => ["row", n];
const ROWS = 7;

/** Doubles every row, two at a time; a row says whether it was doubled. */
const doubling: FormatStep = {
  to: 2,
  name: "double the rows",
  async portion({ store }, cursor) {
    const from = cursor as number | null ?? 0;
    const operation = new Operation();
    for (let n = from; n < Math.min(from + 2, ROWS); n++) {
      const { value } = await store.get<number>(row(n));
      operation.set(row(n), value! * 2);
    }
    return { operation, cursor: from + 2 < ROWS ? from + 2 : null };
  },
};
const naming: FormatStep = {
  to: 3,
  name: "name the store",
  portion: () => Promise.resolve({ operation: new Operation().set(["name"], "s"), cursor: null }),
};
const steps = [doubling, naming];

async function oldStore(): Promise<TestContext> {
  const context = await testContext();
  const operation = new Operation().set(formatKey, { format: 1 });
  for (let n = 0; n < ROWS; n++) operation.set(row(n), n + 1);
  await context.store.commit(operation);
  return context;
}

async function contents({ store }: TestContext): Promise<unknown[]> {
  const rows = await store.listAll({ prefix: ["row"] });
  return [
    (await store.get<{ format: number }>(formatKey)).value,
    ...rows.map(({ value }) => value),
  ];
}

const DONE = [{ format: 3 }, 2, 4, 6, 8, 10, 12, 14];
const noBackUp = () => Promise.reject(new Error("Nobody asked for a back-up"));

Deno.test("bringUpFormat() writes the format into a new store, and into one from before there was a number", async () => {
  await using fresh = await testContext();
  await bringUpFormat(fresh, { backUp: noBackUp });
  assertEquals((await fresh.store.get(formatKey)).value, { format: FORMAT });
  await bringUpFormat(fresh, { backUp: noBackUp });

  await using old = await testContext();
  await old.store.commit(new Operation().set(["row", 0], 1));
  let backUps = 0;
  const only: FormatStep = { ...naming, to: 2 };
  await bringUpFormat(old, { steps: [only], target: 2, backUp: async () => void backUps++ });
  assertEquals([(await old.store.get(formatKey)).value, backUps], [{ format: 2 }, 1]);
});

Deno.test("bringUpFormat() refuses a newer store in one line, and changes nothing", async () => {
  await using context = await testContext();
  await context.store.commit(new Operation().set(formatKey, { format: FORMAT + 1 }));
  const error = await assertRejects(
    () => bringUpFormat(context, { backUp: noBackUp }),
    NewerFormat,
    `format ${FORMAT + 1}`,
  );
  assert(!error.message.includes("\n"));
  assertEquals((await context.store.get(formatKey)).value, { format: FORMAT + 1 });
});

Deno.test("bringUpFormat() makes one back-up, then every step once, wherever it is killed", async () => {
  for (let point = 2, died = true; died; point++) {
    await using context = await oldStore();
    const driver = new HookedDriver(context.store.driver);
    driver.hook = (n, when) => {
      if (2 * n + (when === "after" ? 1 : 0) === point) throw new Killed();
    };
    const dying = { ...context, store: new Store(driver) };
    let backUps = 0;
    const options = { steps, target: 3, backUp: async () => void backUps++ };
    died = await bringUpFormat(dying, options).then(() => false, (error) => {
      assert(error instanceof Killed, String(error));
      return true;
    });
    await bringUpFormat(context, options);
    assertEquals(await contents(context), DONE);
    assert(backUps >= 1 && backUps <= 2);
  }
});

Deno.test("bringUpFormat() in two processes at once makes each portion once", async () => {
  await using context = await oldStore();
  const options = { steps, target: 3, backUp: () => Promise.resolve() };
  await Promise.all([bringUpFormat(context, options), bringUpFormat(context, options)]);
  assertEquals(await contents(context), DONE);
});

Deno.test("steps in the background are left to finishFormat(), without a back-up, in two processes too", async () => {
  await using context = await oldStore();
  const inBackground = [{ ...doubling, inBackground: true as const }];
  const options = { steps: inBackground, target: 2 };
  assertEquals(await bringUpFormat(context, { ...options, backUp: noBackUp }), [doubling.name]);
  assertEquals((await context.store.get(formatKey)).value, { format: 1 });
  await Promise.all([finishFormat(context, options), finishFormat(context, options)]);
  assertEquals(await contents(context), [{ format: 2 }, 2, 4, 6, 8, 10, 12, 14]);
  assertEquals(await bringUpFormat(context, { ...options, backUp: noBackUp }), []);
  // A later step that cannot wait takes those before it along.
  await using other = await oldStore();
  const both = [inBackground[0]!, naming];
  let backUps = 0;
  const backUp = async () => void backUps++;
  assertEquals(await bringUpFormat(other, { steps: both, target: 3, backUp }), []);
  assertEquals([await contents(other), backUps], [DONE, 1]);
});

Deno.test("bringUpFormat() opens a newer store only if allowed", async () => {
  await using context = await testContext();
  await context.store.commit(new Operation().set(formatKey, { format: FORMAT + 1 }));
  assertEquals(await bringUpFormat(context, { backUp: noBackUp, allowNewer: true }), []);
  assertEquals((await context.store.get(formatKey)).value, { format: FORMAT + 1 });
});

Deno.test("format 2 lists the references and marks that earlier releases did not", async () => {
  await using test = await testApp();
  await test.setUp();
  await test.collection({
    slug: "posts",
    name: "Posts",
    fields: [{ name: "next", type: "reference" }],
  });
  const ids: string[] = [];
  for (let n = 0; n < 20; n++) {
    const { json } = await test.admin("POST", "/documents", {
      collection: "posts",
      title: `Post ${n}`,
      ...(n > 0 && { next: ids[0]! }),
    });
    ids.push(json.id);
  }
  const { context } = test;
  const rows = await context.store.listAll({ prefix: shardRowPrefix("references") });
  assertEquals(rows.length, 19);
  for (const { key } of rows) await context.store.commit(new Operation().delete(key));
  await context.store.commit(new Operation().set(formatKey, { format: 1 }));

  const steps = await bringUpFormat(context, { backUp: noBackUp });
  assertEquals(steps, ["list references", "pack rows", "list reviews of translations"]);
  await finishFormat(context);
  const again = await context.store.listAll({ prefix: shardRowPrefix("references") });
  assertEquals(again.map(({ key }) => key), rows.map(({ key }) => key));
});

Deno.test("format 4 lists the reviews of translations that earlier releases did not", async () => {
  await using test = await multilingual();
  const { context } = test;
  const { id } = await test.post({ title: "Apple", body: paragraph("Text") });
  answered(await test.translate(id, "fr", { title: "Pomme" }), 201);
  answered(await test.admin("POST", `/documents/${id}/translations/fr/review`, {}), 200);
  const marks = async () =>
    (await context.store.listAll({ prefix: shardRowPrefix("references") }))
      .filter(({ key }) => key.at(-1) === id);
  const [mark, ...others] = await marks();
  assert(mark !== undefined && others.length === 0);
  await context.store.commit(
    new Operation().delete(mark.key).set(formatKey, { format: 3 }),
  );
  const listed = async () =>
    answered(await test.admin("GET", "/documents?review=asked"), 200).data.length;
  assertEquals(await listed(), 0);

  assertEquals(await bringUpFormat(context, { backUp: noBackUp }), [
    "list reviews of translations",
  ]);
  await finishFormat(context);
  assertEquals([(await marks()).length, await listed()], [1, 1]);
});

Deno.test("the steps of this release lead from the first format to its own, each name once", () => {
  assertEquals(
    FORMAT_STEPS.map(({ to }) => to),
    Array.from({ length: FORMAT - 1 }, (_, n) => n + 2),
  );
  assertEquals(new Set(FORMAT_STEPS.map(({ name }) => name)).size, FORMAT_STEPS.length);
});
