import { MAILS_AT_ONCE_MAX, RUNNING_MAX } from "../../../jobs/limits.ts";
import { assert, assertEquals } from "@std/assert";
import { again, finish, type JobKind } from "../../../jobs/runner/job_kind.ts";

import { Slots } from "../../../jobs/runner/slots.ts";
import { type Lane, LANES } from "../../../kv/jobs/due.ts";
import type { JobClass } from "../../../kv/jobs/job_contract.ts";
import { findJob } from "../../../kv/jobs/jobs.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { type Simulated, simulated } from "../../support/harness/simulated_runner.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

interface Payload {
  name: string;
  /** How long its step takes, and whether it fails then. */
  ms: number;
  fails?: true;
}

/** Processes over one store, and when the jobs that they run have begun. */
class Fixture {
  readonly harness: Harness;
  readonly kv = new SimulatedKv();
  /** Where jobs are added: the last process that was born. */
  client: Simulated;
  readonly begun = new Map<string, number>();
  readonly ended: string[] = [];

  constructor(seed = 1) {
    this.harness = new Harness(seed);
    this.client = simulated(this.harness, this.kv);
  }

  kind(type: JobKind["type"] = "PUBLISH"): JobKind {
    return anyKind<Payload>({
      only: async ({ payload: { name, ms, fails }, attempt }) => {
        if (!this.begun.has(name)) this.begun.set(name, this.harness.now);
        await this.harness.sleep(ms);
        if (fails && attempt < 5) throw new Error("The cache does not answer");
        this.ended.push(name);
        return finish();
      },
    }, { type });
  }

  async add(
    payloads: Payload[],
    options: { class?: JobClass; dueAt?: number; client?: Simulated } = {},
  ): Promise<void> {
    const { client = this.client, ...job } = options;
    for (let start = 0; start < payloads.length; start += 300) {
      const operation = new Operation();
      for (const payload of payloads.slice(start, start + 300)) {
        addAnyJob(operation, client.context, { type: "PUBLISH", payload, ...job });
      }
      await this.harness.run(client.context.store.commit(operation));
    }
  }

  /** Starts a process that runs jobs. */
  born(options: { runningMax?: number } = {}): Simulated {
    const one = simulated(this.harness, this.kv);
    one.runner([this.kind()], options).start();
    this.client = one;
    return one;
  }
}

const many = (count: number, name: string, facts: Omit<Payload, "name">): Payload[] =>
  Array.from({ length: count }, (_, n) => ({ name: `${name} ${n}`, ...facts }));

Deno.test("Runner begins what a person waits for within a second, whatever waits", async () => {
  const fixture = new Fixture();
  await fixture.add(many(3_000, "bulk", { ms: 100 }));
  fixture.born();
  await fixture.harness.pass(5 * SECOND_MS);

  const askedAt = fixture.harness.now;
  await fixture.add([{ name: "export", ms: 10 }], { class: "interactive" });
  await fixture.harness.pass(SECOND_MS);

  assert(fixture.begun.get("export")! - askedAt < SECOND_MS);
  assert(fixture.ended.length < 3_000);
});

Deno.test("Runner begins what a person waits for although bulk jobs take long", async () => {
  const fixture = new Fixture();
  await fixture.add(many(50, "bulk", { ms: HOUR_MS }));
  await fixture.add(many(50, "upkeep", { ms: HOUR_MS }), { class: "idle" });
  fixture.born();
  await fixture.harness.pass(5 * SECOND_MS);

  await fixture.add([{ name: "schedule", ms: HOUR_MS }], { class: "scheduled" });
  await fixture.add([{ name: "restore", ms: 10 }], { class: "interactive" });
  await fixture.harness.pass(SECOND_MS);

  assert(fixture.begun.has("restore") && fixture.begun.has("schedule"));
});

Deno.test("Runner begins a scheduled job within two seconds of its time amid bulk work", async () => {
  const fixture = new Fixture();
  const dueAt = fixture.harness.now + 20 * SECOND_MS;
  await fixture.add([{ name: "schedule", ms: 10 }], { class: "scheduled", dueAt });
  await fixture.add(many(3_000, "bulk", { ms: 100 }));
  fixture.born();

  await fixture.harness.pass(25 * SECOND_MS);

  const late = fixture.begun.get("schedule")! - dueAt;
  assert(late >= 0 && late < 2 * SECOND_MS, `${late} ms late`);
});

Deno.test("Runner gives few slots to what fails again and again", async () => {
  const fixture = new Fixture();
  await fixture.add(many(400, "failing", { ms: 10 * SECOND_MS, fails: true }), {
    class: "interactive",
  });
  fixture.born();
  await fixture.harness.pass(15 * MINUTE_MS);
  assert(fixture.ended.length < 400);

  const askedAt = fixture.harness.now;
  await fixture.add(many(20, "fine", { ms: 100 }));
  await fixture.harness.pass(5 * SECOND_MS);

  assertEquals(fixture.ended.filter((name) => name.startsWith("fine")).length, 20);
  assert(fixture.begun.get("fine 19")! - askedAt < 5 * SECOND_MS);
});

Deno.test("Runner lets no lane wait for ever, even with one slot", async () => {
  const fixture = new Fixture();
  await fixture.add(many(3, "bulk", { ms: 50 }));
  await fixture.add(many(3, "upkeep", { ms: 50 }), { class: "idle" });
  fixture.born({ runningMax: 1 });

  for (let n = 0; n < 400; n++) {
    await fixture.add([{ name: `busy ${n}`, ms: 100 }], { class: "interactive" });
    await fixture.harness.pass(50);
  }

  assert(fixture.ended.filter((name) => name.startsWith("busy")).length < 400);
  for (const { name } of [...many(3, "bulk", { ms: 0 }), ...many(3, "upkeep", { ms: 0 })]) {
    assert(fixture.ended.includes(name), name);
  }
});

Deno.test("Runner begins a job at once that a process with a clock an hour ahead has added", async () => {
  const fixture = new Fixture();
  fixture.born();
  await fixture.harness.pass(SECOND_MS);
  const ahead = simulated(fixture.harness, fixture.kv, { skewMs: HOUR_MS });
  await fixture.add([{ name: "publish", ms: 10 }], { client: ahead });

  await fixture.harness.pass(2 * MINUTE_MS);

  assertEquals(fixture.ended, ["publish"]);
});

Deno.test("Runner begins calls of other kinds although one that is bounded stalls with many waiting", async () => {
  const fixture = new Fixture();
  let stalled = 0;
  let told = 0;
  const mails = anyKind({
    only: async () => {
      stalled += 1;
      await fixture.harness.sleep(HOUR_MS);
      return finish();
    },
  }, { type: "SEND_MAIL", concurrencyMax: MAILS_AT_ONCE_MAX });
  const calls = anyKind({ only: () => finish(void (told += 1)) }, { type: "DELIVER" });
  const one = fixture.client;
  const add = async (type: "SEND_MAIL" | "DELIVER", count: number) => {
    const operation = new Operation();
    for (let n = 0; n < count; n++) addAnyJob(operation, one.context, { type, payload: {} });
    await fixture.harness.run(one.context.store.commit(operation));
  };
  for (let n = 0; n < 5; n++) await add("SEND_MAIL", 300);
  one.runner([mails, calls, fixture.kind()]).start();
  await fixture.harness.pass(5 * SECOND_MS);
  assertEquals(stalled, MAILS_AT_ONCE_MAX);

  await add("DELIVER", 3);
  await fixture.add([{ name: "publish", ms: 10 }]);
  await fixture.harness.pass(2 * SECOND_MS);

  assertEquals([told, fixture.ended, stalled], [3, ["publish"], MAILS_AT_ONCE_MAX]);
});

Deno.test("Slots of a lane never let the others go without, and are given back", () => {
  const slots = new Slots(RUNNING_MAX);
  const fill = (lane: Lane) => {
    const ends: (() => void)[] = [];
    while (slots.free(lane) > 0) ends.push(slots.begin(lane));
    return ends;
  };

  const idle = fill("idle"), retry = fill("retry"), bulk = fill("bulk");
  assertEquals([idle.length, retry.length, bulk.length], [2, 2, 2]);
  assertEquals(LANES.map((lane) => slots.free(lane)), [2, 1, 0, 0, 0, 160]);
  const scheduled = fill("scheduled"), interactive = fill("interactive");
  assertEquals([scheduled.length, interactive.length], [1, 1]);

  for (const end of [...idle, ...retry, ...bulk, ...scheduled, ...interactive]) end();
  assertEquals(LANES.map((lane) => slots.free(lane)), [8, 7, 2, 6, 2, 160]);
  assertEquals(LANES.map((lane) => new Slots(1).free(lane)), [1, 1, 1, 1, 1, 160]);
});

Deno.test("Runners of two processes keep the order of the classes through crashes", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    const fixture = new Fixture(seed);
    const { harness } = fixture;
    await fixture.add(many(400, "bulk", { ms: 200 }));
    let processes = [fixture.born(), fixture.born()];
    const asked = new Map<string, { at: number; class: JobClass }>();
    const classes: JobClass[] = ["interactive", "scheduled", "bulk", "idle"];
    for (let round = 0; round < 30; round++) {
      await harness.pass(harness.random() * SECOND_MS);
      const urgency = classes[Math.floor(harness.random() * classes.length)]!;
      const name = `${urgency} asked ${round}`;
      asked.set(name, { at: harness.now, class: urgency });
      await fixture.add([{ name, ms: 100 }], { class: urgency });
      if (harness.chance(0.1)) {
        processes[0]!.process.kill();
        processes = [processes[1]!, fixture.born()];
      } else if (harness.chance(0.5)) {
        processes.reverse();
        fixture.client = processes[1]!;
      }
    }
    await harness.pass(5 * MINUTE_MS);

    for (const [name, { at, class: urgency }] of asked) {
      const waited = fixture.begun.get(name)! - at;
      if (urgency === "interactive") assert(waited < SECOND_MS, `seed ${seed}: ${name} ${waited}`);
      if (urgency === "scheduled") {
        assert(waited < 2 * SECOND_MS, `seed ${seed}: ${name} ${waited}`);
      }
    }
    assertEquals(new Set(fixture.ended).size, 430, `seed ${seed}`);
    assertEquals(fixture.kv.dump(duePrefix), [], `seed ${seed}`);
  }
});

Deno.test("a job that went on after a failure is found again when its process disappears", async () => {
  const fixture = new Fixture();
  let tries = 0;
  const kind = anyKind({
    light: () => {
      if (++tries === 1) throw new Error("It stumbles");
      return { kind: "next", light: true };
    },
    slow: async ({ cursor }) => {
      if (cursor === null) return again(1);
      if (tries < 3) await fixture.harness.sleep(HOUR_MS);
      return finish();
    },
  });
  const one = simulated(fixture.harness, fixture.kv);
  const operation = new Operation();
  const id = addAnyJob(operation, fixture.client.context, { type: "SEED", payload: {} });
  await fixture.harness.run(fixture.client.context.store.commit(operation));
  one.runner([kind]).start();
  await fixture.harness.pass(2 * MINUTE_MS);
  assertEquals(tries, 2);

  one.process.kill();
  tries = 3;
  simulated(fixture.harness, fixture.kv).runner([kind]).start();
  await fixture.harness.pass(3 * MINUTE_MS);

  const job = await fixture.harness.run(findJob(fixture.client.context.store, id));
  assertEquals(job?.state, "done");
});
