/**
 * Surroundings for a test: the real store in memory, objects in memory, a clock that the test moves.
 *
 * @module
 */
import { type Context, ulidSource } from "../../../kv/context.ts";
import { SILENT } from "../../../kv/log.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Store, type StoreOptions } from "../../../kv/store/store.ts";
import type { RunnerClock } from "../../../jobs/runner/runner_clock.ts";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import { seededRandom, seededUlids } from "../seeded_random.ts";
import { DirectDriver, SimulatedKv } from "./simulated_kv.ts";

/** Noon of a day in 2026, in milliseconds. */
export const NOON = Date.UTC(2026, 5, 1, 12);

/** A context whose clock stands still until {@linkcode TestContext.advance}. */
export interface TestContext extends Context, AsyncDisposable {
  objects: MemoryObjects;
  /** The clock of its job runners; the system's when absent. */
  clock?: RunnerClock;
  /** Moves the clock by `ms`. */
  advance(ms: number): void;
}

/** A fresh context over an empty store; `await using` closes it. */
export async function testContext(options: StoreOptions = {}): Promise<TestContext> {
  const driver = new DenoKvDriver(await Deno.openKv(":memory:"));
  return contextOver(new Store(driver, options), ulidSource());
}

/** The same over a simulated store: with the same seed everything happens in the same order. */
export function seededContext(seed: number): TestContext {
  const random = seededRandom(seed);
  let context: TestContext | null = null;
  const store = new Store(new DirectDriver(new SimulatedKv()), {
    random,
    sleep: eventLoopTurn,
    monotonic: () => context?.now() ?? NOON,
  });
  // Its time stands still during a request, so no timer of one fires.
  const setTimer = () => () => {};
  const surroundings = contextOver(store, seededUlids(random));
  // Nor is a step long: the heartbeat of a slow machine would be a commit more.
  const clock = { setTimer, monotonic: surroundings.now, random };
  return context = { ...surroundings, setTimer, clock };
}

function contextOver(store: Store, newId: Context["newId"]): TestContext {
  let now = NOON;
  return {
    store,
    objects: new MemoryObjects({ now: () => now }),
    now: () => now,
    newId,
    log: SILENT,
    advance: (ms) => void (now += ms),
    [Symbol.asyncDispose]: async () => {
      await Promise.resolve();
      store.close();
    },
  };
}
