/**
 * What every operation needs from outside: the store, the objects, the time and identifiers. Passed as
 * an argument everywhere, so that a test or a simulation can replace each of them.
 *
 * @module
 */
import { ulid } from "@std/ulid";
import type { Log } from "./log.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import type { Store } from "./store/store.ts";

/** The surroundings of an operation. */
export interface Context {
  store: Store;
  objects: ObjectStore;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** A new ULID whose time part is `ms`. */
  newId: (ms: number) => string;
  log: Log;
}

/** Epoch seconds of the context's clock. */
export function seconds(context: { now: () => number }): number {
  return Math.floor(context.now() / 1000);
}

/** A fresh ULID at `ms`; what {@linkcode Context.newId} is outside of simulations. */
export function newUlid(ms: number): string {
  return ulid(ms);
}

/** Whether `text` is spelled as a ULID. */
export function isUlid(text: unknown): text is string {
  return typeof text === "string" && /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text);
}
