import { assert, assertEquals } from "@std/assert";
import { DueFlags } from "../../../jobs/runner/due_flags.ts";
import { DueNotifier } from "../../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../../jobs/runner/notifying_driver.ts";
import { Traffic } from "../../../jobs/runner/traffic.ts";
import { ulidSource } from "../../../kv/context.ts";
import { addJob, findJob } from "../../../kv/jobs/jobs.ts";
import { changeStampKey } from "../../../kv/changes/change_keys.ts";
import { SILENT } from "../../../kv/log.ts";
import { CommitPort } from "../../../kv/store/commits/commit_port.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { openStore } from "../../../kv/store/open.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { Store } from "../../../kv/store/store.ts";
import { readConfig } from "../../../routes/process/config.ts";
import { hasJobsThread, type Jobs, JobsThread } from "../../../routes/process/jobs_thread.ts";
import { storeLocationOf } from "../../../routes/process/config_options.ts";
import type { JobsOrder, JobsReport } from "../../../routes/process/jobs_thread_worker.ts";

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** A fake thread: it records its messages, and sends those that the test gives it. */
class PretendedThread {
  readonly orders: JobsOrder[] = [];
  terminated = false;
  onmessage: (event: MessageEvent<JobsReport>) => void = () => {};
  onerror: (event: ErrorEvent) => void = () => {};

  postMessage(order: JobsOrder): void {
    this.orders.push(order);
  }

  terminate(): void {
    this.terminated = true;
  }

  say(report: JobsReport): void {
    this.onmessage(new MessageEvent("message", { data: report }));
  }

  fail(): void {
    this.onerror(new ErrorEvent("error", { message: "out of luck", cancelable: true }));
  }

  /** What it would commit through. */
  get commits(): MessagePort {
    const [first] = this.orders;
    if (first?.kind !== "start") throw new Error("It was not started");
    return first.start.commits;
  }
}

async function jobsInThread() {
  const kv = await Deno.openKv(":memory:");
  const store = new Store(new DenoKvDriver(kv));
  const threads: PretendedThread[] = [];
  const heard: string[] = [];
  const instead: Jobs = {
    start: () => heard.push("instead: start"),
    notify: () => heard.push("instead: notify"),
    poll: () => heard.push("instead: look"),
    sweep: () => Promise.resolve(void heard.push("instead: sweep")),
    stop: () => Promise.resolve(void heard.push("instead: stop")),
    running: 9,
    pollAgeMs: 90,
  };
  const jobs = new JobsThread({
    config: readConfig({}, "start"),
    version: "1",
    json: true,
    traced: false,
    store,
    now: () => 1_000,
    traffic: new Traffic(),
    changeSignal: { notify: () => void heard.push("changes") },
    log: SILENT,
    wakeOthers: () => heard.push("wake others"),
    instead,
    restartMs: 1,
    startThread: () => {
      const thread = new PretendedThread();
      threads.push(thread);
      return thread as unknown as Worker;
    },
  });
  return {
    jobs,
    store,
    threads,
    heard,
    [Symbol.asyncDispose]: async () => {
      void jobs.stop();
      for (const thread of threads) {
        thread.say({ kind: "stopped" });
        thread.commits.close();
      }
      // What the answer to the order to stop is followed by.
      await pause(0);
      store.close();
    },
  };
}

Deno.test("JobsThread forwards due jobs, and answers sweeps when the thread has done them", async () => {
  await using all = await jobsInThread();
  const { jobs, threads: [thread] } = (all.jobs.start(), all);
  jobs.notify(5, "bulk");
  jobs.poll();
  let isSwept = false;
  const sweep = jobs.sweep().then(() => isSwept = true);
  await pause(1);

  assertEquals(thread!.orders.slice(1), [
    { kind: "notify", dueAt: 5, lane: "bulk" },
    { kind: "poll" },
    { kind: "sweep", id: 1 },
  ]);
  assert(!isSwept);
  thread!.say({ kind: "swept", id: 1 });
  await sweep;
  thread!.say({ kind: "wake others" });
  assertEquals(all.heard, ["wake others"]);
});

Deno.test("JobsThread reports due jobs once until the thread polls, and future jobs always", async () => {
  await using all = await jobsInThread();
  const { jobs, threads: [thread] } = (all.jobs.start(), all);
  const lanesTold = () =>
    thread!.orders.splice(1).map((order) => order.kind === "notify" ? order.lane : order.kind);
  for (const dueAt of [0, 1, 1_000]) jobs.notify(dueAt, "bulk");
  jobs.notify(0, "idle");
  jobs.notify(1_001, "bulk");
  jobs.notify(1_001, "bulk");
  assertEquals(lanesTold(), ["bulk", "idle", "bulk", "bulk"]);

  const [first] = thread!.orders;
  if (first?.kind !== "start") throw new Error("It was not started");
  new DueFlags(first.start.dueFlags).lower(["bulk"]);
  for (const lane of ["bulk", "idle"] as const) jobs.notify(0, lane);
  assertEquals(lanesTold(), ["bulk"]);
});

Deno.test("JobsThread repeats its orders to a replacement thread", async () => {
  await using all = await jobsInThread();
  const { jobs, threads } = (all.jobs.start(), all);
  jobs.notify(0, "bulk");
  threads[0]!.fail();
  await pause(20);
  jobs.notify(0, "bulk");
  assertEquals(threads[1]!.orders.at(-1), { kind: "notify", dueAt: 0, lane: "bulk" });
});

Deno.test("JobsThread says how many run, how old the last look is, and what the thread's store did", async () => {
  await using all = await jobsInThread();
  const { jobs, store, threads: [thread] } = (all.jobs.start(), all);
  assertEquals(jobs.pollAgeMs, null);
  const counts = { reads: 2, lists: 3, commits: 4, conflicts: 1 };
  thread!.say({ kind: "status", status: { running: 3, pollAgeMs: 100, counts } });
  thread!.say({ kind: "status", status: { running: 2, pollAgeMs: 100, counts } });
  await pause(20);

  assertEquals(jobs.running, 2);
  assert(jobs.pollAgeMs! >= 115);
  assertEquals({ ...store.counts, conflicts: store.conflicts }, {
    reads: 4,
    lists: 6,
    commits: 8,
    conflicts: 2,
  });
});

Deno.test("JobsThread commits for the thread, and tells of changes of documents", async () => {
  await using all = await jobsInThread();
  const { store, threads: [thread] } = (all.jobs.start(), all);
  const port = new CommitPort(thread!.commits);

  assert((await port.commit(new Operation().set(["a"], 1))).ok);
  assertEquals((await store.get(["a"])).value, 1);
  assertEquals(all.heard, []);
  await port.commit(new Operation().set(["b"], 1).touch(changeStampKey));
  assertEquals(all.heard, ["changes"]);
  port.close();
});

Deno.test("JobsThread starts another thread after one that has ended, and delays no caller", async () => {
  await using all = await jobsInThread();
  const { jobs, threads } = (all.jobs.start(), all);
  threads[0]!.say({ kind: "ready" });
  const sweep = jobs.sweep();
  threads[0]!.fail();
  await sweep;
  await pause(20);

  assertEquals(threads.length, 2);
  assert(threads[0]!.terminated);
  jobs.poll();
  assertEquals(threads[1]!.orders.at(-1), { kind: "poll" });
});

Deno.test("JobsThread runs jobs in the request thread if no thread starts", async () => {
  await using all = await jobsInThread();
  const { jobs, threads, heard } = (all.jobs.start(), all);
  for (let n = 0; n < 3; n++) {
    threads[n]!.fail();
    await pause(20);
  }
  jobs.notify(1, "bulk");
  await jobs.stop();

  assertEquals(threads.length, 3);
  assertEquals(heard, ["instead: start", "instead: notify", "instead: stop"]);
  assertEquals([jobs.running, jobs.pollAgeMs], [9, 90]);
});

Deno.test("JobsThread.stop waits for the thread, and no other is started", async () => {
  await using all = await jobsInThread();
  const { jobs, threads } = (all.jobs.start(), all);
  let isStopped = false;
  const stop = jobs.stop(100).then(() => isStopped = true);
  await pause(5);
  assertEquals(threads[0]!.orders.at(-1), { kind: "stop", graceMs: 100 });
  assert(!isStopped);
  threads[0]!.say({ kind: "stopped" });
  await stop;
  assert(threads[0]!.terminated);
  threads[0]!.fail();
  await pause(20);
  assertEquals(threads.length, 1);
});

Deno.test("JobsThread.stop waits only so long for a thread that does not hear", async () => {
  await using all = await jobsInThread();
  const { jobs, threads } = (all.jobs.start(), all);
  const startedAt = performance.now();
  await jobs.stop(10);
  const ms = performance.now() - startedAt;
  assert(ms >= 1_000 && ms < 5_000, `${ms} ms`);
  assert(threads[0]!.terminated);
});

Deno.test("a real thread runs jobs of a store in a file, and continues after one that has crashed", async () => {
  const folder = await Deno.makeTempDir();
  const config = readConfig({ DATA_DIR: folder, LOG_LEVEL: "silent" }, "start");
  const notifier = new DueNotifier();
  const store = await openStore(storeLocationOf(config), {
    wrap: (driver) => new NotifyingDriver(driver, notifier),
  });
  const threads: Worker[] = [];
  const jobs = new JobsThread({
    config,
    version: "1",
    json: true,
    traced: false,
    store,
    now: Date.now,
    traffic: new Traffic(),
    changeSignal: { notify() {} },
    log: SILENT,
    wakeOthers() {},
    instead: { start: () => assert(false, "no thread comes to work") } as unknown as Jobs,
    restartMs: 1,
    startThread: () => {
      const path = "../../../routes/process/jobs_thread_worker.ts";
      threads.push(new Worker(import.meta.resolve(path), { type: "module" }));
      return threads.at(-1)!;
    },
  });
  jobs.start();
  notifier.listen((dueAt, lane) => jobs.notify(dueAt, lane));
  const context = { now: Date.now, newId: ulidSource() };
  const runOne = async () => {
    const operation = new Operation();
    const id = addJob(operation, context, { type: "TIDY_JOBS", payload: {} });
    await store.commit(operation);
    while ((await findJob(store, id))?.state !== "done") await pause(20);
  };

  await runOne();
  threads[0]!.postMessage({ kind: "start" });
  while (threads.length < 2) await pause(5);
  await runOne();

  await jobs.stop(1_000);
  store.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("hasJobsThread: a store in a file and two processors, unless the configuration says so", () => {
  const has = (variables: Record<string, string>, processors: number) =>
    hasJobsThread(readConfig(variables, "start"), processors);
  assertEquals([has({}, 1), has({}, 2)], [false, true]);
  assertEquals([has({ JOBS_THREAD: "0" }, 8), has({ JOBS_THREAD: "1" }, 1)], [false, true]);
  for (const variables of [{ KV_URL: ":memory:" }, { DENO_KV_DB_MODE: "memory" }]) {
    assertEquals(has({ ...variables, JOBS_THREAD: "1" } as never, 8), false);
  }
});
