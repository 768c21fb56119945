/**
 * The service before it listens: configuration, stores, wiring and runner. The server, the seed
 * command and the command line start from it.
 *
 * @module
 */
import { DueNotifier } from "../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../jobs/runner/notifying_driver.ts";
import { QueueWakeUp } from "../../jobs/runner/queue_wake_up.ts";
import { LOCAL_POLL_INTERVAL_MS, POLL_INTERVAL_MS, type Runner } from "../../jobs/runner/runner.ts";
import { runNow } from "../../jobs/run_now.ts";
import { Traffic } from "../../jobs/runner/traffic.ts";
import type { Log } from "../../kv/log.ts";
import { openObjects } from "../../kv/objects/open.ts";
import { TracedObjects } from "../../kv/objects/traced.ts";
import { setupCodeOf } from "../../kv/people/setup_code.ts";
import { createPrivately } from "../../kv/store/disk/private_files.ts";
import { openStore } from "../../kv/store/open.ts";
import type { Store } from "../../kv/store/store.ts";
import { Watchdog } from "../../kv/store/watched_driver.ts";
import { bringUpFormat, recordFormat } from "../../kv/upgrade/stored_format.ts";
import { type Context, ulidSource } from "../../kv/context.ts";
import type { Config } from "./config.ts";
import type { Deps } from "../deps/deps.ts";
import { openOrConfigError, storeVariable } from "./open_or_config_error.ts";
import { logOf, storeLocationOf, wiringOptionsOf } from "./config_options.ts";
import { createDeps, createRunner } from "./wiring.ts";

/** Options from the process. */
export interface ProcessOptions {
  /** The version of the release. */
  version: string;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Whether lines of output are JSON. */
  json: boolean;
  out: Pick<Console, "log" | "error">;
  /** Whether calls of the stores are spans of traces. */
  traced: boolean;
}

/** An open service. */
export interface Service extends ProcessOptions {
  config: Config;
  log: Log;
  context: Context;
  deps: Deps;
  runner: Runner;
  traffic: Traffic;
  watchdog: Watchdog;
  /** Whether the disk of an embedded store is full. */
  disk: { isFull: boolean };
  dueNotifier: DueNotifier;
  /** Wakes the processes that share an embedded store; absent for other stores. */
  queueWakeUp: QueueWakeUp | undefined;
  /** Format upgrades that run in the background. */
  pendingSteps: string[];
}

/** Opens the stores and wires the service. Throws a `ConfigError` that names the variable at fault. */
export async function openService(config: Config, options: ProcessOptions): Promise<Service> {
  const { version, now, json, out, traced } = options;
  const log = logOf(config, { json, now, out });
  if (!config.onDeploy) createPrivately();
  const opening = { ...options, config, log };
  const stores = await openStores(opening);
  const { context, store, disk, watchdog, dueNotifier, queueWakeUp } = stores;
  const setupCode = config.SETUP_CODE ||
    await openOrConfigError(storeVariable(config), () => setupCodeOf(store));
  const traffic = new Traffic();
  const wiring = wiringOptionsOf(config, { log, version, setupCode });
  const deps = createDeps(context, { ...wiring, traffic });
  const runner = createRunner(deps, {
    traffic,
    wakeOthers: () => queueWakeUp?.wakeOthers(),
    // Deno Deploy counts every read. Elsewhere, jobs of a process that died are found sooner.
    pollIntervalMs: config.onDeploy ? POLL_INTERVAL_MS : LOCAL_POLL_INTERVAL_MS,
  });
  const pendingSteps = await openOrConfigError(
    storeVariable(config),
    () => upgradeStore(opening, context, runner),
  );
  return {
    ...opening,
    traced,
    context,
    deps,
    runner,
    traffic,
    watchdog,
    disk,
    dueNotifier,
    queueWakeUp,
    pendingSteps,
  };
}

interface Opening extends ProcessOptions {
  config: Config;
  log: Log;
}

interface OpenStores
  extends Pick<Service, "context" | "disk" | "watchdog" | "dueNotifier" | "queueWakeUp"> {
  store: Store;
}

async function openStores({ config, log, now, traced }: Opening): Promise<OpenStores> {
  const dueNotifier = new DueNotifier();
  const watchdog = new Watchdog(log);
  const disk = { isFull: false };
  let queueWakeUp: QueueWakeUp | undefined;
  const wrap: NonNullable<Parameters<typeof openStore>[1]>["wrap"] = (driver, native) => {
    if (native !== null) {
      queueWakeUp = new QueueWakeUp(native, { log, monotonic: () => performance.now() });
    }
    return new NotifyingDriver(driver, dueNotifier);
  };
  const store = await openOrConfigError(
    storeVariable(config),
    () => openStore(storeLocationOf(config), { watchdog, log, disk, traced, wrap }),
  );
  const objects = await openOrConfigError("DATA_DIR", () => openObjects(config, { now }));
  await openOrConfigError(storeVariable(config), () => recordFormat(store));
  const context: Context = {
    store,
    objects: traced ? new TracedObjects(objects) : objects,
    now,
    newId: ulidSource(),
    log,
  };
  return { store, context, disk, watchdog, dueNotifier, queueWakeUp };
}

/** Brings an older store up to date, after a backup; answers the steps that are left for the background. */
async function upgradeStore(
  { config }: Opening,
  context: Context,
  runner: Runner,
): Promise<string[]> {
  const backUp = async () => {
    const payload = { redacted: false, media: false, reason: "manual" as const };
    await runNow(context, runner, { type: "EXPORT", payload });
  };
  return await bringUpFormat(context, { backUp, allowNewer: config.ALLOW_NEWER_STORE === "1" });
}
