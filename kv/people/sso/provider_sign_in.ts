/**
 * Signing in through an OpenID provider: finding, linking or creating the user, and bringing their roles up to date.
 *
 * @module
 */
import { stageAccess, stageUser } from "../access.ts";
import {
  type Access,
  isAdministratorRole,
  nameOfEmail,
  type Role,
} from "../../model/entities/access.ts";
import type { Provider } from "../../model/people/auth_settings.ts";
import type { Identity } from "../../model/people/factors.ts";
import { hasCredentials, type User } from "../../model/people/user.ts";
import { sameJson } from "../../model/values/same_json.ts";
import type { People } from "../people.ts";
import { refuseLockOut } from "../sign_in_policy.ts";
import { signInRules } from "../sign_in_ways.ts";
import { changedGrants, getUser, newUser, refuseFullSite } from "../users.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { Refusal } from "../../refusals.ts";
import type { Transaction } from "../../versioning/transaction.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import {
  decideSignIn,
  type ProviderClaims,
  type SignInRefusal,
  syncedRoles,
  userOfIdentity,
} from "./claims.ts";

/** The user whom a sign-in is of, as they are afterwards; or why it is refused. */
export async function signInThrough(
  { context, access }: People,
  provider: Provider,
  claims: ProviderClaims,
): Promise<User | SignInRefusal> {
  const summary = `signed in through ${provider.name}`;
  const decided = decideSignIn(await access.current(), provider, claims);
  if (decided.outcome === "refuse") return decided.reason;
  const userId = decided.outcome === "provision" ? null : decided.user.id;
  return await versionedWrite(context, { userId }, async (transaction) => {
    const current = await access.of(transaction);
    const decision = decideSignIn(current, provider, claims);
    if (decision.outcome === "refuse") return decision.reason;
    if (decision.outcome === "provision") {
      return await stageProvisioned(transaction, current, provider, claims, decision);
    }
    const before = decision.user;
    const identity = decision.outcome === "link"
      ? identityOf(provider, claims, transaction.at)
      : null;
    const user = withClaims(before, provider, claims, identity);
    const users = new Map<string, User>();
    if (!sameJson(user, before)) {
      user.updatedAt = Math.max(transaction.at, before.updatedAt);
      users.set(user.id, user);
    }
    const wanted = syncedRoles(current, provider, before, claims.groups);
    const roles = withLastAdministrator(current, user.id, wanted);
    const grants = changedGrants(transaction, current, user.id, roles);
    if (users.size > 0 || grants.size > 0) {
      await stageAccess(transaction, current, { users, grants }, { summary });
    }
    return user;
  });
}

/** Links an identity to the user of a session; false if it is another user's. */
export async function linkIdentity(
  { context, access }: People,
  provider: Provider,
  claims: ProviderClaims,
  userId: string,
): Promise<boolean> {
  return await versionedWrite(context, { userId }, async (transaction) => {
    const current = await access.of(transaction);
    const owner = userOfIdentity(current, claims);
    if (owner !== undefined) return owner.id === userId;
    const before = getUser(current, userId);
    if (before.disabledAt !== undefined) return false;
    const others = before.identities?.filter((one) => one.provider !== provider.id) ?? [];
    const identities = [...others, identityOf(provider, claims, transaction.at)];
    const summary = `linked to ${provider.name}`;
    await stageUser(transaction, current, { ...before, identities }, summary);
    return true;
  });
}

/**
 * Removes the identity that a user has at a provider.
 *
 * @throws {Refusal} CONFLICT if it is the user's last way in.
 */
export async function unlinkIdentity(
  { context, access, settings }: People,
  actor: Actor & { userId: string },
  providerId: string,
): Promise<void> {
  await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, actor.userId);
    const own = before.identities?.find(({ provider }) => provider === providerId);
    if (own === undefined) throw new Refusal("NOT_FOUND");
    const { identities = [], ...rest } = before;
    const others = identities.filter((one) => one !== own);
    const user: User = { ...rest, ...(others.length > 0 && { identities: others }) };
    if (!hasCredentials(user)) {
      throw new Refusal("CONFLICT", { about: "it is your last way to sign in" });
    }
    refuseLockOut(signInRules(context, await settings.of(transaction)), current, user);
    await stageUser(transaction, current, user, `unlinked from ${own.name}`);
  });
}

async function stageProvisioned(
  transaction: Transaction,
  current: Access,
  provider: Provider,
  claims: ProviderClaims,
  { email, roles }: { email: string; roles: Role[] },
): Promise<User> {
  refuseFullSite(current);
  const id = transaction.newId();
  const displayName = claims.name ?? nameOfEmail(email);
  const created = newUser(transaction, id, { email, displayName, passwordHash: null });
  const user = { ...created, identities: [identityOf(provider, claims, transaction.at)] };
  const grants = changedGrants(transaction, current, id, roles);
  const summary = `signed in through ${provider.name}`;
  await stageAccess(transaction, current, { users: new Map([[id, user]]), grants }, { summary });
  return user;
}

function withClaims(
  before: User,
  { syncProfile }: Provider,
  { name }: ProviderClaims,
  identity: Identity | null,
): User {
  const user = { ...before };
  if (syncProfile && name !== null) user.displayName = name;
  if (identity !== null) user.identities = [...before.identities ?? [], identity];
  return user;
}

function identityOf(
  { id, name }: Provider,
  { issuer, subject, email }: ProviderClaims,
  at: number,
): Identity {
  return { provider: id, name, issuer, subject, email, linkedAt: at };
}

/** The roles that a user is to have, with those of an administrator that the last one keeps. */
function withLastAdministrator(access: Access, userId: string, wanted: readonly Role[]): Role[] {
  const isLast = access.administrators().every(({ id }) => id === userId);
  const kept = isLast ? access.rolesOf(userId).filter(isAdministratorRole) : [];
  return [...wanted, ...kept];
}
