/**
 * The end of a process without a broken request: those under way are answered first, bodies that are
 * still arriving are read to their end, and clients with open connections are told to close them.
 *
 * @module
 */

/** How long requests are answered with `close` before the server is shut down, milliseconds. */
const NOTICE_MS = 250;

/** What the server tells of a request; `completed` settles when its answer has been sent. */
type ServeInfo = Pick<Deno.ServeHandlerInfo, "completed">;

/** Counts the requests of a server whose bodies may be arriving, and tells when it may be shut down. */
export class Drain {
  /** Requests with a body: a server that is shut down answers all others by itself. */
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
      // An answer may be under way while the body of its request still arrives.
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
