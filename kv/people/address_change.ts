/**
 * A new email address of a user. It takes effect when a token that was mailed there comes back: until then
 * sign-in, resets and notices keep to the old one.
 *
 * @module
 */
import { stageUser } from "./access.ts";
import { stageAccountMail } from "./account_mail.ts";
import { type Context, seconds } from "../context.ts";
import { type Key, resetKey } from "../keys.ts";
import { type Access, normalizeEmail, type User } from "../model/entities/access.ts";
import { credentialStamp, hasCredentials } from "../model/people/user.ts";
import { newSecret, secretHash } from "../model/values/token_text.ts";
import { commitAudited } from "../versioning/audit.ts";
import type { AuditNote } from "../model/audit_note.ts";
import type { People } from "./people.ts";
import { invalid } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** Seconds a token works. */
const CONFIRMATION_SECONDS = 60 * 60;

interface AddressChangeRow {
  userId: string;
  email: string;
  /** The address that it replaces, and the user's stamp: a token is void once either has changed. */
  from: string;
  stamp: string;
  /** Epoch seconds. */
  expiresAt: number;
}

/** Whether a change of a user's address waits for its confirmation: the same letters in another case do not. */
export function needsConfirmation(user: User, email: string | undefined): email is string {
  return email !== undefined && hasCredentials(user) &&
    normalizeEmail(email) !== normalizeEmail(user.email);
}

/**
 * Asks the owner of the new address to confirm it. An address that another user has gets no mail, and the
 * caller the same answer: answers must not tell which addresses have accounts.
 */
export async function requestAddressChange(
  { context, access }: Pick<People, "context" | "access">,
  userId: string,
  email: string,
  audit?: AuditNote,
): Promise<void> {
  const operation = new Operation();
  if ((await access.current()).userByEmail(email) === undefined) {
    stageAccountMail(operation, context, { kind: "address_confirmation", userId, email });
  } else {
    operation.set(keyOf(userId), null, { expireIn: 1_000 });
  }
  await commitAudited(context.store, operation, audit);
}

/** Makes the token of a mail; null when the user is gone. */
export async function issueAddressChange(
  { context, access }: Pick<People, "context" | "access">,
  userId: string,
  email: string,
): Promise<{ token: string; user: User } | null> {
  const user = (await access.current()).users.get(userId);
  if (user === undefined) return null;
  const token = newSecret();
  const row: AddressChangeRow = {
    userId,
    email,
    from: user.email,
    stamp: credentialStamp(user),
    expiresAt: seconds(context) + CONFIRMATION_SECONDS,
  };
  const options = { expireIn: CONFIRMATION_SECONDS * 1000 };
  const key = keyOf(token);
  await context.store.commit(new Operation().set(key, row, options));
  return { token, user };
}

/**
 * Gives a user the address that a token confirms; the token is used up by the same commit.
 *
 * @throws {Refusal} VALIDATION_FAILED when the token is unknown, used, expired or overtaken; CONFLICT when
 * another user has the address by now.
 */
export async function confirmAddressChange(
  { context, access }: People,
  token: string,
  audited: (userId: string) => AuditNote | undefined = () => undefined,
): Promise<void> {
  const key = keyOf(token);
  const found = await context.store.get<AddressChangeRow>(key);
  const { user: { id: userId } } = confirmed(context, await access.current(), found.value);
  const actor = { userId, audit: audited(userId) };
  await versionedWrite(context, actor, async (transaction) => {
    const { value } = await transaction.get<AddressChangeRow>(key);
    const current = await access.of(transaction);
    const { user: before, email } = confirmed(context, current, value);
    await stageUser(transaction, current, { ...before, email }, "email address confirmed");
    transaction.operation.delete(key);
  });
}

/** A token for a password is none for an address, and the other way round. */
function keyOf(token: string): Key {
  return resetKey(secretHash(`address ${token}`));
}

/** The user of a change that is still valid, and the new address. */
function confirmed(
  context: Context,
  access: Access,
  row: AddressChangeRow | null,
): { user: User; email: string } {
  const isValid = row !== null && row.expiresAt > seconds(context);
  const user = isValid ? access.users.get(row.userId) : undefined;
  const isOvertaken = user === undefined || credentialStamp(user) !== row?.stamp;
  if (!isValid || isOvertaken || user.email !== row.from) {
    throw invalid("token", "INVALID_REFERENCE", "The token is unknown, used or expired");
  }
  return { user, email: row.email };
}
