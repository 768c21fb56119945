/**
 * A server at an address that the guard of a test refuses: whatever reaches it was sent without the guard.
 *
 * @module
 */
import type { GuardOptions } from "../../../jobs/network/guarded_request.ts";

/** Lets requests reach 127.0.0.1, as if it were public, and no other address. */
export const GUARD: GuardOptions = {
  allowLocal: false,
  allowPlain: true,
  isPublic: (address) => address === "127.0.0.1",
};

/** A server at 127.0.0.2 that answers everything with the same JSON. */
export function startTrap(answer: unknown = {}) {
  const reached: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.2", onListen: () => {} },
    (request) => {
      reached.push(new URL(request.url).pathname);
      return Response.json(answer);
    },
  );
  return {
    origin: `http://127.0.0.2:${server.addr.port}`,
    reached,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
