/**
 * `GET /.well-known/security.txt`: the contact for security reports (RFC 9116), from the setting
 * `site.security`.
 *
 * @module
 */
import { Hono } from "@hono/hono";
import { Refusal } from "../../kv/refusals.ts";
import type { Settings } from "../../kv/sources/settings.ts";

/** The setting. */
type SecurityContact = {
  contact: string;
  /** Epoch seconds. */
  expires: number;
  policy: string | null;
};

/** Serves the file; 404 until the setting is set. */
export function securityTxtRoutes({ settings }: { settings: Settings }): Hono {
  return new Hono().get("/", async (c) => {
    const found = await settings.get<SecurityContact | null>("site.security");
    if (found === null) throw new Refusal("NOT_FOUND");
    return c.body(textOf(found), 200, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=300",
    });
  });
}

function textOf({ contact, expires, policy }: SecurityContact): string {
  const lines = [
    `Contact: ${contact.includes("://") ? contact : `mailto:${contact}`}`,
    `Expires: ${new Date(expires * 1000).toISOString()}`,
    ...(policy === null ? [] : [`Policy: ${policy}`]),
  ];
  return `${lines.join("\n")}\n`;
}
