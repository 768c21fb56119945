/**
 * Errors between threads: a message carries their names and words, and those that callers tell apart keep
 * their classes.
 *
 * @module
 */
import { StoreFull, StoreUnavailable } from "../unavailable.ts";
import { StoreLocked } from "./driver.ts";

/** An error as a message carries it. */
export interface SerializedError {
  name: string;
  message: string;
}

/** What is told of an error. */
export function serializeError(error: unknown): SerializedError {
  const { name, message } = error instanceof Error ? error : new Error(`${error}`);
  return { name, message };
}

/** The error that was told. */
export function deserializeError({ name, message }: SerializedError): Error {
  if (name === "StoreLocked") return new StoreLocked(message);
  if (name === "StoreFull") return new StoreFull(message);
  if (name === "StoreUnavailable") return new StoreUnavailable(message);
  if (name === "TypeError") return new TypeError(message);
  if (name === "RangeError") return new RangeError(message);
  return new Error(message);
}
