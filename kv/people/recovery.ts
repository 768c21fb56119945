/**
 * Recovery links: an operator with access to the store makes one for a user who has lost every way in. It signs
 * them in once, without their factors, and leads to setting up a passkey.
 *
 * @module
 */
import { readAccess, stageUser } from "./access.ts";
import { type Context, seconds } from "../context.ts";
import { type Key, resetKey } from "../keys.ts";
import { UNATTENDED } from "../model/entities/entity.ts";
import { credentialStamp, hasStamp, type User } from "../model/people/user.ts";
import { newSecret, secretHash } from "../model/values/token_text.ts";
import type { People } from "./people.ts";
import { Refusal } from "../refusals.ts";
import { findRow, takeRow } from "./expiring_rows.ts";
import { isReachable, signInRules } from "./sign_in_ways.ts";
import { readSettings, Settings } from "../sources/settings.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Seconds a link works. */
const RECOVERY_SECONDS = 15 * 60;

interface RecoveryRow {
  userId: string;
  stamp: string;
  expiresAt: number;
}

/**
 * Makes a link's token, and ends the sessions of its user. `allowPasswords` also lets everyone use a password
 * again.
 *
 * @throws {Refusal} NOT_FOUND without such a user; CONFLICT if they are disabled.
 */
export async function issueRecovery(
  { context, access, settings }: People,
  email: string,
  { allowPasswords }: { allowPasswords: boolean },
): Promise<string> {
  const token = newSecret();
  await versionedWrite(context, UNATTENDED, async (transaction) => {
    const current = await access.of(transaction);
    const before = current.userByEmail(email);
    if (before === undefined) {
      throw new Refusal("NOT_FOUND", { about: `no user has the email address ${email}` });
    }
    if (before.disabledAt !== undefined) {
      throw new Refusal("CONFLICT", { about: "the user is disabled" });
    }
    const user: User = { ...before, sessionsId: transaction.newId() };
    await stageUser(transaction, current, user, "recovery link created");
    if (allowPasswords) await settings.stage(transaction, { "auth.passwords": "everyone" });
    const expiresAt = seconds(context) + RECOVERY_SECONDS;
    const row: RecoveryRow = { userId: user.id, stamp: credentialStamp(user), expiresAt };
    transaction.operation.set(keyOf(token), row, { expireIn: RECOVERY_SECONDS * 1000 });
  });
  return token;
}

/** Uses a token up; answers its user, or null if it is unknown, used or expired. */
export async function useRecovery(
  { context, access }: Pick<People, "context" | "access">,
  token: string,
): Promise<User | null> {
  const entry = await findRow<RecoveryRow>(context, keyOf(token));
  if (entry === null) return null;
  const { userId, stamp } = entry.value;
  const user = (await access.current()).users.get(userId);
  return hasStamp(user, stamp) && await takeRow(context, entry) ? user : null;
}

/** Lets everyone use a password again, and turns all providers off. */
export async function resetSignIn({ context, settings }: People): Promise<void> {
  await settings.patch(UNATTENDED, { "auth.passwords": "everyone", "auth.providers": [] });
  context.log.info("sign-in settings reset");
}

/** Lets everyone use a password again if no administrator has a way in: what an import brings can be of another site. */
export async function keepReachable(context: Context): Promise<void> {
  const [values, access] = await Promise.all([readSettings(context), readAccess(context)]);
  const rules = signInRules(context, values);
  if (rules.passwords === "everyone" || isReachable(rules, access)) return;
  await new Settings(context).patch(UNATTENDED, { "auth.passwords": "everyone" });
  context.log.warn("auth.passwords is everyone: no administrator could sign in");
}

/** A token for a recovery is none for a password. */
function keyOf(token: string): Key {
  return resetKey(secretHash(`recovery ${token}`));
}
