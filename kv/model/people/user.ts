/**
 * A user, and what they sign in with.
 *
 * @module
 */
import { z } from "zod";
import { time, unchecked } from "../entities/state_member.ts";
import { Factors, Identity, passkeysOf, withFactors } from "./factors.ts";

/** When users get emails about reviews and mentions. */
export const NOTIFICATION_EMAILS = ["immediate", "daily", "never"] as const;
export type NotificationEmails = typeof NOTIFICATION_EMAILS[number];

/** The state of a user. */
export const User = z.object({
  id: z.ulid(),
  /** As it was typed; two that differ in case only are the same. */
  email: z.string().min(3),
  displayName: z.string(),
  /** Null until an invitation was accepted. */
  passwordHash: z.string().nullable(),
  /** New with every change of the password. */
  passwordId: z.string().nullable(),
  /** New whenever all sessions of the user end for another reason than a new password. */
  sessionsId: z.string().exactOptional(),
  /** When the user was disabled, epoch seconds; absent for users who may sign in. */
  disabledAt: time.exactOptional(),
  /** How a directory names the user. */
  externalId: z.string().exactOptional(),
  /** How notifications are emailed; each as it happens if absent. */
  notificationEmails: z.enum(NOTIFICATION_EMAILS).exclude(["immediate"]).exactOptional(),
  factors: Factors.exactOptional(),
  /** At most one at each provider. */
  identities: z.array(Identity).exactOptional(),
  createdAt: unchecked<number>(),
  updatedAt: unchecked<number>(),
});
export type User = z.infer<typeof User>;

/**
 * What sessions and one-time links of a user belong to: each is void once it differs. It changes with the
 * password, and with {@linkcode User.sessionsId}.
 */
export function credentialStamp({ passwordId, sessionsId }: CredentialIds): string {
  const password = passwordId ?? "-";
  return sessionsId === undefined ? password : `${password} ${sessionsId}`;
}

/** Whether a user exists, is not disabled, and still has a stamp that was stored earlier. */
export function hasStamp(user: User | undefined, stamp: string | undefined): user is User {
  return user !== undefined && user.disabledAt === undefined && credentialStamp(user) === stamp;
}

type CredentialIds = Pick<User, "passwordId" | "sessionsId">;

/** Whether a user has something to sign in with; without it, they still have to accept their invitation. */
export function hasCredentials(user: User): boolean {
  const { passwordHash, identities = [] } = user;
  return passwordHash !== null || passkeysOf(user).length > 0 || identities.length > 0;
}

/** A user without a recovery code that they have used. */
export function withoutRecoveryCode(user: User, hash: string): User {
  const recoveryCodes = user.factors?.recoveryCodes?.filter((one) => one !== hash) ?? [];
  return withFactors(user, { ...user.factors, recoveryCodes });
}

/** Whether a user can sign in: the only place that decides it. */
export function canSignIn(user: User): boolean {
  return user.disabledAt === undefined && hasCredentials(user);
}
