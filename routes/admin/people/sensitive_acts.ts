/**
 * Every act of the admin API that a stolen session must not be enough for: each needs the user to have
 * signed in, or to have named their password, in the last quarter of an hour.
 *
 * @module
 */
import type { Context as HttpContext, MiddlewareHandler } from "@hono/hono";
import { isAdministratorName } from "../../../kv/model/entities/permission.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import type { EntityType } from "../../../kv/model/entities/entity_kinds.ts";
import { holdsFullAccess } from "../../../kv/model/entities/scope.ts";
import { OIDC_SECRET_PREFIX } from "../../../kv/model/entities/setting.ts";
import { Refusal } from "../../../kv/refusals.ts";
import type { AdminEnv } from "../../deps/admin_session.ts";
import { audited } from "./audit.ts";

/** The list. Each has the words that complete "Confirm your password to …". */
export const SENSITIVE_ACTS = {
  address: "change an email address",
  password: "change a password",
  factors: "change how you sign in",
  userFactors: "remove the sign-in factors of a user",
  authentication: "change how users sign in",
  invitation: "create a link that sets a password",
  administrator: "create an administrator",
  fullToken: "create or change a token with full access",
  export: "create a backup",
  download: "download a backup",
  import: "import a backup",
  siteRestore: "restore the site",
  accessRestore: "restore a version of users, roles, tokens or settings",
  publishers: "change the trusted publishers",
  siteUrl: "change the site URL that emails link to",
} as const;

/** One of {@linkcode SENSITIVE_ACTS}. */
export type SensitiveAct = keyof typeof SENSITIVE_ACTS;

/** Refuses a sensitive act with PROOF_REQUIRED unless the session is proven. */
export function requireProof(c: HttpContext<AdminEnv>, act: SensitiveAct): void {
  audited(c, act);
  if (c.get("session").isProven) return;
  throw new Refusal("PROOF_REQUIRED", { about: `confirm your password to ${SENSITIVE_ACTS[act]}` });
}

/** Middleware for a route whose every request is one act. */
export function proven(act: SensitiveAct): MiddlewareHandler<AdminEnv> {
  return async function provenMiddleware(c, next) {
    requireProof(c, act);
    await next();
  };
}

/** Whether the roles of a body include administrator, as yet unchecked. */
export function namesAdministrator(roles: Json | undefined): boolean {
  return Array.isArray(roles) &&
    roles.some((name) => typeof name === "string" && isAdministratorName(name));
}

/** Whether the scopes of a body, as yet unchecked, or of a token give full access. */
export function givesFullAccess(scopes: Json | undefined): boolean {
  return Array.isArray(scopes) && holdsFullAccess(scopes);
}

const SENSITIVE_SETTINGS: Readonly<Record<string, SensitiveAct>> = {
  "packages.publishers": "publishers",
  "site.url": "siteUrl",
};

/** The act that changing a setting is; undefined for most. */
export function settingAct(key: string): SensitiveAct | undefined {
  if (key.startsWith("auth.") || key.startsWith(OIDC_SECRET_PREFIX)) return "authentication";
  return SENSITIVE_SETTINGS[key];
}

/** Types of entities whose restored versions open or redirect access. */
export const SENSITIVE_TYPES: ReadonlySet<EntityType> = new Set<EntityType>([
  "user",
  "role",
  "user_role",
  "api_token",
  "setting",
]);
