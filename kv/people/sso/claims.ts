/**
 * What an OpenID provider says of a user, and what follows from it: a pure question.
 *
 * @module
 */
import { type Access, normalizeEmail, type Role } from "../../model/entities/access.ts";
import type { Provider } from "../../model/people/auth_settings.ts";
import type { User } from "../../model/people/user.ts";

/** The claims that matter. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  email: string | null;
  /** Only the JSON value `true` counts. */
  isVerified: boolean;
  name: string | null;
  /** Null if the claim is absent. */
  groups: string[] | null;
}

/** Why a sign-in is refused. */
export type SignInRefusal =
  | "not_provisioned"
  | "address_not_verified"
  | "address_in_use"
  | "domain_not_allowed"
  | "disabled"
  | "no_role";

/** What a sign-in leads to. */
export type SignInDecision =
  | { outcome: "sign-in" | "link"; user: User }
  | { outcome: "provision"; email: string; roles: Role[] }
  | { outcome: "refuse"; reason: SignInRefusal };

const refuse = (reason: SignInRefusal): SignInDecision => ({ outcome: "refuse", reason });

/** What the claims of a sign-in lead to. */
export function decideSignIn(
  access: Access,
  provider: Provider,
  claims: ProviderClaims,
): SignInDecision {
  const known = userOfIdentity(access, claims);
  if (known !== undefined) {
    return known.disabledAt === undefined
      ? { outcome: "sign-in", user: known }
      : refuse("disabled");
  }
  const { email } = claims;
  const user = email === null ? undefined : access.userByEmail(email);
  if (user === undefined && !provider.provision) return refuse("not_provisioned");
  if (user !== undefined && provider.link === "never") return refuse("address_in_use");
  if (email === null) return refuse("address_not_verified");
  const domains = provider.domains ?? [];
  if (domains.length > 0 && !domains.includes(domainOf(email))) return refuse("domain_not_allowed");
  if (provider.link !== "trusted" && !claims.isVerified) return refuse("address_not_verified");
  if (user !== undefined) {
    if (user.disabledAt !== undefined) return refuse("disabled");
    const isTaken = user.identities?.some((one) => one.provider === provider.id) ?? false;
    return isTaken ? refuse("address_in_use") : { outcome: "link", user };
  }
  const mapped = mappedRoles(access, provider, claims.groups ?? []);
  const initial = provider.defaultRole === null
    ? undefined
    : access.roleByName(provider.defaultRole);
  const roles = mapped.length > 0 || initial === undefined ? mapped : [initial];
  return roles.length === 0 ? refuse("no_role") : { outcome: "provision", email, roles };
}

/** The user who has an identity. */
export function userOfIdentity(
  { users }: Access,
  { issuer, subject }: Pick<ProviderClaims, "issuer" | "subject">,
): User | undefined {
  for (const user of users.values()) {
    if (user.identities?.some((one) => one.issuer === issuer && one.subject === subject)) {
      return user;
    }
  }
  return undefined;
}

/** The roles that groups give. */
function mappedRoles(
  access: Access,
  { roles }: Provider,
  groups: readonly string[],
): Role[] {
  const found = roles.filter(({ group }) => groups.includes(group))
    .flatMap(({ role }) => access.roleByName(role) ?? []);
  return [...new Set(found)];
}

/** The roles that a user is to have after a sign-in: groups decide about those that the mapping names. */
export function syncedRoles(
  access: Access,
  provider: Provider,
  user: User,
  groups: readonly string[] | null,
): Role[] {
  const held = access.rolesOf(user.id);
  if (!provider.syncRoles || groups === null || provider.roles.length === 0) return held;
  const named = new Set(provider.roles.flatMap(({ role }) => access.roleByName(role)?.id ?? []));
  const kept = held.filter(({ id }) => !named.has(id));
  return [...kept, ...mappedRoles(access, provider, groups)];
}

function domainOf(email: string): string {
  return normalizeEmail(email).split("@").at(-1) ?? "";
}
