/**
 * Commits over a message port, for a thread without the database's write handle. Two write handles on one file
 * would lock each other out; through the port, commits of both threads use one handle.
 *
 * @module
 */
import { StoreUnavailable } from "../../unavailable.ts";
import { type CommitResult, type Driver } from "../driver.ts";
import { type Check, Operation, type SetMutation } from "../operation.ts";
import { deserializeError, type SerializedError, serializeError } from "../serialized_error.ts";
import type { Key } from "../../keys.ts";

/** A commit request. */
interface CommitQuestion {
  id: number;
  checks: Check[];
  sets: SetMutation[];
  deletes: Key[];
  touches: Key[];
}

/** Its answer: the result or a serialized error. */
type CommitAnswer =
  & { id: number }
  & (
    | { result: CommitResult }
    | { error: SerializedError }
  );

/** Serves the commits requested at `port` by `driver`. `onCommit` sees each operation that was committed. */
export function serveCommits(
  port: MessagePort,
  driver: Pick<Driver, "commit">,
  onCommit: (operation: Operation) => void = () => {},
): void {
  const answer = async (question: CommitQuestion): Promise<CommitAnswer> => {
    const { id, ...parts } = question;
    const operation = Object.assign(new Operation(), parts);
    try {
      const result = await driver.commit(operation);
      if (result.ok) onCommit(operation);
      return { id, result };
    } catch (error) {
      return { id, error: serializeError(error) };
    }
  };
  port.onmessage = async ({ data }: MessageEvent<CommitQuestion>) => {
    port.postMessage(await answer(data));
  };
}

/** Sends commits to the other end of a port. */
export class CommitPort {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, PromiseWithResolvers<CommitResult>>();
  #count = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<CommitAnswer>) => {
      const pending = this.#pending.get(data.id);
      this.#pending.delete(data.id);
      if ("result" in data) pending?.resolve(data.result);
      else pending?.reject(deserializeError(data.error));
    };
  }

  commit({ checks, sets, deletes, touches }: Operation): Promise<CommitResult> {
    const pending = Promise.withResolvers<CommitResult>();
    const id = ++this.#count;
    this.#pending.set(id, pending);
    const exact = sets.map((one) => ({ ...one, value: exactBytes(one.value) }));
    this.#port.postMessage({ id, checks, sets: exact, deletes, touches } satisfies CommitQuestion);
    return pending.promise;
  }

  /** Closes the port; the outcome of commits in flight is unknown. */
  close(): void {
    this.#port.close();
    const closed = new StoreUnavailable("The port of the store was closed");
    for (const { reject } of this.#pending.values()) reject(closed);
    this.#pending.clear();
  }
}

/** A message carries the whole buffer of a view, so views of a larger buffer are copied. */
function exactBytes(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  return value.byteLength === value.buffer.byteLength ? value : value.slice();
}
