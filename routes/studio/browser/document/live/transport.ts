/**
 * The connection between an editing session and the server: operations over a WebSocket, or HTTP requests if
 * that is not possible. Both use the messages of live editing, so that the session does not depend on the
 * transport.
 *
 * @module
 */
import type { ClientMessage, ServerMessage } from "../../../../../kv/model/input/live_message.ts";
import type { z } from "zod";

/** The messages of a client; defaults are omitted. */
export type Outgoing = z.input<typeof ClientMessage>;

/** Why there is no connection at the moment. */
export type Disconnection = "connecting" | "offline" | "signed out" | "forbidden" | "gone";

/** The listener of a connection. */
export interface TransportListener {
  opened(): void;
  closed(why: Disconnection): void;
  message(message: ServerMessage): void;
}

/** A connection to one document. */
export interface Transport {
  /**
   * Pause in typing before changes are sent, milliseconds. Each request of the fallback transport becomes a
   * version.
   */
  readonly pauseMs: number;
  start(): void;
  stop(): void;
  /** False for a message that is too large for this transport. */
  send(message: Outgoing): boolean;
  /** Reconnects. */
  restart(): void;
}
