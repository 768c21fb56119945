/**
 * A user, and what they sign in with.
 *
 * @module
 */

/** The state of a user. */
export interface User {
  id: string;
  /** As it was typed; two that differ in case only are the same. */
  email: string;
  displayName: string;
  /** Null until an invitation was accepted. */
  passwordHash: string | null;
  /** New with every change of the password. */
  passwordId: string | null;
  /** New whenever all sessions of the user end for another reason than a new password. */
  sessionsId?: string;
  /** When the user was disabled, epoch seconds; absent for users who may sign in. */
  disabledAt?: number;
  createdAt: number;
  updatedAt: number;
}

/**
 * What sessions and one-time links of a user belong to: each is void once it differs. It changes with the
 * password, and with {@linkcode User.sessionsId}.
 */
export function credentialStamp({ passwordId, sessionsId }: CredentialIds): string {
  const password = passwordId ?? "-";
  return sessionsId === undefined ? password : `${password} ${sessionsId}`;
}

type CredentialIds = Pick<User, "passwordId" | "sessionsId">;

/** Whether a user has something to sign in with; without it, they still have to accept their invitation. */
export function hasCredentials({ passwordHash }: User): boolean {
  return passwordHash !== null;
}

/** Whether a user can sign in: the only place that decides it. */
export function canSignIn(user: User): boolean {
  return user.disabledAt === undefined && hasCredentials(user);
}
