import { assert, assertEquals } from "@std/assert";
import { finish } from "../../../jobs/runner/job_kind.ts";
import { POLL_GAP_MS, Runner } from "../../../jobs/runner/runner.ts";
import {
  BATCH_INTERVAL_MS,
  OVERDUE_AFTER_MS,
  STEP_INTERVAL_MS,
  type StepBatch,
  StepGate,
} from "../../../jobs/runner/step_gate.ts";
import { Traffic } from "../../../jobs/runner/traffic.ts";
import { LANES } from "../../../kv/jobs/due.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";
import { testContext } from "../../support/harness/context.ts";
import { Harness } from "../../support/harness/harness.ts";

/** A gate in simulated time, with a request that is answered when `answer` is called. */
function fixture() {
  const harness = new Harness(1);
  const traffic = new Traffic();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const gate = new StepGate(traffic, {
    turn: () => harness.sleep(0),
    setTimer: (ms, run) => harness.setTimer(ms, run),
    monotonic: () => harness.now,
  });
  const request = () => void traffic.counted(() => promise)();
  const begun: { step: string; at: number }[] = [];
  const start = harness.now;
  const step = async (
    name: string,
    urgency: "interactive" | "bulk" | "idle",
    ms: number,
    company: StepBatch | null = null,
  ) => {
    const leave = await gate.enter(urgency, company);
    begun.push({ step: name, at: harness.now - start });
    await harness.sleep(ms);
    leave();
  };
  return { harness, traffic, gate, request, answer: () => resolve(new Response()), step, begun };
}

Deno.test("StepGate lets bulk steps overlap while no request is under way", async () => {
  const { harness, step, begun } = fixture();

  void step("one", "bulk", 100);
  void step("two", "bulk", 100);
  await harness.pass(1);

  assertEquals(begun.map(({ step }) => step), ["one", "two"]);
});

Deno.test("StepGate runs one bulk step at a time during requests, and no other step waits", async () => {
  const { harness, request, step, begun } = fixture();
  request();

  void step("one", "bulk", 20);
  void step("two", "idle", 20);
  void step("three", "bulk", 10_000);
  void step("four", "bulk", 20);
  void step("asked for", "interactive", 20);
  await harness.pass(1_000);

  const at = new Map(begun.map(({ step, at }) => [step, at]));
  assertEquals(begun.map(({ step }) => step), ["asked for", "one", "two", "three", "four"]);
  assertEquals([at.get("one"), at.get("two"), at.get("three")], [0, 20, 40]);
  assertEquals(at.get("four"), 40 + STEP_INTERVAL_MS);
});

Deno.test("StepGate lets everything begin once the requests are answered", async () => {
  const { harness, request, answer, traffic, step, begun } = fixture();
  request();
  void step("one", "bulk", 10_000);
  void step("two", "bulk", 20);
  await harness.pass(1);
  assert(traffic.busy);

  answer();
  await harness.pass(STEP_INTERVAL_MS);

  assertEquals(traffic.busy, false);
  assertEquals(begun.length, 2);
});

Deno.test("StepGate starts the steps of a batch together, and the next ones when all have ended", async () => {
  const { harness, request, step, begun } = fixture();
  request();
  const [render, index] = ["render", "index"].map((name) => ({ name, waitedMs: 0 }));

  for (const name of ["one", "two", "three"]) void step(name, "bulk", 200, render);
  void step("four", "bulk", 5, index);
  void step("alone", "bulk", 5);
  void step("asked for", "interactive", 5, index);
  await harness.pass(2_000);

  assertEquals(begun, [
    { step: "asked for", at: 0 },
    { step: "one", at: 0 },
    { step: "two", at: 0 },
    { step: "three", at: 0 },
    { step: "alone", at: STEP_INTERVAL_MS },
    { step: "four", at: 200 },
  ]);
});

Deno.test("StepGate does not let a batch wait forever for a step that hangs", async () => {
  const { harness, request, step, begun } = fixture();
  request();

  void step("one", "bulk", 100_000, { name: "render", waitedMs: 0 });
  await harness.pass(1);
  void step("two", "bulk", 10, { name: "render", waitedMs: 0 });
  await harness.pass(2 * BATCH_INTERVAL_MS);

  assertEquals(begun, [{ step: "one", at: 0 }, { step: "two", at: BATCH_INTERVAL_MS }]);
});

Deno.test("StepGate reports whether a batch is overdue", async () => {
  const { harness, traffic, request, step } = fixture();
  request();

  void step("late", "bulk", 10, { name: "render", waitedMs: OVERDUE_AFTER_MS });
  void step("not late", "bulk", 10, { name: "render", waitedMs: 0 });
  await harness.pass(5);
  assert(traffic.isOverdue);
  void step("alone", "bulk", 10);
  await harness.pass(STEP_INTERVAL_MS);
  assert(traffic.isOverdue, "a single step does not decide it");
  void step("next", "bulk", 10, { name: "render", waitedMs: OVERDUE_AFTER_MS - 1 });
  await harness.pass(2 * BATCH_INTERVAL_MS);

  assertEquals(traffic.isOverdue, false);
});

Deno.test("Runner runs bulk jobs one by one during requests", async () => {
  await using context = await testContext();
  const traffic = new Traffic();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const request = traffic.counted(() => promise)();
  let inside = 0, most = 0;
  const kind = anyKind({
    only: async () => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 5));
      inside -= 1;
      return finish();
    },
  }, { type: "PUBLISH" });
  const operation = new Operation();
  for (let n = 0; n < 12; n++) {
    addAnyJob(operation, context, { type: "PUBLISH", payload: {} });
  }
  await context.store.commit(operation);

  await new Runner(context, { kinds: [kind], traffic }).drain();

  assertEquals(most, 1);
  resolve(new Response());
  await request;
});

Deno.test("Runner lets concurrent jobs start their steps together during requests", async () => {
  await using context = await testContext();
  const traffic = new Traffic();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const request = traffic.counted(() => promise)();
  let inside = 0, most = 0;
  const kind = anyKind({
    only: async () => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 20));
      inside -= 1;
      return finish();
    },
  }, { type: "PUBLISH", batchSize: 12 });
  const operation = new Operation();
  for (let n = 0; n < 12; n++) {
    addAnyJob(operation, context, { type: "PUBLISH", payload: {} });
  }
  await context.store.commit(operation);

  await new Runner(context, { kinds: [kind], traffic }).drain();

  assert(most > 1, "each step alone");
  resolve(new Response());
  await request;
});

Deno.test("Runner looks once for what many requests make due", async () => {
  await using context = await testContext();
  const traffic = new Traffic();
  const { promise, resolve } = Promise.withResolvers<Response>();
  const request = traffic.counted(() => promise)();
  const runner = new Runner(context, { kinds: [], traffic });
  const { list } = context.store;
  let reads = 0;
  context.store.list = function <T>(...args: Parameters<typeof list>) {
    reads += 1;
    return list.apply(this, args) as ReturnType<typeof list<T>>;
  };
  await runner.drain();
  const readsPerLook = reads;
  assert(readsPerLook > 0);

  reads = 0;
  const begunAt = performance.now();
  runner.start();
  for (let asked = 0; asked < 50; asked++) {
    runner.notify(context.now(), "bulk");
    await new Promise((done) => setTimeout(done, 1));
  }
  await runner.stop();

  const most = 2 + Math.ceil((performance.now() - begunAt) / POLL_GAP_MS);
  assert(reads / readsPerLook <= most, `${reads / readsPerLook} looks, at most ${most}`);
  resolve(new Response());
  await request;
});

Deno.test("Runner looks only into the lane in which something is due, and not where jobs wait for a slot", async () => {
  await using context = await testContext();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const kind = anyKind({
    only: async () => {
      await end;
      return finish();
    },
  }, { type: "PUBLISH" });
  const runner = new Runner(context, { kinds: [kind], runningMax: 4 });
  const lanes: unknown[] = [];
  const { list } = context.store;
  context.store.list = function <T>(...args: Parameters<typeof list>) {
    const [range] = args;
    if ("prefix" in range && range.prefix[0] === duePrefix[0]) lanes.push(range.prefix[1]);
    return list.apply(this, args) as ReturnType<typeof list<T>>;
  };
  const looked = async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((done) => setTimeout(done, 1));
    return lanes.splice(0);
  };
  const addMany = async (count: number) => {
    const operation = new Operation();
    for (let n = 0; n < count; n++) {
      addAnyJob(operation, context, { type: "PUBLISH", payload: {} });
    }
    await context.store.commit(operation);
  };
  runner.start();
  // One list for all of them.
  assertEquals(await looked(), [undefined]);

  await addMany(1);
  runner.notify(0, "bulk");
  assertEquals(await looked(), [LANES.indexOf("bulk")]);
  await addMany(9);
  runner.notify(0, "bulk");
  assertEquals(await looked(), [LANES.indexOf("bulk")]);
  await addMany(1);
  runner.notify(0, "bulk");
  assertEquals(await looked(), []);
  runner.notify(0, "interactive");
  assertEquals(await looked(), [LANES.indexOf("interactive")]);
  resolve();
  while ((await context.store.listAll({ prefix: duePrefix })).length > 0) await looked();
  await runner.stop();
});

Deno.test("StepGate begins a batch when the one before has ended as a whole, or after a second", async () => {
  for (const [lastsMs, expected] of [[400, 400], [5_000, 1_000]] as const) {
    const { harness, request, step, begun } = fixture();
    request();
    const first = { name: "SEED first", waitedMs: 0 };
    void step("short", "bulk", 10, first);
    void step("long", "bulk", lastsMs, first);
    await harness.pass(100);
    void step("other", "bulk", 10, { name: "SEED other", waitedMs: 0 });
    await harness.pass(6_000);

    const other = begun.find(({ step }) => step === "other")!;
    assert(Math.abs(other.at - expected) <= 5, `${other.at} ms, expected ${expected}`);
  }
});
