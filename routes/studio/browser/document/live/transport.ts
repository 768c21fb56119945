/**
 * How an editing session reaches the server: by operations over a WebSocket, or by requests where that is
 * not possible. Both speak the messages of live editing, so that everything above them is one.
 *
 * @module
 */
import type { ClientMessage, ServerMessage } from "../../../../../kv/model/input/live_message.ts";
import type { z } from "zod";

/** What a client may say; defaults are left out. */
export type Outgoing = z.input<typeof ClientMessage>;

/** Why there is no connection at the moment. */
export type Disconnection = "connecting" | "offline" | "signed out" | "forbidden" | "gone";

/** Who hears of a connection. */
export interface TransportListener {
  opened(): void;
  closed(why: Disconnection): void;
  message(message: ServerMessage): void;
}

/** A connection to one document. */
export interface Transport {
  /** Pause in typing before changes are sent, milliseconds: what is sent may become a version. */
  readonly pauseMs: number;
  start(): void;
  stop(): void;
  /** False for a message that is too large for this transport. */
  send(message: Outgoing): boolean;
  /** Begins anew. */
  restart(): void;
}
