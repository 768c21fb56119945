/**
 * The HTTP server, and protection against too many connections. Every connection takes a file
 * descriptor, even an idle one, and Deno ends a server that cannot accept a connection. When
 * descriptors run out, Deno has ended the server, or bodies have stalled, a new server listens and
 * the old one closes its idle connections; running requests are completed.
 *
 * @module
 */
import type { Log } from "../../kv/log.ts";
import { pacedBody } from "../input/arrival.ts";
import { DESCRIPTORS_SPARE, DISCARDED_BODY_BYTES_MAX } from "../input/limits.ts";

/** Interval between checks of the file descriptors, milliseconds. */
const POLL_INTERVAL_MS = 1_000;
/** Until a port that is being given up can be listened at again, milliseconds. */
const RETRY_MS = 2;
/** Connections that were given up are closed together, at most this often, milliseconds. */
const DROP_MS = 5_000;

/** Dependencies of a listener. */
export interface ListenerOptions {
  /** Begins to listen. */
  serve: () => Pick<Deno.HttpServer, "finished" | "shutdown">;
  /** Whether enough descriptors are left. */
  hasDescriptors: () => boolean;
  log: Log;
  pollIntervalMs?: number;
}

/** Keeps a server listening until it is shut down. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #timer: ReturnType<typeof setInterval>;
  #server: Pick<Deno.HttpServer, "finished" | "shutdown">;
  /** Old servers that are completing their requests. */
  readonly #former = new Set<Promise<void>>();
  #renewing: Promise<void> | null = null;
  #stopped = false;
  #dropping: ReturnType<typeof setTimeout> | undefined;

  /** @throws What Deno throws when it cannot listen. */
  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#server = this.#serve();
    this.#timer = setInterval(() => {
      if (this.#renewing === null && !options.hasDescriptors()) {
        this.#renew("file descriptors are running out");
      }
    }, options.pollIntervalMs ?? POLL_INTERVAL_MS);
    Deno.unrefTimer(this.#timer);
  }

  /**
   * Closes idle connections soon. A connection whose request was answered before its body had arrived waits for the
   * rest of it for as long as its sender likes, and only the end of its server closes it.
   */
  dropIdle(): void {
    this.#dropping ??= setTimeout(() => {
      this.#dropping = undefined;
      this.#renew("request bodies have stalled");
    }, DROP_MS);
    Deno.unrefTimer(this.#dropping);
  }

  /** Stops listening; settles once running requests have been completed. */
  async shutdown(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    clearTimeout(this.#dropping);
    await this.#renewing;
    await Promise.all([this.#server.shutdown(), ...this.#former]);
  }

  #serve(): Pick<Deno.HttpServer, "finished" | "shutdown"> {
    const server = this.#options.serve();
    server.finished.catch((error) => {
      if (this.#server === server) this.#renew(`${error}`);
    });
    return server;
  }

  #renew(reason: string): void {
    if (this.#stopped) return;
    this.#renewing ??= this.#replace(reason).finally(() => this.#renewing = null);
  }

  async #replace(reason: string): Promise<void> {
    const { log } = this.#options;
    log.warn("idle connections closed", { reason });
    const former: Promise<void> = this.#server.shutdown().catch(() => {})
      .finally(() => this.#former.delete(former));
    this.#former.add(former);
    for (let attempt = 1; !this.#stopped; attempt++) {
      try {
        this.#server = this.#serve();
        return;
      } catch (error) {
        if (attempt % 100 === 0) log.error("cannot listen", {}, error);
      }
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}

/**
 * The same handler. An error response to a request whose body was not read closes its connection: Deno would otherwise wait
 * for the rest of the body for as long as the client likes. `closed` is called when a connection needs a new server to
 * close it, because its body has stalled or is long.
 */
export function closing<I>(
  handle: (request: Request, info: I) => Response | Promise<Response>,
  closed: () => void,
): (request: Request, info: I) => Promise<Response> {
  return async (request, info) => {
    const response = await handle(request, info);
    if (response.headers.get("connection") === "close") closed();
    // A successful response may read the body while it is sent, as a bulk write does.
    else if (response.status >= 400 && hasUnreadBody(request)) {
      response.headers.set("connection", "close");
      if (request.body !== null) discardBody(request.body).catch(closed);
    }
    return response;
  };
}

function hasUnreadBody({ method, headers, bodyUsed }: Request): boolean {
  if (method === "GET" || method === "HEAD" || bodyUsed) return false;
  return headers.has("transfer-encoding") || Number(headers.get("content-length") ?? 0) > 0;
}

/** Reads a short body to its end, so that its connection can close. Throws when it is long or stalls. */
async function discardBody(body: ReadableStream<Uint8Array>): Promise<void> {
  let bytes = 0;
  for await (const chunk of pacedBody(body)) {
    bytes += chunk.byteLength;
    if (bytes > DISCARDED_BODY_BYTES_MAX) throw new Error("The body is too long to discard");
  }
}

/** Whether {@linkcode DESCRIPTORS_SPARE} more files can be opened. */
export function hasDescriptors(path: string, count = DESCRIPTORS_SPARE): boolean {
  const files: Deno.FsFile[] = [];
  try {
    for (let n = 0; n < count; n++) files.push(Deno.openSync(path));
    return true;
  } catch (error) {
    return !/os error (23|24)\b/.test(`${error}`);
  } finally {
    for (const file of files) file.close();
  }
}

/** The limit of file descriptors, from the text of `/proc/self/limits`; null if it is missing. */
export function descriptorLimit(limits: string): number | null {
  const soft = /^Max open files +(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? null : Number(soft);
}

/** Warns at the start when the process may have few descriptors. */
export async function warnOfFewDescriptors(log: Log, leastWanted: number): Promise<void> {
  // Without the permission to read it nothing is known.
  const limits = await Deno.readTextFile("/proc/self/limits").catch(() => "");
  const limit = descriptorLimit(limits);
  if (limit !== null && limit < leastWanted) {
    log.warn("the file descriptor limit is low", { limit, recommended: leastWanted });
  }
}
