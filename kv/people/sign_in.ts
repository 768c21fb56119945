/**
 * Signing in: whose address and password these are. An unknown address takes as long as a wrong
 * password.
 *
 * @module
 */
import { stageAccess } from "./access.ts";
import type { User } from "../model/access.ts";
import type { People } from "./people.ts";
import { versionedWrite } from "../versioned_write.ts";

/** The user with this address and password, or null. */
export async function findByPassword(
  people: People,
  email: string,
  password: string,
): Promise<User | null> {
  const user = (await people.access.current()).userByEmail(email);
  const { valid, stale } = await people.passwords.verify(password, user?.passwordHash ?? null);
  if (user === undefined || !valid) return null;
  if (stale) await renewHash(people, user, password);
  return user;
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
