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
  /** Requests with a body; a server that shuts down completes all others by itself. */
  #underWay = 0;
  #draining = false;
  #changed: () => void = () => {};

  /** The same handler, whose requests are waited for. */
  counted<I extends ServeInfo>(
    handle: (request: Request, info: I) => Response | Promise<Response>,
  ): (request: Request, info: I) => Promise<Response> {
    // Deno gives its arguments to handlers only that name them.
    return async (request, info) => {
      const { method } = request;
      if (method === "GET" || method === "HEAD") return this.#told(await handle(request, info));
      this.#underWay += 1;
      // The response may be running while the body of the request still arrives.
      info.completed.catch(() => {}).then(() => {
        this.#underWay -= 1;
        this.#changed();
      });
      return this.#told(await handle(request, info));
    };
  }

  /** Whether the process is shutting down. */
  get begun(): boolean {
    return this.#draining;
  }

  /** From now on answers close their connections; settles when no body is arriving, or after `ms`. */
  async wait(ms: number): Promise<void> {
    this.#draining = true;
    await pause(NOTICE_MS);
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms - NOTICE_MS);
    const ended = async () => {
      while (this.#underWay > 0) await new Promise<void>((done) => this.#changed = done);
    };
    await Promise.race([ended(), late]);
    clearTimeout(timer);
  }

  #told(response: Response): Response {
    if (this.#draining && response.status !== 101) response.headers.set("connection", "close");
    return response;
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
