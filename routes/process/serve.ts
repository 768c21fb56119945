/**
 * Serving: jobs and crons start, the server listens, and a signal ends both in order.
 *
 * @module
 */
import { crons } from "../../jobs/crons.ts";
import { renderAfterUpgrade } from "../../jobs/publishing/upgrade.ts";
import { builtInThemesDigest } from "../../jobs/render/theme/built_in_themes.ts";
import { freeBytes } from "../../kv/store/disk/disk_reserve.ts";
import { unlessFull } from "../../kv/store/driver.ts";
import { finishFormat, FORMAT } from "../../kv/upgrade/stored_format.ts";
import { fanOutSoon } from "../../kv/webhooks/fan_out_soon.ts";
import { createApp } from "../app.ts";
import { DESCRIPTORS_RECOMMENDED } from "../input/limits.ts";
import { checkConfiguration } from "./configuration_check.ts";
import { Drain } from "./drain.ts";
import { hasJobsThread, type Jobs, JobsThread } from "./jobs_thread.ts";
import { closing, hasDescriptors, Listener, warnOfFewDescriptors } from "./listener.ts";
import { listenVariable, openOrConfigError } from "./open_or_config_error.ts";
import { EventLoopLag } from "../probes/event_loop_lag.ts";
import { Metrics } from "../probes/metrics.ts";
import type { Service } from "./service.ts";
import { lostRelyingParties } from "../../kv/people/factors/lost_relying_party.ts";
import { partyOf } from "../admin/people/relying_party.ts";
import { printWelcome } from "./welcome.ts";

/** Interval of returning unused slots of rate-limit leases, milliseconds. */
const SETTLE_MS = 5_000;
/**
 * Time for running job steps after a signal, milliseconds; Deno Deploy allows five seconds in
 * total.
 */
const STOP_MS = 3_500;
/**
 * Time for running requests after a signal, milliseconds; container runtimes allow ten seconds in
 * total.
 */
const DRAIN_MS = 8_000;

/** A `BASE_URL` that differs from the one that passkeys were made for makes them useless. */
async function warnOfLostPasskeys({ deps, log }: Service): Promise<void> {
  try {
    const access = await deps.people.access.current();
    const party = await partyOf(deps);
    const lost = lostRelyingParties(access, party);
    if (lost.length === 0) return;
    log.warn("passkeys were made for another host than that of BASE_URL or site.url", {
      passkeys: lost.join(", "),
      site: party?.id ?? "",
    });
  } catch (error) {
    // A store that does not answer yet must not keep the service from starting.
    log.warn("could not check passkeys", { error: `${error}` });
  }
}

/** Serves until a signal arrives; then finishes what is running and calls `exit`. */
export async function serve(service: Service, exit: () => void): Promise<void> {
  const { config, context, deps, dueNotifier, queueWakeUp, log } = service;
  const jobs = createJobs(service);
  // Deno Deploy knows only the crons that are registered before a server starts.
  for (const cron of crons(deps.content, jobs, deps.purges)) {
    Deno.cron(cron.name, cron.schedule, () => unlessFull(cron.run(), undefined));
  }
  for await (const { subject, problem, repair } of checkConfiguration(config)) {
    if (!(await repair?.())) log.warn(`${subject}: ${problem}`);
  }
  await warnOfLostPasskeys(service);
  await warnOfFewDescriptors(log, DESCRIPTORS_RECOMMENDED);
  const drain = new Drain();
  const server = await listen(service, jobs, drain);
  dueNotifier.listen((dueAt, lane) => jobs.notify(dueAt, lane));
  context.onEvent = fanOutSoon(deps.content);
  queueWakeUp?.listen(() => jobs.poll());
  jobs.start();
  startUpgrades(service);
  const settling = setInterval(() => void deps.limiter.settle().catch(() => {}), SETTLE_MS);
  let stopping: Promise<void> | undefined;
  const stop = async () => {
    clearInterval(settling);
    await shutDown(service, { jobs, drain, server });
    exit();
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => void (stopping ??= stop()));
  }
}

/** Jobs run in a thread of their own if the store is a file and the machine has two processors. */
function createJobs(service: Service): Jobs {
  const { config, version, json, traced, context, now, traffic, deps, log, runner } = service;
  if (!hasJobsThread(config, navigator.hardwareConcurrency)) return runner;
  return new JobsThread({
    config,
    version,
    json,
    traced,
    store: context.store,
    now,
    traffic,
    changeSignal: deps.changeSignal,
    log,
    wakeOthers: () => service.queueWakeUp?.wakeOthers(),
    instead: runner,
  });
}

async function openMetrics(service: Service, jobs: Jobs): Promise<Metrics | null> {
  const { config, version, context, watchdog, disk, deps, now } = service;
  if (config.METRICS_TOKEN === "") return null;
  const lag = new EventLoopLag();
  return await Metrics.open({
    version,
    store: context.store,
    underWay: watchdog,
    disk,
    diskFreeBytes: () => freeBytes(config.DATA_DIR).catch(() => null),
    limiter: deps.limiter,
    collectionIds: async () => [...(await deps.content.schema.latest()).byId.keys()],
    now,
    running: () => jobs.running,
    lagSeconds: () => lag.take(),
  });
}

async function listen(service: Service, jobs: Jobs, drain: Drain): Promise<Listener> {
  const { config, deps, traffic, log, out, json, now } = service;
  const app = createApp(deps, {
    metrics: await openMetrics(service, jobs),
    process: {
      startedAt: now(),
      stopping: () => drain.isDraining,
      pollAgeMs: () => jobs.pollAgeMs,
    },
  });
  let port = config.PORT;
  let isWelcomed = false;
  const onListen = (address: Deno.NetAddr) => {
    port = address.port;
    if (isWelcomed) return;
    isWelcomed = true;
    void printWelcome(deps, config, { address, print: out.log, json });
  };
  // Deno Deploy manages connections itself, and has one server.
  const dropIdle = () => config.onDeploy || listener.dropIdle();
  const handler = drain.tracked(traffic.counted(closing(app.fetch, dropIdle)));
  const listener: Listener = await openOrConfigError(listenVariable, () =>
    new Listener({
      serve: () => Deno.serve({ port, hostname: config.HOST, onListen }, handler),
      hasDescriptors: () => config.onDeploy || hasDescriptors(config.DATA_DIR),
      log,
    }));
  return listener;
}

/** Starts what an upgrade leaves for the background: steps of the store's format, and pages to compare. */
function startUpgrades({ pendingSteps, context, version, log }: Service): void {
  if (pendingSteps.length > 0) {
    log.info("upgrading the stored format", { steps: pendingSteps.join(", "), format: FORMAT });
    finishFormat(context).catch((error) =>
      log.error("upgrading the stored format failed", {}, error)
    );
  }
  renderAfterUpgrade(context, { version, theme: builtInThemesDigest() }).catch((error) => {
    log.warn("could not check whether pages need rendering after the upgrade", {
      error: `${error}`,
    });
  });
}

async function shutDown(
  { config, deps, context, log }: Service,
  { jobs, drain, server }: { jobs: Jobs; drain: Drain; server: Listener },
): Promise<void> {
  log.info("shutting down");
  deps.changeSignal.close();
  const late = new Promise((done) => setTimeout(done, STOP_MS));
  const answered = drain.wait(config.onDeploy ? STOP_MS : DRAIN_MS);
  await Promise.race([unlessFull(deps.live.stop(), undefined), late]);
  await Promise.all([answered, jobs.stop(STOP_MS)]);
  await Promise.race([server.shutdown(), late]);
  await deps.limiter.settle({ force: true });
  context.store.close();
}
