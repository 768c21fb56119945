import { assert, assertEquals } from "@std/assert";
import { PASSED_OVER_MAX } from "../../../jobs/limits.ts";
import { DueFlags } from "../../../jobs/runner/due_flags.ts";
import { DUE_BATCH } from "../../../jobs/runner/due_lane.ts";
import { finish, type JobKind } from "../../../jobs/runner/job_kind.ts";
import { BULK_POLL_GAP_MS, POLL_GAP_MS } from "../../../jobs/runner/runner.ts";
import { Slots } from "../../../jobs/runner/slots.ts";
import { Traffic } from "../../../jobs/runner/traffic.ts";
import { type Lane, LANES } from "../../../kv/jobs/due.ts";
import type { JobClass } from "../../../kv/jobs/job_contract.ts";
import { duePrefix } from "../../../kv/jobs/job_keys.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { addAnyJob, anyKind } from "../../support/harness/any_job.ts";
import { Harness } from "../../support/harness/harness.ts";
import { SimulatedKv } from "../../support/harness/simulated_kv.ts";
import { simulated, type SimulatedRunnerOptions } from "../../support/harness/simulated_runner.ts";

interface Payload {
  name: string;
  /** How long its step takes. */
  ms: number;
}

/** A process whose looks are seen: when, and into which lane. */
class Fixture {
  readonly harness = new Harness(1);
  readonly process = simulated(this.harness, new SimulatedKv());
  readonly ended: string[] = [];
  looks: { at: number; lane: Lane }[] = [];
  /** Is called before due entries are read. */
  onLook: (lane: Lane) => void = () => {};

  constructor() {
    const { store } = this.process.context;
    const { list } = store;
    store.list = (...args) => {
      const [range] = args;
      if ("prefix" in range && range.prefix[0] === duePrefix[0]) {
        const number = range.prefix[1] as number | undefined;
        for (const lane of number === undefined ? LANES : [LANES[number]!]) {
          this.looks.push({ at: this.harness.now, lane });
          this.onLook(lane);
        }
      }
      return list.apply(store, args) as never;
    };
  }

  /** Starts a runner that has had its first look. */
  async started(
    options: SimulatedRunnerOptions = {},
    facts: Pick<JobKind, "concurrencyMax"> = {},
    others: JobKind[] = [],
  ) {
    const kind: JobKind = anyKind<Payload>({
      only: async ({ payload: { name, ms } }) => {
        await this.harness.sleep(ms);
        this.ended.push(name);
        return finish();
      },
    }, { type: "PUBLISH", ...facts });
    const runner = this.process.runner([kind, ...others], options);
    runner.start();
    await this.harness.pass(500);
    this.looks = [];
    return runner;
  }

  async add(payload: Payload, urgency: JobClass = "bulk"): Promise<void> {
    const operation = new Operation();
    const { context } = this.process;
    addAnyJob(operation, context, { type: "PUBLISH", payload, class: urgency });
    await this.harness.run(context.store.commit(operation));
  }

  get lanes(): Lane[] {
    return this.looks.map(({ lane }) => lane);
  }
}

Deno.test("Runner looks only into its own lane when a job has ended", async () => {
  const fixture = new Fixture();
  await fixture.started();
  await fixture.add({ name: "one", ms: 10 });
  await fixture.harness.pass(500);

  assertEquals(fixture.ended, ["one"]);
  assertEquals(fixture.lanes, ["bulk", "bulk"]);
});

Deno.test("Runner looks where jobs wait for a slot when one of another lane has ended", async () => {
  const fixture = new Fixture();
  await fixture.started({ runningMax: 1 });
  await fixture.add({ name: "long", ms: 400 });
  await fixture.add({ name: "upkeep", ms: 10 }, "idle");
  await fixture.add({ name: "more upkeep", ms: 10 }, "idle");
  await fixture.harness.pass(300);
  assertEquals(fixture.ended, []);
  await fixture.harness.pass(400);

  assertEquals(fixture.ended, ["long", "upkeep", "more upkeep"]);
});

Deno.test("Runner begins a job of a bounded kind when one of another lane has ended", async () => {
  const fixture = new Fixture();
  await fixture.started({}, { concurrencyMax: 1 });
  await fixture.add({ name: "long", ms: 400 });
  await fixture.add({ name: "asked for", ms: 10 }, "interactive");
  await fixture.harness.pass(300);
  assertEquals(fixture.ended, []);
  await fixture.harness.pass(300);

  assertEquals(fixture.ended, ["long", "asked for"]);
});

/** A traffic of requests one of which is always under way, and has been for long. */
function alwaysBusy({ harness, process: { process } }: Fixture): Traffic {
  const traffic = new Traffic(process.monotonic);
  void traffic.counted(() => harness.sleep(1e9).then(() => new Response()))();
  return traffic;
}

Deno.test("Runner batches bulk jobs while requests run, and starts interactive jobs at once", async () => {
  const fixture = new Fixture();
  const traffic = alwaysBusy(fixture);
  const runner = await fixture.started({ traffic });
  const { harness } = fixture;
  const notify = (lane: Lane) => harness.run(Promise.resolve(runner.notify(0, lane)));
  for (let n = 0; n < 3 * BULK_POLL_GAP_MS; n++) {
    await notify("bulk");
    await harness.pass(1);
  }
  const looks = fixture.looks.length;
  assert(looks >= 2 && looks <= 4, `${looks} looks`);

  const { at } = fixture.looks.at(-1)!;
  await harness.pass(at + 5 - harness.now);
  await notify("bulk");
  const askedAt = harness.now;
  await notify("interactive");
  fixture.looks = [];
  await harness.pass(BULK_POLL_GAP_MS);
  const urgent = fixture.looks.find(({ lane }) => lane === "interactive");
  assert(urgent !== undefined && urgent.at - askedAt <= POLL_GAP_MS + 5, `${urgent?.at}`);
});

Deno.test("Runner treats a notification during a poll as a new one", async () => {
  const fixture = new Fixture();
  const dueFlags = new DueFlags();
  const runner = await fixture.started({ dueFlags });
  assert(dueFlags.raise("bulk"));
  assert(!dueFlags.raise("bulk"));
  const raised: boolean[] = [];
  fixture.onLook = (lane) => raised.push(dueFlags.raise(lane));
  await fixture.harness.run(Promise.resolve(runner.notify(0, "bulk")));
  await fixture.harness.pass(100);

  assertEquals([fixture.lanes, raised], [["bulk"], [true]]);
  assert(dueFlags.raise("idle"));
});

Deno.test("Slots.order() gives each lane that is asked its turn before better ones", () => {
  const slots = new Slots(8);
  const asked = new Set<Lane>(["bulk", "idle"]);
  const firsts: Lane[] = [];
  for (let n = 0; n < 16 * 4; n++) {
    slots.begin("interactive")();
    const [first] = slots.order(asked);
    if (first !== "interactive") firsts.push(first!);
  }
  assertEquals(firsts, ["bulk", "bulk", "idle", "bulk"]);
  assertEquals(slots.order(asked), LANES);
});

Deno.test("Runner passes over so many entries of a crowded kind at a time, and comes to what is behind them", async () => {
  const fixture = new Fixture();
  const { harness, process: { context } } = fixture;
  const other = anyKind({ only: () => (fixture.ended.push("other"), finish()) }, { type: "SEED" });
  const runner = await fixture.started({}, { concurrencyMax: 1 }, [other]);
  await fixture.add({ name: "long", ms: 1e6 });
  await harness.pass(500);
  const waiting = 2 * PASSED_OVER_MAX + DUE_BATCH;
  for (let added = 0; added < waiting; added += DUE_BATCH) {
    const operation = new Operation();
    for (let n = 0; n < DUE_BATCH; n++) {
      addAnyJob(operation, context, { type: "PUBLISH", payload: { name: "more", ms: 1 } });
    }
    if (added + DUE_BATCH >= waiting) {
      addAnyJob(operation, context, { type: "SEED", payload: null });
    }
    await harness.run(context.store.commit(operation));
  }
  const most = PASSED_OVER_MAX / DUE_BATCH + 2;
  fixture.looks = [];
  runner.poll(["bulk"]);
  for (let turn = 0; turn < 8 && fixture.looks.length === 0; turn++) await harness.pass(10);
  await harness.pass(100);
  assert(fixture.looks.length <= most, `${fixture.looks.length} reads in one look`);
  await harness.pass(2_000);
  assertEquals(fixture.ended, ["other"]);
});

Deno.test("Runner reads nothing of a lane in which no slot is free", async () => {
  const fixture = new Fixture();
  const runner = await fixture.started({ runningMax: 1 });
  await fixture.add({ name: "long", ms: 400 });
  await fixture.harness.pass(100);
  fixture.looks = [];
  runner.poll(["bulk"]);
  await fixture.harness.pass(100);
  assertEquals(fixture.lanes, []);
  await fixture.harness.pass(500);
  assertEquals([fixture.ended, fixture.lanes.includes("bulk")], [["long"], true]);
});
