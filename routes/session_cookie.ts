/**
 * The cookie of an admin session: out of reach of scripts, never sent along by other sites' forms, and
 * bound to this very host over HTTPS.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { getCookie, setCookie } from "@hono/hono/cookie";
import { SESSION_SECONDS } from "../kv/people/sessions.ts";
import { isHttps } from "./own_origin.ts";

const NAME = "session";

/** The secret that a request carries. */
export function sessionSecret(c: HttpContext, trustProxy: number): string | undefined {
  return getCookie(c, cookieName(isHttps(c, trustProxy)));
}

/** Sends the cookie; an empty secret takes it away. */
export function sendSessionCookie(c: HttpContext, trustProxy: number, secret: string): void {
  const secure = isHttps(c, trustProxy);
  setCookie(c, cookieName(secure), secret, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure,
    maxAge: secret === "" ? 0 : SESSION_SECONDS,
  });
  c.header("cache-control", "no-store");
}

function cookieName(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME;
}
