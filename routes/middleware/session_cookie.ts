/**
 * The cookie of an admin session: out of reach of scripts, never sent along by other sites' forms, and
 * bound to this very host over HTTPS.
 *
 * @module
 */
import type { Context as HttpContext } from "@hono/hono";
import { getCookie, setCookie } from "@hono/hono/cookie";
import { KNOWN_BROWSER_SECONDS } from "../../kv/people/known_browsers.ts";
import { SESSION_SECONDS } from "../../kv/people/sessions.ts";
import { isHttps } from "./own_origin.ts";

const NAME = "session";
const BROWSER = "browser";

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

/** The secret of a browser that has signed in before. */
export function browserSecret(c: HttpContext, trustProxy: number): string | undefined {
  return getCookie(c, browserCookieName(isHttps(c, trustProxy)));
}

/** Makes the browser known; the cookie outlasts sessions, and opens nothing. */
export function sendBrowserCookie(c: HttpContext, trustProxy: number, secret: string): void {
  const secure = isHttps(c, trustProxy);
  setCookie(c, browserCookieName(secure), secret, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure,
    maxAge: KNOWN_BROWSER_SECONDS,
  });
}

function browserCookieName(secure: boolean): string {
  return secure ? `__Host-${BROWSER}` : BROWSER;
}

function cookieName(secure: boolean): string {
  return secure ? `__Host-${NAME}` : NAME;
}
