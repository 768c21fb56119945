/**
 * Runs in the browser. The connection to the server: opened again whenever it breaks, in growing
 * intervals; where HTTP works and WebSockets do not, it says so.
 *
 * @module
 */
import { SENT_MESSAGE_BYTES_MAX } from "../../../../input/limits.ts";
import { call } from "../../page/call.ts";
import type { Disconnection, Outgoing, Transport, TransportListener } from "./transport.ts";
import type { DocumentBody } from "../document_body.ts";

/** The listener of a connection. */
export interface ConnectionListener extends TransportListener {
  /** The last operation that is known here, if any is. */
  since(): number | null;
  /** WebSockets do not come through, although HTTP works. */
  blocked(): void;
}

/** Times between attempts, milliseconds. */
const AGAIN_MIN_MS = 250;
const AGAIN_MAX_MS = 8_000;
/** While the browser itself knows that it is offline. */
const OFFLINE_MS = 20_000;
/** Timeout for opening a connection, milliseconds. */
const OPEN_TIMEOUT_MS = 8_000;
/** Attempts that fail while HTTP works, until it is clear that something is in the way. */
const BLOCKED_AT_FIRST = 2;
const BLOCKED_LATER = 5;
const CLOSE_SESSION_OVER = 4401;
const CLOSE_NOT_ALLOWED = 4403;
const CLOSE_GONE = 4404;

/** Keeps a connection to one document, or one translation. */
export class LiveConnection implements Transport {
  readonly pauseMs = 0;
  readonly #path: string;
  readonly #client: string;
  readonly #listener: ConnectionListener;
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failures = 0;
  #refusals = 0;
  #wasOpen = false;
  #isStopped = false;

  /**
   * `path` is that of the document or translation in the admin API; `client` is the name under which operations that
   * were sent again are recognised.
   */
  constructor(path: string, client: string, listener: ConnectionListener) {
    this.#path = path;
    this.#client = client;
    this.#listener = listener;
  }

  start(): void {
    addEventListener("offline", this.#lost);
    addEventListener("online", this.#now);
    document.addEventListener("visibilitychange", this.#now);
    this.#open();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    removeEventListener("offline", this.#lost);
    removeEventListener("online", this.#now);
    document.removeEventListener("visibilitychange", this.#now);
    this.#drop();
  }

  send(message: Outgoing): boolean {
    const text = JSON.stringify(message);
    if (new TextEncoder().encode(text).length > SENT_MESSAGE_BYTES_MAX) return false;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(text);
    return true;
  }

  restart(): void {
    if (this.#isStopped) return;
    this.#drop();
    this.#listener.closed("connecting");
    this.#later(AGAIN_MIN_MS);
  }

  #open(): void {
    if (this.#isStopped || this.#socket !== null) return;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `${this.#path}/live`;
    const since = this.#listener.since();
    const query = `client=${this.#client}${since === null ? "" : `&since=${since}`}`;
    const socket = new WebSocket(`${scheme}//${location.host}${path}?${query}`);
    this.#socket = socket;
    this.#timer = setTimeout(() => this.#ended(socket, 0), OPEN_TIMEOUT_MS);
    socket.onopen = () => {
      clearTimeout(this.#timer);
      this.#wasOpen = true;
      this.#listener.opened();
    };
    socket.onmessage = ({ data: text }) => {
      // A connection counts as working once the server has sent a message over it.
      this.#failures = 0;
      this.#refusals = 0;
      if (this.#socket === socket) this.#listener.message(JSON.parse(text));
    };
    socket.onclose = ({ code }) => this.#ended(socket, code);
  }

  #ended(socket: WebSocket, code: number): void {
    if (this.#socket !== socket) return;
    this.#drop();
    const last: Record<number, Disconnection> = {
      [CLOSE_GONE]: "gone",
      [CLOSE_NOT_ALLOWED]: "forbidden",
    };
    if (last[code] !== undefined) {
      this.stop();
      return this.#listener.closed(last[code]);
    }
    this.#listener.closed(code === CLOSE_SESSION_OVER ? "signed out" : "connecting");
    void this.#probe();
  }

  /** Asks over HTTP why the connection failed. */
  async #probe(): Promise<void> {
    const reply = await call<DocumentBody>("GET", this.#path);
    if (this.#isStopped || this.#socket !== null) return;
    const isGone = reply.status === 404 || reply.body?.status === "trashed";
    if (isGone || reply.status === 403) {
      this.stop();
      return this.#listener.closed(isGone ? "gone" : "forbidden");
    }
    if (reply.ok) {
      this.#refusals += 1;
      if (this.#refusals >= (this.#wasOpen ? BLOCKED_LATER : BLOCKED_AT_FIRST)) {
        this.stop();
        return this.#listener.blocked();
      }
    } else this.#listener.closed(reply.status === 401 ? "signed out" : "offline");
    this.#again();
  }

  #again(): void {
    const longest = Math.min(AGAIN_MAX_MS, AGAIN_MIN_MS * 2 ** this.#failures);
    this.#failures += 1;
    // Random delay, so that not all clients reconnect to a restarted server at the same time.
    const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
    const share = 0.5 + random / 2 ** 33;
    this.#later(navigator.onLine ? longest * share : OFFLINE_MS);
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), ms);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  readonly #lost = (): void => {
    this.#drop();
    this.#listener.closed("offline");
    this.#later(OFFLINE_MS);
  };

  readonly #now = (): void => {
    if (document.hidden || this.#isStopped || this.#socket !== null || !navigator.onLine) return;
    this.#failures = 0;
    clearTimeout(this.#timer);
    this.#open();
  };
}
