/**
 * Waits until the event loop has gone round once, so that timers and answers from outside get their turn.
 *
 * A timer of 0 ms takes one or two, and `setImmediate` one on Deno 2.5: too long for those who pause after every
 * few milliseconds of work. A message to oneself takes less than 20 µs everywhere.
 */
export function eventLoopTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((done) => {
    port1.onmessage = () => {
      port1.close();
      port2.close();
      done();
    };
    port2.postMessage(null);
  });
}
