/**
 * Accounts as they were before an import, so that users hear of an address, a password or roles that the
 * backup has changed. An import replaces users row by row: afterwards nothing else tells what they were.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { findJob, namedJobId } from "../jobs/jobs.ts";
import type { Access, User } from "../model/entities/access.ts";
import { hasCredentials } from "../model/people/user.ts";
import { importAccountsPath } from "../objects/paths.ts";
import { stageAccountMail } from "../people/account_mail.ts";
import { changedKinds } from "../people/account_notices.ts";
import { readAccess } from "../people/access.ts";
import { type HeldLock, LockLost, underLock } from "./replay.ts";

/** Accounts whose notices one commit adds. */
const ACCOUNTS_PER_COMMIT = 50;

/** An account before an import. */
interface AccountBefore {
  user: Pick<User, "id" | "email" | "passwordId">;
  /** Names, because another site has other ids for the same roles. */
  roles: string[];
}

/** Records the accounts that have something to sign in with, before they are replaced. */
export async function recordAccounts(context: Context, importId: string): Promise<void> {
  const access = await readAccess(context);
  const accounts: AccountBefore[] = [...access.users.values()]
    .filter(hasCredentials)
    .map(({ id, email, passwordId }) => ({
      user: { id, email, passwordId },
      roles: roleNames(access, id),
    }));
  const body = new TextEncoder().encode(JSON.stringify(accounts));
  await context.objects.put(importAccountsPath(importId), body);
}

/** Sends the notices of what has changed to the addresses of before; repeated, it sends none twice. */
export async function noticeAccounts(
  context: Context,
  holding: Promise<HeldLock>,
  importId: string,
): Promise<void> {
  const [lock, body, access] = await Promise.all([
    holding,
    context.objects.get(importAccountsPath(importId)),
    readAccess(context),
  ]);
  // An import that an earlier release began has recorded none.
  if (body === null) return;
  const accounts = JSON.parse(new TextDecoder().decode(body)) as AccountBefore[];
  for (let start = 0; start < accounts.length; start += ACCOUNTS_PER_COMMIT) {
    const operation = underLock(lock);
    for (const { user, roles } of accounts.slice(start, start + ACCOUNTS_PER_COMMIT)) {
      const next = access.users.get(user.id) ?? access.userByEmail(user.email);
      if (next === undefined) continue;
      const hasOtherRoles = roleNames(access, next.id).join() !== roles.join();
      for (const kind of changedKinds(user, next, hasOtherRoles)) {
        const id = namedJobId(`${lock.jobId} ${kind} ${user.id}`);
        if (await findJob(context.store, id) !== null) continue;
        stageAccountMail(operation, context, { kind, userId: next.id, email: user.email }, id);
      }
    }
    if (operation.mutations === 0) continue;
    if (!(await context.store.commit(operation)).ok) throw new LockLost("The lock was lost");
  }
}

function roleNames(access: Access, userId: string): string[] {
  return access.rolesOf(userId).map(({ name }) => name).sort();
}
