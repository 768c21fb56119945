/**
 * Whether a user may grant what they request: scopes of tokens, documents sent to webhooks and
 * capabilities of packages never exceed the rights of the user who grants them.
 *
 * @module
 */
import { CAPABILITY_CHARS_MAX } from "../../limits/packages.ts";
import { Refusal } from "../../refusals.ts";
import type { Authority } from "./access.ts";
import type { Schema } from "./collection.ts";
import type { DocumentAction } from "./document_rights.ts";
import { AUDIT_EVENT } from "./webhook.ts";
import { MEDIA_READ } from "./capability.ts";
import { ACTIONS, holdsFullAccess, isScope, SCIM_SCOPE, slugOfScope } from "./scope.ts";

type Slugs = Pick<Schema, "bySlug">;

/** The rights on documents that an action of a scope gives a token. */
const MEANT_BY_ACTION: Readonly<Record<typeof ACTIONS[number], readonly DocumentAction[]>> = {
  read: ["read"],
  "read-drafts": ["read"],
  "read-history": ["read"],
  write: ["read", "create", "edit", "publish", "delete"],
};

/** Refuses scopes that give more than the user may do themselves. */
export function refuseScopesBeyond(
  authority: Authority,
  scopes: readonly string[],
  schema: Slugs,
  languages: readonly string[] | null = null,
): void {
  for (const scope of scopes) {
    if (!coversScope(authority, scope, schema, languages)) {
      throw beyond(`the scope ${scope}`);
    }
  }
}

/**
 * Whether a user may do everything that a scope allows in some languages, null for all; without `languages`, in those
 * that the user may write in.
 */
export function coversScope(
  authority: Authority,
  scope: string,
  schema: Slugs,
  languages?: readonly string[] | null,
): boolean {
  if (authority.administrator) return true;
  const { permissions } = authority;
  if (holdsFullAccess([scope])) {
    const everything = [...ACTIONS.map((action) => `*:${action}`), "media:read", "media:write"];
    return everything.every((one) => coversScope(authority, one, schema, languages));
  }
  if (!isScope(scope) || scope === SCIM_SCOPE) return false;
  const action = scope.slice(scope.indexOf(":") + 1);
  if (scope.startsWith("media:")) return permissions.has(`media.${action as "read" | "write"}`);
  if (action === "read-history" && !permissions.has("versions.read")) return false;
  const actions = MEANT_BY_ACTION[action as keyof typeof MEANT_BY_ACTION];
  return coversDocuments(authority, actions, slugOfScope(scope), schema, languages);
}

function coversDocuments(
  { documents }: Authority,
  actions: readonly DocumentAction[],
  slug: string | null,
  { bySlug }: Slugs,
  languages?: readonly string[] | null,
): boolean {
  const collectionId = slug === null ? null : bySlug.get(slug)?.id ?? null;
  return actions.every((action) => documents.allows(action, collectionId, languages));
}

/** The events of a webhook; collections by their slugs, null for all. */
interface Subscription {
  collections: readonly string[] | null;
  events: readonly string[];
}

/** Refuses a webhook that is sent events of what the user may not see: its filter can ask for any field. */
export function refuseEventsBeyond(
  authority: Authority,
  { collections, events }: Subscription,
  schema: Slugs,
): void {
  if (authority.administrator) return;
  const { permissions } = authority;
  if (events.includes(AUDIT_EVENT)) throw beyond("the audit log");
  if (events.includes("media.changed") && !permissions.has("media.read")) throw beyond("media");
  if (events.includes("schema.changed") && !permissions.has("collections.read")) {
    throw beyond("collections");
  }
  if (!events.some((event) => event.startsWith("document.") || event.startsWith("release."))) {
    return;
  }
  for (const slug of collections ?? [null]) {
    if (coversDocuments(authority, ["read"], slug, schema)) continue;
    throw beyond(slug === null ? "all collections" : `the collection ${slug}`);
  }
}

function beyond(about: string): Refusal {
  return new Refusal("FORBIDDEN", { about: `your roles do not cover ${about}` });
}

/** Refuses capabilities of a package that give it more than the user who accepts them may do. */
export function refuseCapabilitiesBeyond(
  authority: Authority,
  capabilities: readonly string[],
  schema: Slugs,
): void {
  if (authority.administrator) return;
  for (const capability of capabilities) {
    if (!coversCapability(authority, capability, schema)) {
      throw beyond(`the capability ${capability.slice(0, CAPABILITY_CHARS_MAX)}`);
    }
  }
}

function coversCapability(authority: Authority, capability: string, schema: Slugs): boolean {
  if (capability === MEDIA_READ) return authority.permissions.has("media.read");
  const [kind, action, slug = null] = capability.split(":");
  if (kind !== "content") return true;
  const actions: DocumentAction[] = action === "write" ? ["read", "create", "edit"] : ["read"];
  return coversDocuments(authority, actions, slug, schema);
}
