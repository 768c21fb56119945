/**
 * Users and their roles as a directory decides them. A directory never deletes a user, and cannot take the last
 * administrator away.
 *
 * @module
 */
import { USER_ROLES_MAX } from "../limits/people.ts";
import { stageAccess } from "./access.ts";
import { stageAccountMail } from "./account_mail.ts";
import {
  type Access,
  type Grant,
  isAdministratorRole,
  type Role,
} from "../model/entities/access.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { User } from "../model/people/user.ts";
import { sameJson } from "../model/values/same_json.ts";
import type { People } from "./people.ts";
import { refuseUnreachableAdministrator } from "./sign_in_policy.ts";
import { signInRules } from "./sign_in_ways.ts";
import { getUser, newUser, refuseFullSite } from "./users.ts";
import { Refusal } from "../refusals.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** A user as a directory knows them. */
export interface ProvisionedUser {
  email: string;
  displayName: string;
  externalId: string | null;
  isActive: boolean;
}

/** Creates a user without roles. They are invited if they may use a password. */
export async function provisionUser(
  { context, access, settings }: People,
  actor: Actor,
  input: ProvisionedUser,
): Promise<User> {
  return await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    refuseFullSite(current);
    const created = newUser(transaction, transaction.newId(), { ...input, passwordHash: null });
    const user = withProvisioned(created, input, transaction.at, () => transaction.newId());
    await stageAccess(transaction, current, { users: new Map([[user.id, user]]) });
    const values = await settings.of(transaction);
    if (input.isActive && values.get("auth.passwords") === "everyone") {
      stageAccountMail(transaction.operation, context, { kind: "invitation", userId: user.id });
    }
    return user;
  });
}

/**
 * Changes a user as a directory says.
 *
 * @param change Answers what the user is to be, from what they are; it may refuse, and run again.
 */
export async function changeProvisioned(
  { context, access }: People,
  actor: Actor,
  id: string,
  change: (before: ProvisionedUser, user: User, current: Access) => Promise<ProvisionedUser>,
): Promise<User> {
  return await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, id);
    const input = await change(provisionedOf(before), before, current);
    const user = withProvisioned(before, input, transaction.at, () => transaction.newId());
    if (sameJson(user, before)) return before;
    user.updatedAt = Math.max(transaction.at, before.updatedAt);
    await stageAccess(transaction, current, { users: new Map([[id, user]]) });
    return user;
  });
}

/** A stored user as a directory knows them. */
function provisionedOf(
  { email, displayName, externalId, disabledAt }: User,
): ProvisionedUser {
  return {
    email,
    displayName,
    externalId: externalId ?? null,
    isActive: disabledAt === undefined,
  };
}

/**
 * Gives a role to exactly these users.
 *
 * @param change Answers the users who are to have the role, from those who have it; it may refuse, and run again.
 */
export async function changeMembers(
  { context, access, settings }: People,
  actor: Actor,
  roleId: string,
  change: (before: ReadonlySet<string>, role: Role, current: Access) => ReadonlySet<string>,
): Promise<void> {
  await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const role = current.roles.get(roleId);
    if (role === undefined) throw new Refusal("NOT_FOUND");
    const held = [...current.grants.values()].filter((grant) => grant.roleId === roleId);
    const before = new Set(held.map(({ userId }) => userId));
    const after = change(before, role, current);
    const grants = new Map<string, Grant | null>();
    for (const { id, userId } of held) if (!after.has(userId)) grants.set(id, null);
    for (const userId of after) {
      if (before.has(userId)) continue;
      const user = getUser(current, userId);
      if (current.rolesOf(userId).length >= USER_ROLES_MAX) {
        throw new Refusal("CONFLICT", { about: `a user has at most ${USER_ROLES_MAX} roles` });
      }
      if (isAdministratorRole(role)) {
        refuseUnreachableAdministrator(signInRules(context, await settings.of(transaction)), user);
      }
      const id = transaction.newId();
      grants.set(id, { id, userId, roleId });
    }
    if (grants.size > 0) await stageAccess(transaction, current, { grants });
  });
}

function withProvisioned(
  before: User,
  { email, displayName, externalId, isActive }: ProvisionedUser,
  at: number,
  newId: () => string,
): User {
  const { externalId: _externalId, disabledAt, ...rest } = before;
  const user: User = { ...rest, email, displayName };
  if (externalId !== null) user.externalId = externalId;
  if (isActive) return user;
  if (disabledAt !== undefined) return { ...user, disabledAt };
  return { ...user, disabledAt: at, sessionsId: newId() };
}
