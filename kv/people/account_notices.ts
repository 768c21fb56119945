/**
 * Notices about an account: whatever changes a user's address, password or roles tells them by mail, at the
 * address they had before, in the same commit. A change that they did not ask for is seen by that.
 *
 * @module
 */
import { stageAccountMail } from "./account_mail.ts";
import type { Context } from "../context.ts";
import type { Access, User } from "../model/entities/access.ts";
import { passkeysOf } from "../model/people/factors.ts";
import { hasCredentials } from "../model/people/user.ts";
import type { AccountMail } from "../jobs/payloads.ts";
import type { Operation } from "../store/operation.ts";

/** Adds the notices of a change to its commit; `userIds` are those that it can concern. */
export function stageAccountNotices(
  operation: Operation,
  context: Context,
  { before, after, userIds }: { before: Access; after: Access; userIds: Iterable<string> },
): void {
  for (const userId of new Set(userIds)) {
    const user = before.users.get(userId);
    const next = after.users.get(userId);
    // A user who never signed in has nothing to lose.
    if (user === undefined || next === undefined || !hasCredentials(user)) continue;
    const hasOtherRoles = roleIds(before, userId) !== roleIds(after, userId);
    const kinds = [...changedKinds(user, next, hasOtherRoles), ...factorKinds(user, next)];
    for (const kind of kinds) {
      stageAccountMail(operation, context, { kind, userId, email: user.email });
    }
  }
}

/** The changes to an account that its user is notified of. */
export function changedKinds(
  before: Pick<User, "email" | "passwordId">,
  after: Pick<User, "email" | "passwordId">,
  hasOtherRoles: boolean,
): AccountMail["kind"][] {
  const kinds: AccountMail["kind"][] = [];
  if (after.email !== before.email) kinds.push("address_changed");
  if (after.passwordId !== before.passwordId) kinds.push("password_changed");
  if (hasOtherRoles) kinds.push("roles_changed");
  return kinds;
}

/** The changes to factors and identities that a user is notified of. */
function factorKinds(before: User, after: User): AccountMail["kind"][] {
  const kinds: AccountMail["kind"][] = [];
  const idsOf = (user: User) => new Set(passkeysOf(user).map(({ id }) => id));
  const [former, current] = [idsOf(before), idsOf(after)];
  if ([...current].some((id) => !former.has(id))) kinds.push("passkey_added");
  const isTotpGone = before.factors?.totp !== undefined && after.factors?.totp === undefined;
  if (isTotpGone || [...former].some((id) => !current.has(id))) kinds.push("factors_removed");
  const linked = new Set(before.identities?.map(({ provider }) => provider));
  if (after.identities?.some(({ provider }) => !linked.has(provider))) {
    kinds.push("identity_linked");
  }
  return kinds;
}

function roleIds(access: Access, userId: string): string {
  return access.rolesOf(userId).map(({ id }) => id).sort().join();
}
