/**
 * Errors between threads: a message carries the name and the text, and errors that callers distinguish keep
 * their class.
 *
 * @module
 */
import { StoreFull, StoreUnavailable } from "../unavailable.ts";
import { StoreLocked } from "./driver.ts";

/** An error in a message. */
export interface SerializedError {
  name: string;
  message: string;
}

/** Serializes an error. */
export function serializeError(error: unknown): SerializedError {
  const { name, message } = error instanceof Error ? error : new Error(`${error}`);
  return { name, message };
}

/** Restores a serialized error. */
export function deserializeError({ name, message }: SerializedError): Error {
  if (name === "StoreLocked") return new StoreLocked(message);
  if (name === "StoreFull") return new StoreFull(message);
  if (name === "StoreUnavailable") return new StoreUnavailable(message);
  if (name === "TypeError") return new TypeError(message);
  if (name === "RangeError") return new RangeError(message);
  return new Error(message);
}
