/**
 * A free port for a process whose port is chosen by its caller.
 *
 * @module
 */

/** Below the ports that the system gives to connections: one of them could take the port before the process does. */
const PORTS_FROM = 20_000;
const PORTS = 12_000;

/** A port of 127.0.0.1 on which nothing listens. */
export function freePort(): number {
  for (;;) {
    const port = PORTS_FROM + Math.floor(Math.random() * PORTS);
    try {
      Deno.listen({ hostname: "127.0.0.1", port }).close();
      return port;
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}
