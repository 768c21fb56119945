/**
 * Notices about an account: whatever changes a user's address, password or roles tells them by mail, at the
 * address they had before, in the same commit. A change that they did not ask for is seen by that.
 *
 * @module
 */
import { stageAccountMail } from "./account_mail.ts";
import type { Context } from "../context.ts";
import type { Access, User } from "../model/access.ts";
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
    if (user === undefined || next === undefined || user.passwordHash === null) continue;
    for (const kind of noticesOf(user, next, { before, after })) {
      stageAccountMail(operation, context, { kind, userId, email: user.email });
    }
  }
}

function noticesOf(
  user: User,
  next: User,
  { before, after }: { before: Access; after: Access },
): AccountMail["kind"][] {
  const kinds: AccountMail["kind"][] = [];
  if (next.email !== user.email) kinds.push("address_changed");
  if (next.passwordId !== user.passwordId) kinds.push("password_changed");
  if (roleIds(before, user.id) !== roleIds(after, user.id)) kinds.push("roles_changed");
  return kinds;
}

function roleIds(access: Access, userId: string): string {
  return access.rolesOf(userId).map(({ id }) => id).sort().join();
}
