/**
 * Graceful shutdown: running requests are completed, bodies that are arriving are read to the end,
 * and clients are asked to close their connections.
 *
 * @module
 */

/** How long responses carry `connection: close` before the server shuts down, milliseconds. */
const NOTICE_MS = 250;

/** Information about a request; `completed` settles once the response has been sent. */
type ServeInfo = Pick<Deno.ServeHandlerInfo, "completed">;

/**
 * Counts requests whose bodies may still be arriving, and decides when the server can shut down.
 */
export class Drain {
  /** Requests with a body; a server that shuts down completes all others. */
  #running = 0;
  #draining = false;
  #changed: () => void = () => {};

  /** Wraps a handler so that its requests count. */
  tracked<I extends ServeInfo>(
    handle: (request: Request, info: I) => Response | Promise<Response>,
  ): (request: Request, info: I) => Promise<Response> {
    // Deno passes arguments only to handlers that declare them.
    return async (request, info) => {
      const { method } = request;
      if (method === "GET" || method === "HEAD") {
        return this.#withNotice(await handle(request, info));
      }
      this.#running += 1;
      // The response may be running while the body of the request still arrives.
      info.completed.catch(() => {}).then(() => {
        this.#running -= 1;
        this.#changed();
      });
      return this.#withNotice(await handle(request, info));
    };
  }

  /** Whether the process is shutting down. */
  get isDraining(): boolean {
    return this.#draining;
  }

  /** Responses close their connections from now on; settles once no body is arriving, or after `ms`. */
  async wait(ms: number): Promise<void> {
    this.#draining = true;
    await pause(NOTICE_MS);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms - NOTICE_MS);
    const ended = async () => {
      while (this.#running > 0) await new Promise<void>((done) => this.#changed = done);
    };
    await Promise.race([ended(), late]);
    clearTimeout(timer);
  }

  #withNotice(response: Response): Response {
    if (this.#draining && response.status !== 101) response.headers.set("connection", "close");
    return response;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
