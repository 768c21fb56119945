/**
 * A TCP proxy for tests of networks that fail: it delays, cuts, swallows, holds back, or loses answers.
 *
 * @module
 */

/**
 * What the proxy does. `cut`: connections are reset and refused. `swallow`: connections are accepted and
 * nothing passes, then or later. `hold`: the same, but what was sent passes when {@linkcode TcpProxy.arrive}
 * says so. `lose answers`: requests pass, answers do not.
 */
export type ProxyMode = "pass" | "cut" | "swallow" | "hold" | "lose answers";

/** A connection through the proxy; `age` counts the changes of mode before it. */
interface Pair {
  client: Deno.TcpConn;
  server: Deno.TcpConn;
}

/** Stands between clients and a server on this machine. */
export class TcpProxy implements AsyncDisposable {
  /** Milliseconds that every piece takes in each direction. */
  delayMs = 0;
  readonly #port: number;
  readonly #listener: Deno.TcpListener;
  readonly #pairs = new Set<Pair>();
  readonly #under = new Set<Promise<void>>();
  #mode: ProxyMode = "pass";
  #arrival = Promise.withResolvers<void>();
  readonly #accepting: Promise<void>;

  /** Begins to listen; `port` is the server's. */
  constructor(port: number) {
    this.#port = port;
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.#accepting = this.#accept();
  }

  /** Where clients connect. */
  get port(): number {
    return this.#listener.addr.port;
  }

  get mode(): ProxyMode {
    return this.#mode;
  }

  /** Changes what happens; connections from before are left as they were, unless they are cut. */
  set mode(mode: ProxyMode) {
    this.#mode = mode;
    if (mode === "cut") this.#closeAll();
  }

  /** What was held back passes, and nothing is held any more. */
  arrive(): void {
    this.#arrival.resolve();
    this.#arrival = Promise.withResolvers();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#mode = "cut";
    this.arrive();
    this.#listener.close();
    this.#closeAll();
    await this.#accepting;
    await Promise.all(this.#under);
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      if (this.#mode === "cut") {
        client.close();
        continue;
      }
      const server = await Deno.connect({ hostname: "127.0.0.1", port: this.#port })
        .catch(() => null);
      if (server === null) {
        client.close();
        continue;
      }
      client.setNoDelay();
      server.setNoDelay();
      const pair = { client, server };
      this.#pairs.add(pair);
      const both = Promise.all([
        this.#copy(client, server, "request"),
        this.#copy(server, client, "answer"),
      ]).then(() => {
        this.#close(pair);
        this.#under.delete(both);
      });
      this.#under.add(both);
    }
  }

  async #copy(from: Deno.TcpConn, to: Deno.TcpConn, what: "request" | "answer"): Promise<void> {
    const buffer = new Uint8Array(65_536);
    let last: Promise<void> = Promise.resolve();
    try {
      for (;;) {
        const count = await from.read(buffer);
        if (count === null) break;
        const piece = buffer.slice(0, count);
        const before = last;
        // Pieces travel side by side and arrive in their order.
        last = this.#pass(what).then(async (passes) => {
          await before;
          if (passes) await writeAll(to, piece);
        });
        last.catch(() => {});
      }
      await last;
      await to.closeWrite();
    } catch {
      // Either side has gone.
      await last.catch(() => {});
      try {
        to.close();
      } catch {
        // It was closed already.
      }
    }
  }

  /** Waits as long as a piece takes; false when it is lost. */
  async #pass(what: "request" | "answer"): Promise<boolean> {
    if (this.delayMs > 0) await new Promise((done) => setTimeout(done, this.delayMs));
    if (this.#mode === "hold") await this.#arrival.promise;
    return this.#mode !== "swallow" && !(this.#mode === "lose answers" && what === "answer");
  }

  #closeAll(): void {
    for (const pair of this.#pairs) this.#close(pair);
  }

  #close(pair: Pair): void {
    this.#pairs.delete(pair);
    for (const connection of [pair.client, pair.server]) {
      try {
        connection.close();
      } catch {
        // The other direction has closed it.
      }
    }
  }
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.byteLength;) sent += await to.write(bytes.subarray(sent));
}
