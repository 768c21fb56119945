/**
 * Threads that compute all the time, so that others find the machine busy.
 *
 * @module
 */

/** Looks up again and again, because a loop that never does cannot be terminated. */
const LOOP = `onmessage = ({ data }) => {
  const isOver = new Int32Array(data);
  while (Atomics.load(isOver, 0) === 0);
  postMessage(null);
};`;

/** Starts so many threads; the answer ends them, and settles once they have ended. */
export function startBusyLoops(count: number): () => Promise<void> {
  const url = URL.createObjectURL(new Blob([LOOP], { type: "text/javascript" }));
  const shared = new SharedArrayBuffer(4);
  const ended = Array.from({ length: count }, async () => {
    const worker = new Worker(url, { type: "module" });
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.onmessage = () => resolve();
    worker.postMessage(shared);
    await promise;
    worker.terminate();
  });
  return async () => {
    Atomics.store(new Int32Array(shared), 0, 1);
    await Promise.all(ended);
    URL.revokeObjectURL(url);
  };
}
