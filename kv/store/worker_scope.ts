/**
 * The global scope of a worker, typed here because the types of windows are in force.
 *
 * @module
 */

/** A worker that receives `Received` and answers with `Sent`. */
export interface WorkerScope<Received, Sent> {
  onmessage: (event: MessageEvent<Received>) => void;
  postMessage: (message: Sent) => void;
}

/** The global scope; only for the module that a worker starts with. */
export function workerScope<Received, Sent>(): WorkerScope<Received, Sent> {
  return globalThis as unknown as WorkerScope<Received, Sent>;
}
