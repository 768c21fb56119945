/**
 * Signing in: whose address and password these are. An unknown address takes as long as a wrong
 * password.
 *
 * @module
 */
import { stageAccess } from "./access.ts";
import { seconds } from "../context.ts";
import type { Access, User } from "../model/access.ts";
import type { People } from "./people.ts";
import { invalid } from "../refusals.ts";
import { versionedWrite } from "../versioned_write.ts";

/** The user with this address and password, among those who were there then; null when there is none. */
export async function findByPassword(
  people: People,
  email: string,
  password: string,
): Promise<{ user: User; access: Access } | null> {
  const access = await people.access.current();
  const user = access.userByEmail(email);
  const { valid, stale } = await people.passwords.verify(password, user?.passwordHash ?? null);
  if (user === undefined || !valid) return null;
  if (stale) await renewHash(people, user, password);
  return { user, access };
}

/** Seconds after signing in for which nobody is asked for their password again. */
const FRESH_SECONDS = 15 * 60;

/**
 * Makes sure that a change of one's own password is asked for by who knows the present one: by naming it, or
 * by having signed in just now.
 *
 * @throws {Refusal} VALIDATION_FAILED when it is wrong, or was not given and the session is older.
 */
export async function confirmOwnPassword(
  { context, access, passwords }: People,
  { userId, createdAt }: { userId: string; createdAt: number },
  given: string | undefined,
): Promise<void> {
  if (given === undefined) {
    if (seconds(context) - createdAt < FRESH_SECONDS) return;
    throw invalid("currentPassword", "REQUIRED", "Say the present password too");
  }
  const user = (await access.current()).users.get(userId);
  const { valid } = await passwords.verify(given, user?.passwordHash ?? null);
  if (!valid) {
    throw invalid("currentPassword", "INVALID_CHOICE", "That is not your present password");
  }
}

/** Hashes the password anew at today's cost, unless it was changed meanwhile. */
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
