import { Buffer } from "node:buffer";
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type CurrentRow,
  readHead,
  type VersionRow,
  versionState,
} from "../../../kv/versioning/entities.ts";
import { CHANGED, CREATED, DELETED } from "../../../kv/versioning/timeline/events.ts";
import { readLog } from "../../../kv/versioning/timeline/log.ts";
import { currentKey, versionIdKey, versionKey, versionPrefix } from "../../../kv/keys.ts";
import { SPILL_BYTES, WRITE_DEADLINE_MS } from "../../../kv/limits/store.ts";
import { type State, UNATTENDED } from "../../../kv/model/entities/entity.ts";
import {
  asJson,
  ENTITY_TYPES,
  type EntityType,
  SITE_TYPES,
} from "../../../kv/model/entities/entity_kinds.ts";
import { Refusal } from "../../../kv/refusals.ts";
import { Store } from "../../../kv/store/store.ts";
import { WRITE_ATTEMPTS_MIN } from "../../../kv/tuning.ts";
import { versionedWrite } from "../../../kv/versioning/versioned_write.ts";
import { type TestContext, testContext } from "../../support/harness/context.ts";
import { seededRandom } from "../../support/seeded_random.ts";

async function save(
  context: TestContext,
  type: EntityType,
  id: string,
  change: (state: State | null) => State | null,
): Promise<number> {
  return await versionedWrite(context, UNATTENDED, async (transaction) => {
    const head = await transaction.head(type, id);
    return transaction.save(type, id, head, change(head.state && asJson(head.state)) as never).n;
  });
}

async function read(context: TestContext, type: EntityType, id: string): Promise<State | null> {
  const { state } = await readHead(context, type, id, currentKey(type, id));
  return state && asJson(state);
}

async function versions(context: TestContext, type: EntityType, id: string) {
  const rows = await context.store.listAll<VersionRow>({ prefix: versionPrefix(type, id) });
  return await Promise.all(rows.map(async ({ value }) => ({
    n: value!.n,
    at: value!.at,
    state: await versionState(context, type, id, value!) as State | null,
  })));
}

Deno.test("versionedWrite() records each mutation of every entity type", async () => {
  await using context = await testContext();

  for (const type of ENTITY_TYPES) {
    await save(context, type, "a", () => ({ name: "one" }));
    await save(context, type, "a", (state) => ({ ...state, name: "two" }));
    await save(context, type, "a", () => null);
  }

  for (const type of ENTITY_TYPES) {
    const history = await versions(context, type, "a");
    assertEquals(history.map(({ n, state }) => [n, state?.name]), [[1, "one"], [2, "two"], [
      3,
      undefined,
    ]]);
    const log = await Array.fromAsync(readLog(context.store, type));
    assertEquals(log.flat().map(({ kind }) => kind), [CREATED, CHANGED, DELETED]);
  }
  assertEquals(SITE_TYPES.length, 14);
});

Deno.test("versionedWrite() loses no concurrent change and leaves no gap", async () => {
  await using context = await testContext();
  const writers = 25;

  await Promise.all(
    Array.from(
      { length: writers },
      () =>
        save(context, "setting", "counter", (state) => ({ value: Number(state?.value ?? 0) + 1 })),
    ),
  );

  assertEquals(await read(context, "setting", "counter"), { value: writers });
  const history = await versions(context, "setting", "counter");
  assertEquals(history.map(({ n }) => n), Array.from({ length: writers }, (_, i) => i + 1));
  assertEquals(history.map(({ state }) => state?.value), history.map(({ n }) => n));
});

Deno.test("versionedWrite() is tried again on a slow store, too, and gives up in the end", async () => {
  await using context = await testContext();
  const elsewhere = { ...context, store: new Store(context.store.driver) };
  // Each attempt takes longer than a contended write is retried, and another process is faster at the first ones.
  const write = async (rivals: number) => {
    let attempts = 0;
    await versionedWrite(context, UNATTENDED, async (transaction) => {
      const head = await transaction.head("setting", "slow");
      context.advance(WRITE_DEADLINE_MS + 1_000);
      if (attempts++ < rivals) {
        await save(elsewhere, "setting", "slow", () => ({ value: attempts }));
      }
      transaction.save("setting", "slow", head, { value: "mine" } as never);
    });
    return attempts;
  };

  assertEquals(await write(1), 2);
  assertEquals(await write(5), 6);
  assertEquals(await read(context, "setting", "slow"), { value: "mine" });
  const error = await assertRejects(() => write(WRITE_ATTEMPTS_MIN), Refusal);
  assertEquals([error.code, error.facts.retryAfterSeconds], ["CONFLICT", 1]);
});

Deno.test("versionedWrite() keeps states of every size whole, live and in history", async () => {
  await using context = await testContext();
  const sizes = [10, 40_000, 60_000, 150_000, SPILL_BYTES - 100, SPILL_BYTES + 100, 900_000];
  const texts = sizes.map((size, i) => String(i).repeat(size));

  for (const text of texts) await save(context, "setting", "large", () => ({ value: text }));

  assertEquals(await read(context, "setting", "large"), { value: texts.at(-1)! });
  const history = await versions(context, "setting", "large");
  assertEquals(
    history.map(({ state }) => state?.value === texts[Number(String(state?.value)[0])]),
    [
      ...sizes.map(() => true),
    ],
  );
});

Deno.test("versionedWrite() spills large parts of a document, and reads past a stale live copy", async () => {
  await using context = await testContext();
  const document = (letter: string) => ({
    id: "d",
    title: letter,
    data: { body: letter.repeat(SPILL_BYTES) },
    blocks: [letter.repeat(SPILL_BYTES)],
  });

  await save(context, "document", "d", () => document("a"));
  const stale = await context.objects.get("documents/d/data.json");
  await save(context, "document", "d", () => document("b"));
  assert(stale !== null && await context.objects.get("documents/d/blocks.json") !== null);
  assertEquals(await read(context, "document", "d"), document("b"));

  await context.objects.put("documents/d/data.json", stale);
  assertEquals(await read(context, "document", "d"), document("b"));
  await context.objects.delete("documents/d/blocks.json");
  assertEquals(await read(context, "document", "d"), document("b"));
  const history = await versions(context, "document", "d");
  assertEquals(history.map(({ state }) => state), [document("a"), document("b")]);
});

Deno.test("versionedWrite() keeps a document whole whose parts are large only together", async () => {
  await using context = await testContext();
  // Texts that cannot be compressed: their rows have pieces.
  const text = (seed: number) => {
    const random = seededRandom(seed);
    const bytes = Array.from({ length: SPILL_BYTES * 0.7 }, () => Math.floor(random() * 256));
    return Buffer.from(bytes).toString("base64");
  };
  const documents = {
    a: { id: "d", data: { body: text(1) }, blocks: [text(2)] },
    b: { id: "d", data: { body: text(3) }, blocks: [text(4)] },
  };
  const document = (letter: "a" | "b") => documents[letter];
  const pieces = () => context.store.listAll({ prefix: ["state_chunk", "document", "d"] });

  await save(context, "document", "d", () => document("a"));
  assert((await pieces()).length > 0);
  await save(context, "document", "d", () => document("b"));
  assertEquals(await read(context, "document", "d"), document("b"));
  await save(context, "document", "d", () => ({ id: "d", data: {}, blocks: [] }));

  const history = await versions(context, "document", "d");
  assertEquals(history[0]!.state, document("a"));
  assertEquals(history[1]!.state, document("b"));
  assertEquals((await pieces()).length, 0, "the live pieces of replaced versions are gone");
});

Deno.test("versionedWrite() writes nothing at all when it refuses", async () => {
  await using context = await testContext();

  const refused = versionedWrite(context, UNATTENDED, async (transaction) => {
    const head = await transaction.head("setting", "x");
    transaction.save("setting", "x", head, { value: 1 } as never);
    throw new Refusal("CONFLICT");
  });

  await assertRejects(() => refused, Refusal);
  assertEquals(await context.store.listAll({ start: [""], end: ["~"] }), []);
});

Deno.test("versionedWrite() never lets changed_at go backwards", async () => {
  await using context = await testContext();
  await save(context, "setting", "x", () => ({ value: 1 }));
  context.advance(-60_000);

  await save(context, "setting", "x", () => ({ value: 2 }));

  const [first, second] = await versions(context, "setting", "x");
  assertEquals(second!.at, first!.at);
});

Deno.test("versionedWrite() records who and why, and finds a version by its id", async () => {
  await using context = await testContext();
  const actor = { userId: "u", via: "importer" };

  const saved = await versionedWrite(context, actor, async (transaction) => {
    const head = await transaction.head("role", "r");
    return transaction.save("role", "r", head, { name: "x" } as never, { summary: "Seeded" });
  });

  const row = await context.store.get<VersionRow>(versionKey("role", "r", 1));
  assertEquals([row.value?.by, row.value?.summary], ["u", "importer: Seeded"]);
  const pointer = await context.store.get(versionIdKey(saved.versionId));
  assertEquals(pointer.value, ["role", "r", 1]);
});

Deno.test("versionedWrite() continues the version numbers after a deletion", async () => {
  await using context = await testContext();
  await save(context, "role", "r", () => ({ name: "x" }));
  await save(context, "role", "r", () => null);

  const n = await save(context, "role", "r", () => ({ name: "again" }));

  assertEquals(n, 3);
  const live = await context.store.get<CurrentRow>(currentKey("role", "r"));
  assertEquals(live.value?.gone, undefined);
});

Deno.test("versionedWrite() commits nothing if nothing was saved, and reads again at once after a lost guess", async () => {
  await using context = await testContext();
  const pauses: number[] = [];
  const store = new Store(context.store.driver, {
    sleep: (ms) => Promise.resolve(void pauses.push(ms)),
  });
  const before = store.counts.commits;
  const read = await versionedWrite({ ...context, store }, UNATTENDED, async (transaction) => {
    return (await transaction.head("role", "a")).state;
  });
  assertEquals([read, store.counts.commits - before], [null, 0]);
  let attempts = 0;
  await versionedWrite({ ...context, store }, UNATTENDED, async (transaction) => {
    const head = await transaction.head("role", "a");
    if (attempts++ === 0) await save(context, "role", "a", () => ({ name: "first" }));
    transaction.save("role", "a", head, { name: "second" } as never);
  });
  assertEquals([attempts, pauses], [2, []]);
});

Deno.test("versionedWrite() passes on an error of the store if it saved no entity", async () => {
  await using context = await testContext();
  class BrokenStore extends Store {
    override commit(): Promise<never> {
      return Promise.reject(new TypeError("broken"));
    }
  }
  const store = new BrokenStore(context.store.driver);
  const write = () =>
    versionedWrite({ ...context, store }, UNATTENDED, ({ operation }) => {
      operation.set(["any"], 1);
      return Promise.resolve();
    });
  assertEquals((await assertRejects(write, TypeError)).message, "broken");
});
