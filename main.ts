/**
 * The service: reads its configuration, opens its stores, wires itself, registers its crons, serves,
 * and shuts down.
 *
 *     deno run --allow-all main.ts [dev | start | seed | package … | cms …]
 *
 * @module
 */
import { crons } from "./jobs/crons.ts";
import { QueueWakeUp } from "./jobs/runner/queue_wake_up.ts";
import { Theme } from "./jobs/render/theme.ts";
import { renderAfterUpgrade } from "./jobs/publishing/upgrade.ts";
import { failureLine } from "./jobs/command_line/failure_line.ts";
import { runNow } from "./jobs/run_now.ts";
import { seedNow } from "./jobs/seed/seed_now.ts";
import { DueNotifier } from "./jobs/runner/due_notifier.ts";
import { LOOK_MS, LOOK_OFTEN_MS } from "./jobs/runner/runner.ts";
import { Traffic } from "./jobs/runner/traffic.ts";
import { NotifyingDriver } from "./jobs/runner/notifying_driver.ts";
import { type Context, ulidSource } from "./kv/context.ts";
import { openObjects } from "./kv/objects/open.ts";
import { TracedObjects } from "./kv/objects/traced.ts";
import { setupCodeOf } from "./kv/people/setup_code.ts";
import { freeBytes } from "./kv/store/disk_reserve.ts";
import { openStore } from "./kv/store/open.ts";
import { createPrivately } from "./kv/store/private_files.ts";
import { bringUpFormat, finishFormat, FORMAT, recordFormat } from "./kv/store/stored_format.ts";
import { unlessFull } from "./kv/store/driver.ts";
import { Watchdog } from "./kv/store/watched_driver.ts";
import { fanOutSoon } from "./kv/webhooks/fan_out_request.ts";
import { createApp } from "./routes/app.ts";
import { ConfigError, readConfig } from "./routes/config.ts";
import { checkConfiguration } from "./routes/configuration_check.ts";
import { listenVariable, opened, storeVariable } from "./routes/opening.ts";
import { usageOf } from "./routes/usage.ts";
import { printWelcome } from "./routes/welcome.ts";
import { EventLoopLag } from "./routes/probes/event_loop_lag.ts";
import { Metrics } from "./routes/probes/metrics.ts";
import { Drain } from "./routes/drain.ts";
import { hasJobsThread, type Jobs, JobsThread } from "./routes/jobs_thread.ts";
import { DESCRIPTORS_RECOMMENDED } from "./routes/limits.ts";
import { closing, hasDescriptors, Listener, warnOfFewDescriptors } from "./routes/listener.ts";
import { logOf, storeLocationOf, wiringOptionsOf } from "./routes/surroundings.ts";
import { createDeps, createRunner } from "./routes/wiring.ts";
import manifest from "./deno.json" with { type: "json" };

/** How often unused slots of rate-limit leases are given back, milliseconds. */
const SETTLE_MS = 5_000;
/** How long steps of jobs may go on after a signal; Deno Deploy gives five seconds in all. */
const STOP_MS = 3_500;
/** How long requests may; container runtimes give ten seconds in all. */
const DRAIN_MS = 8_000;

/** Ends the process with one line when it cannot run with what it was given. */
function exitUnusable(error: unknown): never {
  if (!(error instanceof ConfigError)) throw error;
  console.error(`Cannot start: ${error.message}`);
  Deno.exit(1);
}

/** Ends the process with one line when its command has failed for a reason that an operator can mend. */
function failed(error: unknown): never {
  const line = failureLine(error);
  if (line === null) throw error;
  console.error(line);
  Deno.exit(1);
}

const [command = "start", ...commandArguments] = Deno.args;
const answersUsage = usageOf(command, commandArguments);
if (answersUsage !== null) {
  console.log(answersUsage.text);
  Deno.exit(answersUsage.code);
}

if (command === "package") {
  const { packageCommand } = await import("./jobs/packages/command.ts");
  const at = Math.floor(Date.now() / 1000);
  Deno.exit(await packageCommand(commandArguments, console.log, at));
}

if (command === "cms") {
  const { askRemote, remoteArguments } = await import("./jobs/command_line/remote/remote_main.ts");
  const remote = remoteArguments(commandArguments, Deno.env.toObject());
  if (remote !== null) Deno.exit(await askRemote(remote, Deno.env.toObject(), console.log));
}

const { version } = manifest;
const mode = command === "dev" ? "dev" : "start";
const config = await Promise.try(() => readConfig(Deno.env.toObject(), mode)).catch(exitUnusable);
// Deno reads the token of a KV Connect address under this name alone, which Deno Deploy reserves.
if (config.KV_ACCESS_TOKEN !== "") {
  Deno.env.set("DENO_KV_ACCESS_TOKEN", config.KV_ACCESS_TOKEN);
}
const now = () => Date.now();
const json = !Deno.stdout.isTerminal();
const log = logOf(config, { json, now, out: console });
if (!config.onDeploy) createPrivately();

const dueNotifier = new DueNotifier();
let queueWakeUp: QueueWakeUp | undefined;
const watchdog = new Watchdog(log);
const tracing = /^(true|1)$/.test(Deno.env.get("OTEL_DENO") ?? "");
const disk = { isFull: false };
const store = await opened(storeVariable(config), () =>
  openStore(storeLocationOf(config), {
    watchdog,
    log,
    disk,
    traced: tracing,
    wrap: (driver, native) => {
      if (native !== null) {
        queueWakeUp = new QueueWakeUp(native, { log, monotonic: () => performance.now() });
      }
      return new NotifyingDriver(driver, dueNotifier);
    },
  })).catch(exitUnusable);
const opening = opened("DATA_DIR", () => openObjects(config, { now }));
const openedObjects = await opening.catch(exitUnusable);
const objects = tracing ? new TracedObjects(openedObjects) : openedObjects;

const context: Context = { store, objects, now, newId: ulidSource(), log };
const traffic = new Traffic();
await opened(storeVariable(config), () => recordFormat(store)).catch(exitUnusable);
const setupCode = config.SETUP_CODE ||
  await opened(storeVariable(config), () => setupCodeOf(store)).catch(exitUnusable);
const deps = createDeps(context, {
  ...wiringOptionsOf(config, { log, version, setupCode }),
  traffic,
});
const wakeOthers = () => queueWakeUp?.wakeOthers();
const runner = createRunner(deps, {
  traffic,
  wakeOthers,
  // Deno Deploy counts every read; elsewhere what a dead process has left is found soon.
  lookMs: config.onDeploy ? LOOK_MS : LOOK_OFTEN_MS,
});
const backUp = async () => {
  const payload = { redacted: false, media: false, reason: "manual" as const };
  await runNow(context, runner, { type: "EXPORT", payload });
};
const allowNewer = config.ALLOW_NEWER_STORE === "1";
const pendingSteps = await opened(
  storeVariable(config),
  () => bringUpFormat(context, { backUp, allowNewer }),
).catch(exitUnusable);
if (command === "seed") {
  const made = await seedNow(context, runner).catch(failed);
  console.log(made);
  store.close();
  Deno.exit(0);
}

if (command === "cms") await finishFormat(context);
if (Deno.args[0] === "cms") {
  const { cmsCommand } = await import("./jobs/command_line/command.ts");
  const siteUrl = async () => (await deps.publishing.rendering()).site.url;
  const { content, people, search } = deps;
  const context = {
    content,
    people,
    search,
    runner,
    siteUrl,
    print: console.log,
    checkConfiguration: () => checkConfiguration(config),
  };
  const code = await cmsCommand(context, Deno.args.slice(1));
  store.close();
  Deno.exit(code);
}

const jobs: Jobs = hasJobsThread(config, navigator.hardwareConcurrency)
  ? new JobsThread({
    config,
    version,
    json,
    traced: tracing,
    store,
    now,
    traffic,
    changeSignal: deps.changeSignal,
    log,
    wakeOthers,
    instead: runner,
  })
  : runner;

// Deno Deploy picks up only what is registered before a server starts.
for (const cron of crons(deps.content, jobs, deps.purges)) {
  Deno.cron(cron.name, cron.schedule, () => unlessFull(cron.run(), undefined));
}

for await (const { subject, problem, repair } of checkConfiguration(config)) {
  if (!(await repair?.())) log.warn(`${subject}: ${problem}`);
}

const drain = new Drain();
const lag = new EventLoopLag();
const metrics = config.METRICS_TOKEN === "" ? null : await Metrics.open({
  version,
  store,
  underWay: watchdog,
  disk,
  diskFreeBytes: () => freeBytes(config.DATA_DIR).catch(() => null),
  limiter: deps.limiter,
  collectionIds: async () => [...(await deps.content.schema.latest()).byId.keys()],
  now,
  running: () => jobs.running,
  lagSeconds: () => lag.take(),
});
const app = createApp(deps, {
  metrics,
  process: {
    startedAt: now(),
    stopping: () => drain.begun,
    lookAgeMs: () => jobs.lookAgeMs,
  },
});
await warnOfFewDescriptors(log, DESCRIPTORS_RECOMMENDED);
let port = config.PORT;
let isWelcomed = false;
// Deno Deploy keeps connections itself, and has one server.
const dropIdle = () => config.onDeploy || server.dropIdle();
const serve = () =>
  Deno.serve({
    port,
    hostname: config.HOST,
    onListen: (address) => {
      port = address.port;
      if (isWelcomed) return;
      isWelcomed = true;
      void printWelcome(deps, config, { address, print: console.log, json });
    },
  }, drain.counted(traffic.counted(closing(app.fetch, dropIdle))));
const server: Listener = await opened(
  listenVariable,
  () =>
    new Listener({
      serve,
      hasDescriptors: () => config.onDeploy || hasDescriptors(config.DATA_DIR),
      log,
    }),
).catch(exitUnusable);

dueNotifier.listen((dueAt, lane) => jobs.notify(dueAt, lane));
context.onEvent = fanOutSoon(deps.content);
queueWakeUp?.listen(() => jobs.look());
jobs.start();
if (pendingSteps.length > 0) {
  log.info("store is being brought up", { steps: pendingSteps.join(", "), format: FORMAT });
  finishFormat(context).catch((error) => log.error("store not brought up", {}, error));
}
renderAfterUpgrade(context, { version, theme: new Theme().digest }).catch((error) => {
  log.warn("pages not compared with this release", { error: `${error}` });
});
const settling = setInterval(() => void deps.limiter.settle().catch(() => {}), SETTLE_MS);

async function shutDown(): Promise<void> {
  log.info("shutting down");
  clearInterval(settling);
  deps.changeSignal.close();
  const late = new Promise((done) => setTimeout(done, STOP_MS));
  const answered = drain.wait(config.onDeploy ? STOP_MS : DRAIN_MS);
  await Promise.race([unlessFull(deps.live.stop(), undefined), late]);
  await Promise.all([answered, jobs.stop(STOP_MS)]);
  await Promise.race([server.shutdown(), late]);
  await deps.limiter.settle({ force: true });
  store.close();
  Deno.exit(0);
}

let stopping: Promise<void> | undefined;
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => void (stopping ??= shutDown()));
}
