/**
 * Surroundings for a test: the real store in memory, objects in memory, a clock that the test moves.
 *
 * @module
 */
import { type Context, ulidSource } from "../../kv/context.ts";
import { SILENT } from "../../kv/log.ts";
import { MemoryObjects } from "../../kv/objects/memory.ts";
import { DenoKvDriver } from "../../kv/store/driver.ts";
import { Store } from "../../kv/store/store.ts";

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
  let now = NOON;
  const store = new Store(new DenoKvDriver(await Deno.openKv(":memory:")));
  return {
    store,
    objects: new MemoryObjects({ now: () => now }),
    now: () => now,
    newId: ulidSource(),
    log: SILENT,
    advance: (ms) => void (now += ms),
    [Symbol.asyncDispose]: async () => {
      await Promise.resolve();
      store.close();
    },
  };
}
