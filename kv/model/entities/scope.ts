/**
 * Scopes of API tokens: which collections and which actions they open. Scopes are compared as exact
 * strings; nothing is implied by anything else except by `*`.
 *
 * @module
 */
import { SLUG_CHARS_MAX } from "../../limits/content.ts";
import { TOKEN_SCOPES_MAX } from "../../limits/people.ts";
import type { Detail } from "../../refusals.ts";
import type { Status } from "./document.ts";
import type { Json } from "./entity.ts";

/** The actions of a scope on a collection. */
export const ACTIONS = ["read", "write", "read-drafts", "read-history"] as const;

/** One of {@linkcode ACTIONS}. */
export type Action = typeof ACTIONS[number];

/** The actions that a scope may allow on media. Media are not a collection: `*:<action>` excludes them. */
export const MEDIA_ACTIONS = ["read", "write"] as const;

/** One of {@linkcode MEDIA_ACTIONS}. */
export type MediaAction = typeof MEDIA_ACTIONS[number];

/** The name of media in a scope; no collection can have this slug. */
const MEDIA = "media";

/** Every collection and every action, media too. */
const FULL_ACCESS = "*";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Statuses that `read` shows. */
const PUBLIC_STATUSES: readonly Status[] = ["published"];
/** Further statuses that `read-drafts` shows. */
const DRAFT_STATUSES: readonly Status[] = ["draft", "scheduled", "archived"];

/** Provisioning users by SCIM; no other scope includes it. */
export const SCIM_SCOPE = "scim";

/** Whether a text is a scope: `*`, `*:<action>`, `media:<action>`, `<slug>:<action>` or `scim`. */
export function isScope(text: string): boolean {
  if (text === FULL_ACCESS || text === SCIM_SCOPE) return true;
  const [slug, action] = partsOf(text);
  if (slug === MEDIA) return (MEDIA_ACTIONS as readonly string[]).includes(action);
  if (!(ACTIONS as readonly string[]).includes(action)) return false;
  return slug === "*" || (slug.length <= SLUG_CHARS_MAX && SLUG.test(slug));
}

/** The slug of the one collection that a scope is about; null for all others. */
export function slugOfScope(scope: string): string | null {
  const [slug] = partsOf(scope);
  return ["", "*", MEDIA].includes(slug) ? null : slug;
}

/** The same scopes for a collection whose slug has changed; the same list when none is about it. */
export function renamedScopes(scopes: string[], from: string, to: string): string[] {
  if (!scopes.some((scope) => slugOfScope(scope) === from)) return scopes;
  const renamed = scopes.map((scope) =>
    slugOfScope(scope) === from ? `${to}${scope.slice(from.length)}` : scope
  );
  return [...new Set(renamed)];
}

function partsOf(scope: string): [slug: string, action: string] {
  const colon = scope.indexOf(":");
  return colon < 0 ? ["", ""] : [scope.slice(0, colon), scope.slice(colon + 1)];
}

/** Reads a list of scopes; each failure is added to `details`. Repeated scopes count once. */
export function parseScopes(value: Json, details: Detail[], field = "scopes"): string[] {
  if (!Array.isArray(value)) {
    details.push({ field, code: "INVALID_TYPE", message: "Must be a list of scopes" });
    return [];
  }
  if (value.length > TOKEN_SCOPES_MAX) {
    details.push({
      field,
      code: "TOO_LONG",
      message: `Must have at most ${TOKEN_SCOPES_MAX} scopes`,
    });
    return [];
  }
  const scopes = new Set<string>();
  value.forEach((scope, index) => {
    if (typeof scope === "string" && isScope(scope)) scopes.add(scope);
    else details.push({ field: `${field}.${index}`, ...refusedScope(scope) });
  });
  return [...scopes];
}

/**
 * The failures of scopes, as a body gives them, that are about no collection. Those that a token holds
 * already may stay.
 */
export function unknownScopes(
  given: Json | undefined,
  bySlug: ReadonlyMap<string, unknown>,
  held: readonly string[] = [],
): Detail[] {
  if (!Array.isArray(given) || given.length > TOKEN_SCOPES_MAX) return [];
  return given.flatMap((scope, index) => {
    if (typeof scope !== "string" || !isScope(scope) || held.includes(scope)) return [];
    const slug = slugOfScope(scope);
    if (slug === null || bySlug.has(slug)) return [];
    const message = `There is no collection with the slug ${slug}`;
    return [{ field: `scopes.${index}`, code: "INVALID_SCOPE" as const, message }];
  });
}

/** Whether scopes give every access, however else they are spelled. */
export function holdsFullAccess(scopes: readonly Json[]): boolean {
  return scopes.includes(FULL_ACCESS);
}

/** Whether scopes allow an action on a collection. */
export function allows(scopes: readonly string[], slug: string, action: Action): boolean {
  return scopes.includes(FULL_ACCESS) || scopes.includes(`*:${action}`) ||
    scopes.includes(`${slug}:${action}`);
}

/** Whether scopes allow an action on media. */
export function allowsMedia(scopes: readonly string[], action: MediaAction): boolean {
  return scopes.includes(FULL_ACCESS) || scopes.includes(`${MEDIA}:${action}`);
}

/**
 * The statuses that scopes show in a collection. `read` opens the collection and shows what is
 * published; `read-drafts` widens that and opens nothing by itself.
 */
export function visibleStatuses(scopes: readonly string[], slug: string): readonly Status[] {
  return allows(scopes, slug, "read") ? openedStatuses(scopes, slug) : [];
}

/** The statuses of past versions that scopes show in a collection: `read-history` opens these by itself. */
export function visiblePastStatuses(scopes: readonly string[], slug: string): readonly Status[] {
  return allows(scopes, slug, "read-history") ? openedStatuses(scopes, slug) : [];
}

function openedStatuses(scopes: readonly string[], slug: string): readonly Status[] {
  if (!allows(scopes, slug, "read-drafts")) return PUBLIC_STATUSES;
  return [...PUBLIC_STATUSES, ...DRAFT_STATUSES];
}

/** Whether scopes allow nothing but reading what is published, in every collection. */
export function isStrictlyReadOnly(scopes: readonly string[]): boolean {
  return scopes.length > 0 && scopes.every((scope) => scope === "*:read");
}

function refusedScope(scope: Json): Omit<Detail, "field"> {
  if (typeof scope !== "string") return { code: "INVALID_TYPE", message: "Must be text" };
  const message = scope === "*:*"
    ? "Must be `*` for full access"
    : `Must be \`*\`, a collection slug or \`*\` with :${ACTIONS.join(", :")}, or \`media\` with :${
      MEDIA_ACTIONS.join(", :")
    }`;
  return { code: "INVALID_SCOPE", message };
}
