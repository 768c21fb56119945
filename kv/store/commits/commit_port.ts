/**
 * Commits over a message port, for a thread beside the one that has the database's write handle. Two write handles
 * on one file lock one another out; through the port both threads' commits go to one handle, which takes
 * them in turn.
 *
 * @module
 */
import { StoreUnavailable } from "../../unavailable.ts";
import { type CommitResult, type Driver } from "../driver.ts";
import { type Check, Operation, type SetMutation } from "../operation.ts";
import { deserializeError, type SerializedError, serializeError } from "../serialized_error.ts";
import type { Key } from "../../keys.ts";

/** What is asked over a port. */
interface CommitQuestion {
  id: number;
  checks: Check[];
  sets: SetMutation[];
  deletes: Key[];
  touches: Key[];
}

/** What is answered: the result, or the error by its name. */
type CommitAnswer =
  & { id: number }
  & (
    | { result: CommitResult }
    | { error: SerializedError }
  );

/** Commits what is asked for at `port` with `driver`. `told` sees each operation whose checks held. */
export function serveCommits(
  port: MessagePort,
  driver: Pick<Driver, "commit">,
  told: (operation: Operation) => void = () => {},
): void {
  const answer = async (question: CommitQuestion): Promise<CommitAnswer> => {
    const { id, ...parts } = question;
    const operation = Object.assign(new Operation(), parts);
    try {
      const result = await driver.commit(operation);
      if (result.ok) told(operation);
      return { id, result };
    } catch (error) {
      return { id, error: serializeError(error) };
    }
  };
  port.onmessage = async ({ data }: MessageEvent<CommitQuestion>) => {
    port.postMessage(await answer(data));
  };
}

/** Asks the other end of a port to commit. */
export class CommitPort {
  readonly #port: MessagePort;
  readonly #asked = new Map<number, PromiseWithResolvers<CommitResult>>();
  #count = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.onmessage = ({ data }: MessageEvent<CommitAnswer>) => {
      const asked = this.#asked.get(data.id);
      this.#asked.delete(data.id);
      if ("result" in data) asked?.resolve(data.result);
      else asked?.reject(deserializeError(data.error));
    };
  }

  commit({ checks, sets, deletes, touches }: Operation): Promise<CommitResult> {
    const asked = Promise.withResolvers<CommitResult>();
    const id = ++this.#count;
    this.#asked.set(id, asked);
    const exact = sets.map((one) => ({ ...one, value: exactBytes(one.value) }));
    this.#port.postMessage({ id, checks, sets: exact, deletes, touches } satisfies CommitQuestion);
    return asked.promise;
  }

  /** The outcome of what is under way is unknown then. */
  close(): void {
    this.#port.close();
    const closed = new StoreUnavailable("The port of the store was closed");
    for (const { reject } of this.#asked.values()) reject(closed);
    this.#asked.clear();
  }
}

/** A message holds the whole buffer of a view: pieces of a large one would travel with all of it. */
function exactBytes(value: unknown): unknown {
  if (!(value instanceof Uint8Array)) return value;
  return value.byteLength === value.buffer.byteLength ? value : value.slice();
}
