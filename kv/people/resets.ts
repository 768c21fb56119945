/**
 * Choosing a password without having one: by a token that was mailed, works once, and for an hour. It
 * dies with any other change of the password.
 *
 * @module
 */
import { stageUser } from "./access.ts";
import { stageAccountMail } from "./account_mail.ts";
import { type Context, seconds } from "../context.ts";
import { resetKey } from "../keys.ts";
import { type Access, normalizeEmail, type User } from "../model/entities/access.ts";
import { credentialStamp, hasCredentials, hasStamp } from "../model/people/user.ts";
import { newSecret, secretHash } from "../model/values/token_text.ts";
import { commitAudited } from "../versioning/audit.ts";
import type { AuditNote } from "../model/audit_note.ts";
import type { People } from "./people.ts";
import { refuseWeakPassword } from "./password_rules.ts";
import type { PasswordFault } from "./sign_in.ts";
import { mayUsePassword, signInRules } from "./sign_in_ways.ts";
import { invalid, Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Seconds a token works. */
const RESET_SECONDS = 60 * 60;

interface ResetRow {
  userId: string;
  /** The user's credential stamp: a token is void once it has changed. */
  stamp: string;
  /** The address that the token was sent to; a new address voids it. Older rows lack it. */
  email?: string;
  /** Epoch seconds. */
  expiresAt: number;
}

/** Asks for a mail to the user with this address; does as much work when there is none. */
export async function requestReset(
  { context, access, settings }: People,
  email: string,
): Promise<void> {
  const [current, values] = await Promise.all([access.current(), settings.values()]);
  const user = current.userByEmail(email);
  const operation = new Operation();
  const mayUse = mayUsePassword(signInRules(context, values), current, user?.id ?? "");
  const reason = resetFault(user, mayUse);
  if (user !== undefined && reason === null) {
    stageAccountMail(operation, context, { kind: "password_reset", userId: user.id });
  } else {
    context.log.info("password reset not sent", { reason, userId: user?.id ?? null });
    const row: ResetRow = { userId: "", stamp: "", expiresAt: 0 };
    operation.set(resetKey(secretHash(normalizeEmail(email))), row, { expireIn: 1_000 });
  }
  await context.store.commit(operation);
}

function resetFault(user: User | undefined, mayUse: boolean): PasswordFault | null {
  if (user === undefined) return "unknown_address";
  if (user.disabledAt !== undefined) return "disabled";
  return mayUse ? null : "password_not_allowed";
}

/** Makes a token for a user; null if the user no longer exists or is disabled. */
export async function issueReset(
  { context, access }: Pick<People, "context" | "access">,
  userId: string,
  audit?: AuditNote,
): Promise<{ token: string; user: User; expiresAt: number } | null> {
  const user = (await access.current()).users.get(userId);
  if (user === undefined || user.disabledAt !== undefined) return null;
  const token = newSecret();
  const expiresAt = seconds(context) + RESET_SECONDS;
  const row: ResetRow = { userId, stamp: credentialStamp(user), email: user.email, expiresAt };
  const operation = new Operation()
    .set(resetKey(secretHash(token)), row, { expireIn: RESET_SECONDS * 1000 });
  await commitAudited(context.store, operation, audit);
  return { token, user, expiresAt };
}

/**
 * Creates a token for an invited user, to be sent by other means than
 * mail.
 *
 * @throws {Refusal} NOT_FOUND, or CONFLICT when they have chosen a password already.
 */
export async function issueInvitation(
  people: Pick<People, "context" | "access">,
  userId: string,
  audit?: AuditNote,
): Promise<{ token: string; expiresAt: number }> {
  const user = (await people.access.current()).users.get(userId);
  if (user?.disabledAt !== undefined) {
    throw new Refusal("CONFLICT", { about: "the user is disabled" });
  }
  if (user !== undefined && !hasCredentials(user)) {
    const issued = await issueReset(people, userId, audit);
    if (issued !== null) return issued;
  } else if (user !== undefined) {
    throw new Refusal("CONFLICT", { about: "the invitation has been accepted" });
  }
  throw new Refusal("NOT_FOUND");
}

/**
 * Sets a password by a token, which is used up by the same commit; every session of the user ends. `audited` makes the
 * note for the audit log.
 *
 * @throws {Refusal} VALIDATION_FAILED when the token is unknown, used or expired.
 */
export async function confirmReset(
  { context, access, passwords, settings }: People,
  token: string,
  password: string,
  audited: (userId: string) => AuditNote | undefined = () => undefined,
): Promise<void> {
  const key = resetKey(secretHash(token));
  const found = await context.store.get<ResetRow>(key);
  const { id: userId } = userOfReset(context, await access.current(), found.value);
  await refuseWeakPassword(settings, password);
  const passwordHash = await passwords.hash(password);
  const actor = { userId, audit: audited(userId) };
  await versionedWrite(context, actor, async (transaction) => {
    const { value } = await transaction.get<ResetRow>(key);
    const current = await access.of(transaction);
    const before = userOfReset(context, current, value);
    const user: User = { ...before, passwordHash, passwordId: transaction.newId() };
    const summary = !hasCredentials(before) ? "invitation accepted" : "password reset";
    await stageUser(transaction, current, user, summary);
    transaction.operation.delete(key);
  });
}

function userOfReset(context: Context, access: Access, row: ResetRow | null): User {
  const user = row === null || row.expiresAt <= seconds(context)
    ? undefined
    : access.users.get(row.userId);
  const isAddressed = row?.email === undefined || row.email === user?.email;
  if (!hasStamp(user, row?.stamp) || !isAddressed) {
    throw invalid("token", "INVALID_REFERENCE", "The token is unknown, used or expired");
  }
  return user;
}
