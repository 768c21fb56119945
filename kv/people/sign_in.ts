/**
 * Signing in: whose address and password these are. An unknown address takes as long as a wrong
 * password.
 *
 * @module
 */
import { stageAccess } from "./access.ts";
import type { Access, User } from "../model/entities/access.ts";
import type { People } from "./people.ts";
import { invalid } from "../refusals.ts";
import { mayUsePassword, signInRules } from "./sign_in_ways.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Why a password is refused. It is for logs only: responses do not reveal it. */
export type PasswordFault =
  | "unknown_address"
  | "wrong_password"
  | "no_password"
  | "disabled"
  | "password_not_allowed";

/** The user with this address and password in a snapshot of users, or why they cannot sign in with it. */
export async function findByPassword(
  people: People,
  email: string,
  password: string,
): Promise<{ user: User; access: Access } | PasswordFault> {
  const access = await people.access.current();
  const user = access.userByEmail(email);
  const { valid, stale } = await people.passwords.verify(password, user?.passwordHash ?? null);
  if (user === undefined) return "unknown_address";
  if (user.disabledAt !== undefined) return "disabled";
  if (!valid) return user.passwordHash === null ? "no_password" : "wrong_password";
  const rules = signInRules(people.context, await people.settings.values());
  if (!mayUsePassword(rules, access, user.id)) return "password_not_allowed";
  if (stale) await renewHash(people, user, password);
  return { user, access };
}

/** Whether a password is the user's own; counted like an attempt to sign in. */
export async function isOwnPassword(
  { context, access, passwords, attempts, settings }: People,
  userId: string,
  given: string,
): Promise<boolean> {
  await attempts.confirm(userId);
  const current = await access.current();
  const { valid } = await passwords.verify(given, current.users.get(userId)?.passwordHash ?? null);
  return valid && mayUsePassword(signInRules(context, await settings.values()), current, userId);
}

/**
 * Makes sure that the owner of a session asks for a change: by their current password, or by a recent proof.
 *
 * @throws {Refusal} VALIDATION_FAILED when the password is wrong, or is needed and was not given.
 */
export async function confirmOwnPassword(
  people: People,
  { userId, isProven }: { userId: string; isProven: boolean },
  given: string | undefined,
): Promise<void> {
  if (given === undefined) {
    if (isProven) return;
    throw invalid("currentPassword", "REQUIRED", "Enter your current password too");
  }
  if (!(await isOwnPassword(people, userId, given))) {
    throw invalid("currentPassword", "INVALID_CHOICE", "This is not your current password");
  }
}

/** Hashes the password again at the current cost, unless it has changed. */
async function renewHash(
  { context, access, passwords }: People,
  { id, passwordId }: User,
  password: string,
): Promise<void> {
  const passwordHash = await passwords.hash(password);
  await versionedWrite(context, { userId: id }, async (transaction) => {
    const current = await access.of(transaction);
    const user = current.users.get(id);
    if (user === undefined || user.passwordId !== passwordId) return;
    const users = new Map([[id, { ...user, passwordHash }]]);
    await stageAccess(transaction, current, { users }, { summary: "password hash renewed" });
  });
}
