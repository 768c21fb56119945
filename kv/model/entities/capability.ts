/**
 * The capabilities that a plugin may be granted. Those for content have the syntax and semantics of token
 * scopes.
 *
 * @module
 */
import { CAPABILITY_CHARS_MAX } from "../../limits/packages.ts";

const SLUG = "[a-z0-9]+(?:-[a-z0-9]+)*";
const CAPABILITY = new RegExp(
  `^(?:content:(?:read|write)(?::${SLUG})?|media:read|settings:own|net:host|mail:send|schedule|admin:panel)$`,
);

/** Calls of hosts outside; which ones, the manifest says in `hosts`. */
export const NET_HOST = "net:host";
/** Mails under the site's name. */
export const MAIL_SEND = "mail:send";
/** Reading facts about media, and their bytes. */
export const MEDIA_READ = "media:read";
/** Calls at set times. */
export const SCHEDULE = "schedule";
/** A panel in the admin application: spelled, but not offered. */
export const ADMIN_PANEL = "admin:panel";
/** The plugin's own settings. */
export const SETTINGS_OWN = "settings:own";

/** Whether a text is a capability. */
export function isCapability(text: string): boolean {
  return text.length <= CAPABILITY_CHARS_MAX && CAPABILITY.test(text);
}

/** Whether capabilities allow to read or write in a collection. */
export function allowsContent(
  capabilities: readonly string[],
  action: "read" | "write",
  collection: string,
): boolean {
  return capabilities.includes(`content:${action}`) ||
    capabilities.includes(`content:${action}:${collection}`);
}

/** The capabilities that a package requests. */
export interface RequestedAccess {
  capabilities: readonly string[];
  hosts: readonly string[];
}

/**
 * The capabilities that an administrator must accept before `wanted` may replace `present` (null:
 * nothing): all that are new, and calls outside again when there are new hosts.
 */
export function consentNeeded(wanted: RequestedAccess, present: RequestedAccess | null): string[] {
  const known = new Set(present?.capabilities ?? []);
  const added = wanted.capabilities.filter((capability) => !known.has(capability));
  const newHosts = wanted.hosts.some((host) => !(present?.hosts ?? []).includes(host));
  const widened = newHosts && wanted.capabilities.includes(NET_HOST) && !added.includes(NET_HOST);
  return widened ? [...added, NET_HOST] : added;
}
