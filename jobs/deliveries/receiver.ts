/**
 * The receivers of messages: a webhook, or a plugin by its addresses or its code.
 *
 * @module
 */
import type { Delivery, DeliveryAttempt } from "../../kv/deliveries/deliveries.ts";
import type { Operation } from "../../kv/store/operation.ts";

/** The result of an attempt. */
export interface Answer extends Omit<DeliveryAttempt, "at" | "ms"> {
  /** The answer as text; null when there was none. */
  response: string | null;
  /** Whether no repetition mends it. */
  isFinal?: boolean;
  /** Adds what follows from the message to the commit that keeps the attempt. */
  follow?: (operation: Operation) => void;
}

/** A failed attempt, and whether it was the last of its message. */
export interface Failure {
  reason: string;
  isGivenUp: boolean;
}

/** A recipient of messages. */
export interface Receiver {
  /** Makes an attempt at a time (epoch seconds); throws if there is no response. */
  send(delivery: Delivery, at: number, signal: AbortSignal): Promise<Answer>;
  /** Called after an attempt that succeeded. */
  taken?(delivery: Delivery): Promise<void>;
  /** Called after an attempt that failed; stops the receiver after its last attempt at a message. */
  failed(delivery: Delivery, failure: Failure): Promise<void>;
}

/** Why the receiver is not called. */
export interface NoReceiver {
  reason: string;
}

/** Whether the receiver is called. */
export function isReceiver(found: Receiver | NoReceiver): found is Receiver {
  return "send" in found;
}
