/**
 * Surroundings for a test: the real store in memory, objects in memory, a clock that the test moves.
 *
 * @module
 */
import { type Context, ulidSource } from "../../../kv/context.ts";
import { SILENT } from "../../../kv/log.ts";
import { MemoryObjects } from "../../../kv/objects/memory.ts";
import { DenoKvDriver } from "../../../kv/store/driver.ts";
import { Store } from "../../../kv/store/store.ts";
import { eventLoopTurn } from "../../../kv/store/event_loop_turn.ts";
import { seededRandom, seededUlids } from "../seeded_random.ts";
import { DirectDriver, SimulatedKv } from "./simulated_kv.ts";

/** Noon of a day in 2026, in milliseconds. */
export const NOON = Date.UTC(2026, 5, 1, 12);

/** A context whose clock stands still until {@linkcode TestContext.advance}. */
export interface TestContext extends Context, AsyncDisposable {
  objects: MemoryObjects;
  /** Moves the clock by `ms`. */
  advance(ms: number): void;
}

/** A fresh context over an empty store; `await using` closes it. */
export async function testContext(): Promise<TestContext> {
  return contextOver(new Store(new DenoKvDriver(await Deno.openKv(":memory:"))), ulidSource());
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
  return context = { ...contextOver(store, seededUlids(random)), setTimer };
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
