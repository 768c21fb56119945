import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  inSlices,
  runAtOnce,
  SLICE_MS,
  type Sliced,
  SliceQueue,
} from "../../../kv/store/slices.ts";

/** The process clock of a test: it moves when a test says so, whatever else the machine does. */
function manualClock(): { pass(ms: number): void } & Disposable {
  const now = performance.now;
  let at = 0;
  performance.now = () => at;
  return {
    pass: (ms) => void (at += ms),
    [Symbol.dispose]: () => void (performance.now = now),
  };
}

Deno.test("SliceQueue.run() pauses every few milliseconds of work, runAtOnce() never", async () => {
  using clock = manualClock();
  function* working(yields: number): Sliced<string> {
    for (let turn = 0; turn < yields; turn++) {
      clock.pass(1);
      yield;
    }
    return "done";
  }
  let pauses = 0;
  const slices = new SliceQueue(() => {
    pauses += 1;
    // Other work runs in between: its time does not count.
    clock.pass(50);
    return Promise.resolve();
  });

  assertEquals(slices.run(working(SLICE_MS - 1)), "done", "what is short is not waited for");
  assertEquals(pauses, 0);
  assertEquals(await slices.run(working(1)), "done", "and many of it are as one");
  assertEquals(pauses, 1);
  assertEquals(await slices.run(working(10 * SLICE_MS)), "done");
  assertEquals(pauses, 11);
  assertEquals(runAtOnce(working(10 * SLICE_MS)), "done");
  assertEquals(pauses, 11);
});

Deno.test("SliceQueue.run() lets those that work at a time share what one may take between two pauses", async () => {
  using clock = manualClock();
  const done: string[] = [];
  function* working(name: string, yields: number): Sliced<void> {
    for (let turn = 0; turn < yields; turn++) {
      clock.pass(1);
      yield;
    }
    done.push(name);
  }
  let [since, longest] = [0, 0];
  const slices = new SliceQueue(() => {
    longest = Math.max(longest, performance.now() - since);
    since = performance.now();
    return Promise.resolve();
  });

  await Promise.all([
    slices.run(working("long", 100 * SLICE_MS)),
    slices.run(working("middle", 10 * SLICE_MS)),
    slices.run(working("short", 2 * SLICE_MS)),
    slices.run(working("last", 1)),
  ]);

  assertEquals(done, ["last", "short", "middle", "long"], "nobody waits for the end of another");
  assert(longest <= SLICE_MS, `${longest} ms without a pause`);
});

Deno.test("SliceQueue.run() passes on what work or a pause throws, and continues with the rest", async () => {
  using clock = manualClock();
  function* failing(after: number): Sliced<never> {
    for (let turn = 0; turn < after; turn++) {
      clock.pass(1);
      yield;
    }
    throw new RangeError("No more");
  }
  function* working(): Sliced<string> {
    for (let turn = 0; turn < 10 * SLICE_MS; turn++) {
      clock.pass(1);
      yield;
    }
    return "done";
  }
  let isBroken = false;
  const slices = new SliceQueue(() =>
    isBroken ? Promise.reject(new TypeError("Stopped")) : Promise.resolve()
  );

  const [other] = await Promise.all([
    slices.run(working()),
    assertRejects(async () => await slices.run(failing(3 * SLICE_MS)), RangeError, "No more"),
  ]);
  assertEquals(other, "done");
  isBroken = true;
  await assertRejects(async () => await slices.run(working()), TypeError, "Stopped");
  isBroken = false;
  assertEquals(await slices.run(working()), "done");
});

Deno.test("inSlices() covers a range once, in order, in parts of whole words", () => {
  for (const count of [0, 1, 4_096, 100_000]) {
    let at = 0;
    runAtOnce(inSlices(count, (from, to) => {
      assertEquals([from, from % 32], [at, 0]);
      assert(to > from && to <= count);
      at = to;
    }));
    assertEquals(at, count);
  }
});
