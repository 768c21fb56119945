/**
 * Errors of OAuth requests, in the form of RFC 6749.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import type { Deps } from "../deps/deps.ts";
import { logReason } from "../middleware/request_log.ts";

/** Codes of RFC 6749, 7009, 7591, 8628 and 8707. */
export type OAuthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "invalid_target"
  | "invalid_redirect_uri"
  | "invalid_client_metadata"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "authorization_pending"
  | "slow_down"
  | "expired_token";

/** A request that is refused. */
export class OAuthError extends Error {
  override name = "OAuthError";

  constructor(readonly code: OAuthErrorCode, description: string) {
    super(description);
  }
}

/** Logs why a program gets nothing. */
export function logRefusal(
  { content: { context } }: Pick<Deps, "content">,
  c: HttpContext,
  { code, message }: OAuthError,
): void {
  const facts = { path: c.req.path, error: code, reason: message };
  logReason(context.log, c, "oauth request refused", facts);
}

/** The JSON response of an error. */
export function oauthErrorResponse(c: HttpContext, { code, message }: OAuthError): Response {
  const status = code === "invalid_client" ? 401 : 400;
  return c.json({ error: code, error_description: message }, status, {
    "cache-control": "no-store",
    "access-control-allow-origin": "*",
  });
}
