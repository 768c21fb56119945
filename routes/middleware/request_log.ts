/**
 * Logs requests: method, route, status and time, and for failures the cause, under the ID that the
 * client received.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Log, LogFacts } from "../../kv/log.ts";
import type { Refusal } from "../../kv/refusals.ts";

/** A path without the secret of a preview. */
function loggedPath(path: string): string {
  return path.startsWith("/preview/") ? "/preview/…" : path;
}

/** Logs why a request is refused, if its response does not say so. */
export function logReason(log: Log, http: HttpContext, event: string, facts: LogFacts): void {
  log.info(event, { requestId: http.get("requestId"), ...facts });
}

/** Logs a fault or an outage; expected refusals are not worth a line. */
export function logFault(log: Log, http: HttpContext, refusal: Refusal): void {
  if (refusal.code !== "INTERNAL" && refusal.code !== "UNAVAILABLE") return;
  const facts = {
    requestId: http.get("requestId"),
    method: http.req.method,
    path: loggedPath(http.req.path),
  };
  log.error(refusal.code === "INTERNAL" ? "fault" : "unavailable", facts, refusal.cause);
}
