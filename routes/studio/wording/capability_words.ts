/**
 * The permissions of packages as text for the user who decides. Used by pages and by the browser code.
 *
 * @module
 */

/** The meaning of each capability, as a verb phrase. */
const MEANINGS: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^content:read:(.+)$/, "read the published documents of $1"],
  [/^content:write:(.+)$/, "create and change the documents of $1"],
  [/^content:read$/, "read all published documents"],
  [/^content:write$/, "create and change all documents"],
  [/^media:read$/, "read all images"],
  [/^settings:own$/, "store its own settings"],
  [/^net:host$/, "call other servers"],
  [/^mail:send$/, "send email in the site's name"],
  [/^schedule$/, "run on a schedule"],
  [/^admin:panel$/, "show a panel in the studio"],
];

/** A capability in words; calls outside name their hosts. */
export function capabilityWords(capability: string, hosts: readonly string[] = []): string {
  if (capability === "net:host" && hosts.length > 0) return `call ${hosts.join(", ")}`;
  for (const [pattern, words] of MEANINGS) {
    if (pattern.test(capability)) return capability.replace(pattern, words);
  }
  return capability;
}
