/**
 * What every request and response has: an id, and a debug line with method, path, status and time. HEAD
 * tells the length that GET would have.
 *
 * @module
 */
import type { MiddlewareHandler } from "@hono/hono";
import type { Context } from "../../kv/context.ts";
import { loggedPath } from "../request_log.ts";

/** Gives each request its id, tells it in `X-Request-Id`, and logs what became of it. */
export function frame(context: Context): MiddlewareHandler {
  // Unique among processes by the prefix, within one by the count.
  const prefix = context.newId(context.now()).slice(0, 18);
  let count = 0;
  return async function frameMiddleware(c, next) {
    const requestId = `${prefix}-${(count++).toString(36)}`;
    c.set("requestId", requestId);
    const startedAt = performance.now();
    await next();
    // The answer that makes a WebSocket cannot be changed.
    if (c.res.status !== 101) c.res.headers.set("x-request-id", requestId);
    if (c.req.method === "HEAD") await tellLength(c.res);
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const { method, path } = c.req;
    const facts = { requestId, method, path: loggedPath(path), status: c.res.status, ms };
    context.log.debug("request", facts);
  };
}

/** Left to itself the server would say that the body, which it is not given, has no bytes. */
async function tellLength(response: Response): Promise<void> {
  if (response.body === null || response.headers.has("content-length")) return;
  let length = 0;
  for await (const piece of response.body) length += piece.byteLength;
  response.headers.set("content-length", String(length));
}
