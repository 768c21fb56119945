/**
 * A process of the simulation harness with everything that jobs need: a store, objects, a due notifier
 * and a runner.
 *
 * @module
 */
import type { GuardedRequest } from "../../../jobs/network/guarded_request.ts";
import type { JobKind } from "../../../jobs/runner/job_kind.ts";
import { Runner, type RunnerOptions } from "../../../jobs/runner/runner.ts";
import { DueNotifier } from "../../../jobs/runner/due_notifier.ts";
import { NotifyingDriver } from "../../../jobs/runner/notifying_driver.ts";
import type { Context } from "../../../kv/context.ts";
import { SILENT } from "../../../kv/log.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import type { ObjectStore } from "../../../kv/objects/object_store.ts";
import { Store } from "../../../kv/store/store.ts";
import type { KvPlan, SimulatedDriver, SimulatedKv } from "./simulated_kv.ts";
import { type Harness, SimulatedProcess } from "./harness.ts";

/** A process and what runs in it. */
export interface Simulated {
  process: SimulatedProcess;
  driver: SimulatedDriver;
  context: Context;
  /** Makes the process's runner, not yet started. */
  runner(kinds: readonly JobKind[], options?: SimulatedRunnerOptions): Runner;
}

/** What the runner of a simulated process may be given. */
export type SimulatedRunnerOptions = Pick<RunnerOptions, "runningMax" | "traffic" | "dueFlags">;

/** What a simulated process may be given. */
export interface SimulatedOptions {
  plan?: KvPlan;
  skewMs?: number;
  objects?: ObjectStore;
  /** What the network answers; without it there is none. */
  request?: GuardedRequest;
}

/** Starts a process in a harness, connected to its store. */
export function simulated(
  harness: Harness,
  kv: SimulatedKv,
  options: SimulatedOptions = {},
): Simulated {
  const process = new SimulatedProcess(harness, { skewMs: options.skewMs ?? 0 });
  const driver = kv.connect(process, options.plan);
  const dueNotifier = new DueNotifier();
  const { sleep, random, now, newId, setTimer, monotonic } = process;
  const store = new Store(new NotifyingDriver(driver, dueNotifier), { sleep, random, monotonic });
  const objects = options.objects ?? new MemoryObjects({ now });
  const context: Context = { store, objects, now, newId, log: SILENT };
  return {
    process,
    driver,
    context,
    runner: (kinds, options = {}) => {
      const clock = { setTimer, monotonic, random };
      const runner = new Runner(context, { kinds, clock, ...options });
      dueNotifier.listen((dueAt, lane) => runner.notify(dueAt, lane));
      return runner;
    },
  };
}
