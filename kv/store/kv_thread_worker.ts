/**
 * The thread of a remote store: Deno KV, driven by messages.
 *
 * @module
 */
/// <reference lib="deno.worker" />
/// <reference lib="deno.unstable" />
import type { Key } from "../keys.ts";
import { DenoKvDriver, type Range } from "./driver.ts";
import { type SerializedError, serializeError } from "./serialized_error.ts";
import { type Check, type Entry, Operation, type SetMutation } from "./operation.ts";
import { workerScope } from "./worker_scope.ts";

/** A question to the thread. */
export type KvQuestion =
  | { kind: "open"; address: string }
  | { kind: "getMany"; keys: Key[] }
  | { kind: "list"; range: Range; reverse: boolean; limit: number; cursor: string }
  | { kind: "commit"; checks: Check[]; sets: SetMutation[]; deletes: Key[]; touches: Key[] };

/** A page of a list, and the cursor of the next. */
export interface KvPage {
  entries: Entry[];
  cursor: string;
}

/** An answer of the thread: a value or an error. */
export interface KvAnswer {
  id: number;
  value?: unknown;
  error?: SerializedError;
}

let address = "";
let opening: Promise<DenoKvDriver> | undefined;

/** The database; after a failure to connect it is opened again. */
async function opened(): Promise<DenoKvDriver> {
  opening ??= Deno.openKv(address).then((kv) => new DenoKvDriver(kv));
  try {
    return await opening;
  } catch (error) {
    opening = undefined;
    // Deno reports misuse and network failures as the same type.
    throw new Error(error instanceof Error ? error.message : `${error}`, { cause: error });
  }
}

async function answer(question: KvQuestion): Promise<unknown> {
  if (question.kind === "open") {
    address = question.address;
    await opened();
    return null;
  }
  const driver = await opened();
  if (question.kind === "getMany") return await driver.getMany(question.keys);
  if (question.kind === "list") return await page(driver.native, question);
  return await driver.commit(Object.assign(new Operation(), question));
}

async function page(
  kv: Deno.Kv,
  { range, reverse, limit, cursor }: Extract<KvQuestion, { kind: "list" }>,
): Promise<KvPage> {
  const options = { reverse, limit, batchSize: limit, ...(cursor !== "" && { cursor }) };
  const entries = kv.list(range as Deno.KvListSelector, options);
  return { entries: await Array.fromAsync(entries) as Entry[], cursor: entries.cursor };
}

const thread = workerScope<{ id: number; question: KvQuestion }, KvAnswer>();

thread.onmessage = async ({ data: { id, question } }) => {
  try {
    thread.postMessage({ id, value: await answer(question) });
  } catch (error) {
    thread.postMessage({ id, error: serializeError(error) });
  }
};
