/**
 * The scopes of OAuth grants: those of API tokens for `/mcp`, one by one, and `*` for the admin API.
 *
 * @module
 */
import type { Authority } from "../../model/entities/access.ts";
import type { Schema } from "../../model/entities/collection.ts";
import {
  ACTIONS,
  allows,
  allowsMedia,
  isScope,
  MEDIA_ACTIONS,
  SCIM_SCOPE,
  slugOfScope,
} from "../../model/entities/scope.ts";
import { coversScope } from "../../model/entities/token_cover.ts";

/** What a grant is for. */
export type OAuthResource = "mcp" | "admin";

/** Everything, for the admin API: what the user may do. */
const EVERYTHING = "*";

/** The scopes that a client may ask for. */
export const SUPPORTED_SCOPES: readonly string[] = [
  ...ACTIONS.map((action) => `*:${action}`),
  ...MEDIA_ACTIONS.map((action) => `media:${action}`),
  EVERYTHING,
];

/** The scopes of a request without any. */
const DEFAULT_SCOPES = ["*:read", "media:read"];

/** The scopes in a `scope` parameter; null if one of them does not exist for the resource. */
export function parseScope(text: string | undefined, resource: OAuthResource): string[] | null {
  const given = [...new Set((text ?? "").split(" ").filter((scope) => scope !== ""))];
  if (resource === "admin") {
    return given.every((scope) => scope === EVERYTHING) ? [EVERYTHING] : null;
  }
  if (given.length === 0) return DEFAULT_SCOPES;
  return given.every((scope) => isScope(scope) && scope !== SCIM_SCOPE) ? given : null;
}

/** The scopes that a user can consent to: one for each collection and action that was asked for and is theirs. */
export function offeredScopes(
  requested: readonly string[],
  resource: OAuthResource,
  authority: Authority,
  { collections, bySlug }: Pick<Schema, "collections" | "bySlug">,
): string[] {
  if (resource === "admin") return [EVERYTHING];
  const offered: string[] = [];
  for (const { slug, exposed } of collections) {
    if (!exposed) continue;
    for (const action of ACTIONS) {
      if (allows(requested, slug, action)) offered.push(`${slug}:${action}`);
    }
  }
  for (const action of MEDIA_ACTIONS) {
    if (allowsMedia(requested, action)) offered.push(`media:${action}`);
  }
  return effectiveScopes(offered, authority, { bySlug });
}

/**
 * Scopes as grants store them. They name collections by their ids, so they follow a collection to its new slug, and
 * another collection that gets its slug does not inherit them.
 */
export function storedScopes(
  scopes: readonly string[],
  { bySlug }: Pick<Schema, "bySlug">,
): string[] {
  return respelledScopes(scopes, (slug) => bySlug.get(slug)?.id);
}

/** The scopes of a grant with the present slugs; without those on collections that no longer exist. */
export function currentScopes(
  stored: readonly string[],
  { byId }: Pick<Schema, "byId">,
): string[] {
  return respelledScopes(stored, (id) => byId.get(id)?.slug);
}

function respelledScopes(
  scopes: readonly string[],
  nameOf: (name: string) => string | undefined,
): string[] {
  return scopes.flatMap((scope) => {
    const name = slugOfScope(scope);
    if (name === null) return [scope];
    const other = nameOf(name);
    return other === undefined ? [] : [`${other}${scope.slice(name.length)}`];
  });
}

/** The scopes among `scopes` that a request for `requested` ones covers. */
export function narrowedScopes(scopes: readonly string[], requested: readonly string[]): string[] {
  return scopes.filter((scope) =>
    requested.includes(scope) || requested.includes(EVERYTHING) ||
    (slugOfScope(scope) !== null && requested.includes(`*${scope.slice(scope.indexOf(":"))}`))
  );
}

/** The scopes that both the grant and its user have now. */
export function effectiveScopes(
  scopes: readonly string[],
  authority: Authority,
  schema: Pick<Schema, "bySlug">,
): string[] {
  return scopes.filter((scope) => coversScope(authority, scope, schema));
}
