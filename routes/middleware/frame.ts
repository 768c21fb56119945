/**
 * Gives every request an ID, a log line, metrics and a trace name. HEAD responses have the length
 * of GET.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { matchedRoutes } from "@hono/hono/route";
import { trace } from "@opentelemetry/api";
import type { Context } from "../../kv/context.ts";

/** Counts answered requests. */
export interface RequestMetrics {
  observe(request: { method: string; route: string; status: number; ms: number }): void;
}

/** Assigns the request ID, sends it in `X-Request-Id`, and reports the result. */
export function frame(context: Context, metrics: RequestMetrics | null = null): MiddlewareHandler {
  // Unique among processes by the prefix, within one by the count.
  const prefix = context.newId(context.now()).slice(0, 18);
  let count = 0;
  return async function frameMiddleware(c, next) {
    const requestId = `${prefix}-${(count++).toString(36)}`;
    c.set("requestId", requestId);
    const startedAt = performance.now();
    await next();
    c.res.headers.set("x-request-id", requestId);
    if (c.req.method === "HEAD") await setContentLength(c.res);
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const { method } = c.req;
    const { status } = c.res;
    const route = routeOf(c);
    const token = c.get("tokenName") as string | undefined;
    context.log.info("request", { method, route, status, ms, requestId, token });
    metrics?.observe({ method, route, status, ms });
    nameSpan(method, route);
  };
}

/** The pattern that answered, such as `/api/v1/:collection/:id`: a path may hold a secret. */
function routeOf(c: HttpContext): string {
  const routes = matchedRoutes(c);
  const own = routes.findLast(({ method, path }) => method !== "ALL" && !path.endsWith("*"));
  return (own ?? routes.at(-1))?.path ?? "*";
}

/** The runtime names spans by the method alone; its own attributes cannot be replaced. */
function nameSpan(method: string, route: string): void {
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute("http.route", route);
}

/** The server does not get the body, so it would report a length of 0. */
async function setContentLength(response: Response): Promise<void> {
  if (response.body === null || response.headers.has("content-length")) return;
  let length = 0;
  for await (const piece of response.body) length += piece.byteLength;
  response.headers.set("content-length", String(length));
}
