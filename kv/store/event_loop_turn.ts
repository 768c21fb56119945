/**
 * Waiting until the event loop has gone round once, so that timers and answers from outside get their turn.
 *
 * @module
 */
import { setImmediate } from "node:timers";

/** Before 2.6 Deno makes a timer of `setImmediate`, which takes a millisecond. */
const SLOW_IMMEDIATES_BEFORE = 6;

/** A timer of 0 ms takes one or two: too long for those who pause after every few milliseconds of work. */
export const eventLoopTurn: () => Promise<void> = isSlow() ? messageTurn : immediateTurn;

function isSlow(): boolean {
  const [major, minor] = Deno.version.deno.split(".").map(Number) as [number, number];
  return major === 2 && minor < SLOW_IMMEDIATES_BEFORE;
}

function immediateTurn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

/** Takes less than 20 µs. */
function messageTurn(): Promise<void> {
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
