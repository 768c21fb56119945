/**
 * Users: inviting, changing and deleting them. Users cannot grant, change or revoke what they do not
 * have themselves.
 *
 * @module
 */
import { passkeyUseKey } from "../keys.ts";
import { USER_ROLES_MAX, USERS_MAX } from "../limits/people.ts";
import { sameJson } from "../model/values/same_json.ts";
import { stageAccess } from "./access.ts";
import { needsConfirmation } from "./address_change.ts";
import { stageAccountMail } from "./account_mail.ts";
import {
  type Access,
  type Authority,
  type Grant,
  isAdministratorRole,
  refuseBeyond,
  type Role,
  type User,
} from "../model/entities/access.ts";
import { passkeysOf } from "../model/people/factors.ts";
import { hasCredentials, type NotificationEmails } from "../model/people/user.ts";
import type { Json } from "../model/entities/entity.ts";
import type { NewUser, UserPatch } from "../model/input/user_input.ts";
import type { People } from "./people.ts";
import { type Detail, Refusal } from "../refusals.ts";
import { refuseWeakPassword } from "./password_rules.ts";
import { refuseUnreachableAdministrator } from "./sign_in_policy.ts";
import { signInRules } from "./sign_in_ways.ts";
import { stageKeptSession } from "./sessions.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** A user as the admin API shows them. */
export interface UserView {
  id: string;
  email: string;
  displayName: string;
  /** Names, in order. */
  roles: string[];
  /** Whether an invitation waits to be accepted. */
  invited: boolean;
  /** When the user was disabled, epoch seconds; or null. */
  disabledAt: number | null;
  notificationEmails: NotificationEmails;
  createdAt: number;
  updatedAt: number;
}

/** A user without their password. */
export function userView(access: Access, user: User): UserView {
  const { id, email, displayName, disabledAt = null, createdAt, updatedAt } = user;
  const { notificationEmails = "immediate" } = user;
  const roles = access.rolesOf(id).map(({ name }) => name);
  const invited = !hasCredentials(user);
  const times = { createdAt, updatedAt };
  return { id, email, displayName, roles, invited, disabledAt, notificationEmails, ...times };
}

/** All users, in order of name. */
export function listUsers(access: Access): UserView[] {
  return usersInOrder(access).map((user) => userView(access, user));
}

const ORDER = new Intl.Collator("en");
const inOrder = new WeakMap<Access, readonly User[]>();

/** All users in order of name, sorted once for each state of the access graph. */
export function usersInOrder(access: Access): readonly User[] {
  let users = inOrder.get(access);
  if (users === undefined) {
    users = [...access.users.values()]
      .sort((a, b) => ORDER.compare(a.displayName, b.displayName) || (a.id < b.id ? -1 : 1));
    inOrder.set(access, users);
  }
  return users;
}

/** The user with this id; refuses with NOT_FOUND. */
export function getUser(access: Access, id: string): User {
  const user = access.users.get(id);
  if (user === undefined) throw new Refusal("NOT_FOUND");
  return user;
}

/** Refuses with CONFLICT to add a user to a site that has as many as it may have. */
export function refuseFullSite({ users }: Access): void {
  if (users.size < USERS_MAX) return;
  throw new Refusal("CONFLICT", { about: `a site has at most ${USERS_MAX} users` });
}

/** Creates a user; without a password an invitation goes out to them. */
export async function createUser(
  people: People,
  authority: Authority,
  input: NewUser,
): Promise<UserView> {
  const { context, access, passwords, settings } = people;
  if (input.password !== undefined) await refuseWeakPassword(settings, input.password);
  const passwordHash = input.password === undefined ? null : await passwords.hash(input.password);
  return await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    refuseFullSite(current);
    const roles = rolesByName(current, input.roles);
    refuseBeyond(authority, roles);
    if (roles.some(isAdministratorRole)) {
      refuseUnreachableAdministrator(signInRules(context, await settings.of(transaction)), null);
    }
    const user = newUser(transaction, transaction.newId(), { ...input, passwordHash });
    const grants = changedGrants(transaction, current, user.id, roles);
    const users = new Map([[user.id, user]]);
    const next = await stageAccess(transaction, current, { users, grants });
    if (passwordHash === null) {
      stageAccountMail(transaction.operation, context, { kind: "invitation", userId: user.id });
    }
    return userView(next, user);
  });
}

/** The first state of a user. */
export function newUser(
  transaction: Transaction,
  id: string,
  input: { email: string; displayName: string; passwordHash: string | null },
): User {
  const { email, displayName, passwordHash } = input;
  return {
    id,
    email,
    displayName,
    passwordHash,
    passwordId: passwordHash === null ? null : transaction.newId(),
    createdAt: transaction.at,
    updatedAt: transaction.at,
  };
}

/**
 * Changes a user, but for an address that has to be confirmed first. A new password ends their sessions but
 * `keptSession`. Without `users.manage` one may
 * change oneself, but not one's roles.
 */
export async function patchUser(
  people: People,
  authority: Authority,
  id: string,
  patch: Omit<UserPatch, "currentPassword">,
  options: { keptSession?: string } = {},
): Promise<UserView> {
  const { context, access, passwords } = people;
  refuseUnlessMayChange(authority, id, patch);
  getUser(await access.current(), id);
  const { password } = patch;
  if (password !== undefined) await refuseWeakPassword(people.settings, password);
  const passwordHash = password === undefined ? undefined : await passwords.hash(password);
  return await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, id);
    if (id !== authority.userId) refuseBeyond(authority, current.rolesOf(id));
    const user: User = {
      ...withNotificationEmails(before, patch.notificationEmails),
      email: needsConfirmation(before, patch.email) ? before.email : patch.email ?? before.email,
      displayName: patch.displayName ?? before.displayName,
    };
    if (passwordHash !== undefined) {
      user.passwordHash = passwordHash;
      user.passwordId = transaction.newId();
      if (options.keptSession !== undefined) {
        await stageKeptSession(transaction, options.keptSession, user);
      }
    }
    const users = new Map<string, User>();
    if (!sameJson(user, before)) {
      user.updatedAt = Math.max(transaction.at, before.updatedAt);
      users.set(id, user);
    }
    const grants = newGrants(transaction, current, authority, id, patch.roles);
    if (makesAdministrator(current, id, patch.roles)) {
      refuseUnreachableAdministrator(
        signInRules(context, await people.settings.of(transaction)),
        before,
      );
    }
    const summary = passwordHash === undefined ? {} : { summary: "password changed" };
    const next = await stageAccess(transaction, current, { users, grants }, summary);
    // The former invitation went to another address, and is void.
    if (!hasCredentials(user) && user.email !== before.email) {
      stageAccountMail(transaction.operation, context, { kind: "invitation", userId: id });
    }
    return userView(next, user);
  });
}

/** A user who gets emails about reviews and mentions at another time. */
function withNotificationEmails(user: User, wanted: NotificationEmails | undefined): User {
  if (wanted === undefined) return user;
  const { notificationEmails: _before, ...rest } = user;
  return wanted === "immediate" ? rest : { ...rest, notificationEmails: wanted };
}

/** Deletes a user together with their roles; their sessions end by that. */
export async function removeUser(people: People, authority: Authority, id: string): Promise<void> {
  const { context, access } = people;
  await versionedWrite(context, authority, async (transaction) => {
    const current = await access.of(transaction);
    for (const passkey of passkeysOf(getUser(current, id))) {
      transaction.operation.delete(passkeyUseKey(id, passkey.id));
    }
    refuseBeyond(authority, current.rolesOf(id));
    const grants = changedGrants(transaction, current, id, []);
    await stageAccess(transaction, current, { users: new Map([[id, null]]), grants });
  });
}

/** Whether roles of these names make a user an administrator who is none. */
function makesAdministrator(access: Access, id: string, names: readonly string[] = []): boolean {
  if (access.authorityOf(id).administrator) return false;
  return rolesByName(access, names).some(isAdministratorRole);
}

function refuseUnlessMayChange(authority: Authority, id: string, patch: UserPatch): void {
  if (authority.permissions.has("users.manage")) return;
  if (id !== authority.userId || patch.roles !== undefined) throw new Refusal("FORBIDDEN");
}

/** The failures of names, as a body gives them, that no role has. */
export function unknownRoles(access: Access, given: Json | undefined): Detail[] {
  if (!Array.isArray(given) || given.length > USER_ROLES_MAX) return [];
  return given.flatMap((name, index) => {
    if (typeof name !== "string" || access.roleByName(name.trim()) !== undefined) return [];
    const message = "There is no such role";
    return [{ field: `roles.${index}`, code: "INVALID_CHOICE" as const, message }];
  });
}

/** Roles by their names; all unknown names are refused together. */
function rolesByName(access: Access, names: readonly string[]): Role[] {
  const details = unknownRoles(access, [...names]);
  if (details.length > 0) throw new Refusal("VALIDATION_FAILED", { details });
  return [...new Set(names.flatMap((name) => access.roleByName(name) ?? []))];
}

/** The grants that change when a user is to have the roles of these names. */
function newGrants(
  transaction: Transaction,
  access: Access,
  authority: Authority,
  userId: string,
  names: readonly string[] | undefined,
): Map<string, Grant | null> {
  if (names === undefined) return new Map();
  const before = access.rolesOf(userId);
  const after = rolesByName(access, names);
  refuseBeyond(authority, after.filter((role) => !before.includes(role)));
  return changedGrants(transaction, access, userId, after);
}

/** The grants that change when a user is to have exactly these roles. */
export function changedGrants(
  transaction: Transaction,
  access: Access,
  userId: string,
  roles: readonly Role[],
): Map<string, Grant | null> {
  const wanted = new Set(roles.map(({ id }) => id));
  const changes = new Map<string, Grant | null>();
  for (const grant of access.grants.values()) {
    if (grant.userId !== userId) continue;
    if (!wanted.delete(grant.roleId)) changes.set(grant.id, null);
  }
  for (const roleId of wanted) {
    const id = transaction.newId();
    changes.set(id, { id, userId, roleId });
  }
  return changes;
}
