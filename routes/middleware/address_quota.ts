/**
 * The quota of a client address: requests that fail authentication, and searches, share one bucket.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { ADDRESS_QUOTA } from "../../kv/limits/people.ts";
import type { SessionOrigin } from "../../kv/people/sessions.ts";
import { Refusal } from "../../kv/refusals.ts";
import { accountOrigin, MCP_METADATA_PATH } from "./account_origin.ts";
import { clientAddress, type RemoteAddress } from "./client_address.ts";
import type { Deps } from "../deps/deps.ts";

/** Counts a request of this address; refuses with RATE_LIMITED once its bucket is full. */
export async function countAddress(
  deps: Deps,
  http: HttpContext,
  headers: Record<string, string>,
): Promise<void> {
  const bucket = `address:${addressOf(deps, http)}`;
  const admission = await deps.limiter.admit(bucket, ADDRESS_QUOTA);
  headers["ratelimit-policy"] = `"default";q=${ADDRESS_QUOTA};w=60`;
  headers["ratelimit"] = `"default";r=${admission.remaining};t=${admission.resetSeconds}`;
  if (admission.admitted) return;
  throw new Refusal("RATE_LIMITED", { retryAfterSeconds: admission.retryAfterSeconds });
}

/** Counts a request that failed authentication, and refuses it. */
export async function countUnauthenticated(
  deps: Deps,
  http: HttpContext,
  headers: Record<string, string>,
): Promise<never> {
  await countAddress(deps, http, headers);
  headers["www-authenticate"] = http.req.path === "/mcp"
    ? `Bearer resource_metadata="${await accountOrigin(deps, http)}${MCP_METADATA_PATH}"`
    : "Bearer";
  throw new Refusal("UNAUTHENTICATED");
}

/** The client's address: that of the connection, or as reported by trusted proxies. */
export function addressOf({ trustProxy }: Pick<Deps, "trustProxy">, http: HttpContext): string {
  const remote = (http.env as { remoteAddr?: RemoteAddress } | undefined)?.remoteAddr;
  return clientAddress(http.req.header("x-forwarded-for") ?? null, remote, trustProxy);
}

/** The origin of a session, for the list of sessions. */
export function signInOrigin(deps: Pick<Deps, "trustProxy">, http: HttpContext): SessionOrigin {
  return { agent: http.req.header("user-agent") ?? "", address: addressOf(deps, http) };
}
