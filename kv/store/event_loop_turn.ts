/**
 * Waits for one turn of the event loop, so that timers and I/O callbacks can run.
 *
 * @module
 */
import { setImmediate } from "node:timers";

/** Before 2.6, Deno implements `setImmediate` as a timer, which takes a millisecond. */
const SLOW_IMMEDIATES_BEFORE = 6;

/** A timer of 0 ms takes one or two milliseconds: too long for code that pauses every few milliseconds. */
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
