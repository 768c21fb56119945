import { assert, assertEquals, assertRejects } from "@std/assert";
import fc from "fast-check";
import { logKey, prunedMarkKey, rebuiltLogKey, timelinePrefix } from "../../../../kv/keys.ts";
import { Refusal } from "../../../../kv/refusals.ts";
import { DenoKvDriver } from "../../../../kv/store/driver.ts";
import { Operation } from "../../../../kv/store/operation.ts";
import { Store } from "../../../../kv/store/store.ts";
import { compactTimeline } from "../../../../kv/history/timeline/compaction.ts";
import { recordVersion } from "../../../../kv/versioning/timeline/log.ts";
import { isThere } from "../../../../kv/history/timeline/timeline_reader.ts";
import { Timeline } from "../../../../kv/history/timeline/timeline.ts";
import { versionIn } from "../../../../kv/versioning/timeline/events.ts";
import { type TestContext, testContext } from "../../../support/harness/context.ts";
import { HookedDriver, Killed } from "../../../support/stores/hooked_driver.ts";

const TYPE = "document";
const ids = Array.from({ length: 6 }, (_, index) => `01KT1GW6G0000000000000000${index}`);

/** What is known of an entity, naively. */
interface Known {
  events: { n: number; at: number; kind: string }[];
  lost: Set<number>;
}

type Reference = Map<string, Known>;

async function write(
  context: TestContext,
  reference: Reference,
  id: string,
  at: number,
  kind: string,
) {
  await writeTogether(context, reference, [{ id, at, kind }]);
}

/** Versions of one commit. */
async function writeTogether(
  { store }: TestContext,
  reference: Reference,
  versions: { id: string; at: number; kind: string }[],
) {
  const operation = new Operation();
  for (const version of versions) stage(operation, reference, version);
  await store.commit(operation);
}

function stage(
  operation: Operation,
  reference: Reference,
  { id, at, kind }: { id: string; at: number; kind: string },
) {
  const known = reference.get(id) ?? { events: [], lost: new Set() };
  const last = known.events.at(-1);
  const event = { n: (last?.n ?? 0) + 1, at: Math.max(at, last?.at ?? 0), kind };
  known.events.push(event);
  reference.set(id, known);
  // Some have rows of their own, as all had once and what an import rebuilds has.
  if (event.n % 4 === 0) operation.set(logKey(TYPE, event.at, id, event.n), kind);
  else if (event.n % 4 === 1) operation.set(rebuiltLogKey(TYPE, event.at, id, event.n), kind);
  else recordVersion(operation, TYPE, { id, ...event }, kind as "c");
}

/** Prunes versions below the newest: from number `from` on, `count` of them. */
async function prune(
  context: TestContext,
  reference: Reference,
  { id, from, count }: { id: string; from: number; count: number },
) {
  const known = reference.get(id);
  if (known === undefined) return;
  const end = Math.min(from + count, known.events.length);
  if (end <= from) return;
  for (let n = from; n < end; n++) known.lost.add(n);
  await context.store.commit(new Operation().set(prunedMarkKey(TYPE, id, from, end), "p"));
}

/** Every entity at an instant, as the timeline says. */
async function seen(timeline: Timeline, instants: number[]) {
  const reader = await timeline.of(TYPE);
  const found: unknown[] = [];
  await reader.walk(instants, ({ what, lost, position }) => {
    const id = reader.idAt(position);
    found.push([id, [...lost], what.map((one) => isThere(one) ? versionIn(one) : null)]);
    const alone = reader.find(id, instants[0]!)!;
    assertEquals([alone.what[0], alone.lost[0]], [what[0], lost[0]]);
  });

  return found;
}

function expected(reference: Reference, instants: number[]) {
  return [...reference].sort(([a], [b]) => a < b ? -1 : 1).map(([id, { events, lost }]) => [
    id,
    instants.map((instant) => {
      const last = events.filter(({ at }) => at <= instant).at(-1);
      return last !== undefined && lost.has(last.n);
    }),
    instants.map((instant) => {
      const last = events.filter(({ at }) => at <= instant).at(-1);
      return last === undefined || last.kind === "d" ? null : last.n;
    }),
  ]);
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("write" as const),
      id: fc.constantFrom(...ids),
      at: fc.integer({ min: 1, max: 30 }),
      kind: fc.constantFrom("c", "u", "u", "d"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("together" as const),
      ids: fc.uniqueArray(fc.constantFrom(...ids), { minLength: 1 }),
      at: fc.integer({ min: 1, max: 30 }),
      kind: fc.constantFrom("c", "u", "d"),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("prune" as const),
      id: fc.constantFrom(...ids),
      from: fc.constantFrom(0, 1, 2, 3, 5),
      count: fc.integer({ min: 1, max: 6 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("compact" as const),
      min: fc.integer({ min: 1, max: 4 }),
    }),
  },
);

Deno.test("Timeline.of() keeps a mark of pruning apart from a version with the same numbers", async () => {
  await using context = await testContext();
  const reference: Reference = new Map();
  const [id] = ids;
  for (const kind of ["c", "u"]) await write(context, reference, id!, 1, kind);

  await prune(context, reference, { id: id!, from: 1, count: 1 });

  assertEquals(await seen(new Timeline(context.store), [1]), [[id, [false], [2]]]);
});

Deno.test("Timeline.of() equals a naive replay of the log, however it was compacted", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 31 }), { minLength: 1, maxLength: 3 }),
      async (steps, instants) => {
        await using context = await testContext();
        const timeline = new Timeline(context.store);
        const reference: Reference = new Map();
        for (const one of steps) {
          if (one.do === "write") await write(context, reference, one.id, one.at, one.kind);
          if (one.do === "together") {
            const versions = one.ids.map((id) => ({ id, at: one.at, kind: one.kind }));
            await writeTogether(context, reference, versions);
          }
          if (one.do === "prune") await prune(context, reference, one);
          if (one.do === "compact") {
            await compactTimeline(context, TYPE, { eventsMin: one.min });
            assertEquals(await seen(timeline, instants), expected(reference, instants));
          }
        }
        assertEquals(await seen(timeline, instants), expected(reference, instants));
        assertEquals(
          await seen(new Timeline(context.store), instants),
          expected(reference, instants),
        );
      },
    ),
    { numRuns: 60 },
  );
});

Deno.test("compactTimeline() killed at any call leaves the timeline whole", async () => {
  const instants = [5, 15, 40];
  for (let death = 1;; death++) {
    const kv = await Deno.openKv(":memory:");
    const native = new DenoKvDriver(kv);
    await using context = await testContext();
    const whole = { ...context, store: new Store(native) } as TestContext;
    const reference: Reference = new Map();
    const hooked = new HookedDriver(native);
    const dying = { ...context, store: new Store(hooked) };
    let died = false;
    for (let round = 0; round < 3; round++) {
      for (let turn = 0; turn < 12; turn++) {
        await write(
          whole,
          reference,
          ids[turn % 5]!,
          round * 10 + turn,
          turn % 7 === 6 ? "d" : "u",
        );
      }
      await prune(whole, reference, { id: ids[round]!, from: round, count: 2 });
      hooked.hook = (n, when) => {
        if (n < death || died && when === "before" && n === death) return;
        died = n >= death;
        if (n === death && when === "after") throw new Killed();
      };
      try {
        while (!(await compactTimeline(dying, TYPE, { eventsMin: 1 })).done);
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
      assertEquals(await seen(new Timeline(whole.store), instants), expected(reference, instants));
    }
    hooked.hook = () => {};
    while (!(await compactTimeline(dying, TYPE, { eventsMin: 1 })).done);
    assertEquals(await seen(new Timeline(whole.store), instants), expected(reference, instants));
    // Manifest and one piece of one segment: nothing is left behind.
    assertEquals((await whole.store.listAll({ prefix: timelinePrefix })).length, 2);
    kv.close();
    if (hooked.calls < death) break;
    assert(death < 100);
  }
});

Deno.test("Timeline.of() reads again when a compaction replaces segments under it", async () => {
  await using context = await testContext();
  const reference: Reference = new Map();
  const hooked = new HookedDriver(context.store.driver);
  const reader = new Timeline(new Store(hooked));
  for (let turn = 0; turn < 4; turn++) {
    await write(context, reference, ids[turn]!, turn, "c");
    await compactTimeline(context, TYPE, { eventsMin: 1 });
  }
  let compacted = false;
  hooked.hook = async (n, when) => {
    if (n !== 3 || when !== "before" || compacted) return;
    compacted = true;
    while (!(await compactTimeline(context, TYPE, { eventsMin: 1 })).done);
  };

  const found = await seen(reader, [100]);

  assert(compacted);
  assertEquals(found, expected(reference, [100]));
});

Deno.test("Timeline.of() refuses when its segments never come", async () => {
  await using context = await testContext();
  await write(context, new Map(), ids[0]!, 1, "c");
  await compactTimeline(context, TYPE, { eventsMin: 1 });
  const segments = { prefix: [...timelinePrefix, TYPE, "segment"] };
  for (const { key } of await context.store.listAll(segments)) {
    await context.store.commit(new Operation().delete(key));
  }

  const refusal = await assertRejects(() => new Timeline(context.store).of(TYPE), Refusal);
  assertEquals(refusal.code, "UNAVAILABLE");
});
