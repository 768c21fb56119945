/**
 * What users sign in with besides a password: passkeys, a TOTP secret, recovery codes, and identities at
 * providers.
 *
 * @module
 */
import { z } from "zod";

const text = z.string();
const time = z.int().nonnegative();

/** A passkey. Its counter and its last use are rows of their own, which have no versions. */
export const Passkey = z.strictObject({
  id: z.ulid(),
  /** The authenticator's id of the credential, base64url. */
  credentialId: text.min(1),
  /** The COSE key, base64url. */
  publicKey: text.min(1),
  transports: z.array(text).optional(),
  name: text,
  createdAt: time,
  /** The signature counter at registration. */
  counter: time,
  /** Whether the authenticator had a backup of it at registration. */
  synced: z.boolean(),
  /** The relying party that it was made for. */
  rpId: text,
});
export type Passkey = z.infer<typeof Passkey>;

/** The factors of a user. */
export const Factors = z.strictObject({
  passkeys: z.array(Passkey).optional(),
  /** The base32 secret, and when it was set up, epoch seconds. */
  totp: z.strictObject({ secret: text, since: time }).optional(),
  /** Hashes of the recovery codes that are left. */
  recoveryCodes: z.array(text).optional(),
});
export type Factors = z.infer<typeof Factors>;

/** An account at an OpenID provider that signs a user in. */
export const Identity = z.strictObject({
  /** The id of the provider in the setting `auth.providers`. */
  provider: text,
  name: text,
  issuer: text,
  subject: text,
  email: text.nullable(),
  linkedAt: time,
});
export type Identity = z.infer<typeof Identity>;

/** A way to show a second factor, as the API names it. */
export type FactorMethod = "passkey" | "totp" | "recovery";

/** The passkeys of a user. */
export function passkeysOf({ factors }: { factors?: Factors }): Passkey[] {
  return factors?.passkeys ?? [];
}

/** Whether a user has a second factor: a passkey or a TOTP secret. */
export function hasSecondFactor(user: { factors?: Factors }): boolean {
  return passkeysOf(user).length > 0 || user.factors?.totp !== undefined;
}

/** The ways in which a user can show a second factor. */
export function factorMethods(user: { factors?: Factors }): FactorMethod[] {
  const methods: FactorMethod[] = [];
  if (passkeysOf(user).length > 0) methods.push("passkey");
  if (user.factors?.totp !== undefined) methods.push("totp");
  if ((user.factors?.recoveryCodes ?? []).length > 0) methods.push("recovery");
  return methods;
}

/** A user with other factors. Recovery codes end with the last factor. */
export function withFactors<T extends { factors?: Factors }>(user: T, factors: Factors): T {
  const { factors: _factors, ...rest } = user;
  if (!hasSecondFactor({ factors })) return rest as T;
  const { passkeys = [], totp, recoveryCodes } = factors;
  return {
    ...rest,
    factors: {
      ...(passkeys.length > 0 && { passkeys }),
      ...(totp !== undefined && { totp }),
      ...(recoveryCodes !== undefined && { recoveryCodes }),
    },
  } as T;
}
