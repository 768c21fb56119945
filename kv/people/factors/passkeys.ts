/**
 * The passkeys of a user: adding, renaming, removing, and the options of requests for one.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { stageUser } from "../access.ts";
import { PASSKEYS_MAX } from "../../limits/people.ts";
import { passkeyUseKey } from "../../keys.ts";
import type { Actor } from "../../model/entities/entity.ts";
import type { RegistrationInput } from "../../model/input/factor_input.ts";
import { type Passkey, passkeysOf, withFactors } from "../../model/people/factors.ts";
import type { User } from "../../model/people/user.ts";
import { zip } from "../../model/primitives/zip.ts";
import type { People } from "../people.ts";
import { refuseLockOut } from "../sign_in_policy.ts";
import { signInRules } from "../sign_in_ways.ts";
import { getUser } from "../users.ts";
import { invalid, Refusal } from "../../refusals.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import { clientDataOf, type PasskeyUse } from "./assertion.ts";
import { findChallenge, keepChallenge, stageUsedChallenge } from "./passkey_challenge.ts";
import { newRecoveryCodes } from "./recovery_codes.ts";
import { expectedOrigin, type RelyingParty } from "./relying_party.ts";

/** COSE algorithms that every supported runtime verifies: Ed25519, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];

/** A passkey as its user sees it. */
export interface PasskeyView {
  id: string;
  name: string;
  createdAt: number;
  lastUsedAt: number | null;
  synced: boolean;
}

/** A user who changes their own factors. */
type OwnActor = Actor & { userId: string };

/** The passkeys of a user, oldest first. */
export async function listPasskeys(
  { context }: Pick<People, "context">,
  user: User,
): Promise<PasskeyView[]> {
  const passkeys = passkeysOf(user);
  if (passkeys.length === 0) return [];
  const keys = passkeys.map(({ id }) => passkeyUseKey(user.id, id));
  const uses = await context.store.getMany(keys);
  return zip(passkeys, uses).map(([passkey, { value }]) =>
    viewOf(passkey, value as PasskeyUse | null)
  );
}

/** Options for making a passkey. */
export async function registrationOptions(
  { context, access, settings }: People,
  party: RelyingParty,
  userId: string,
) {
  const user = getUser(await access.current(), userId);
  refuseFull(user);
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const options = await generateRegistrationOptions({
    rpName: await settings.get<string>("site.title"),
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.displayName,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeysOf(user).map(descriptorOf),
    authenticatorSelection: { residentKey: "required", userVerification: "preferred" },
  });
  await keepChallenge(context, options.challenge, "registration", user.id);
  return options;
}

/** Options for signing in, or for a second factor of one user. */
export async function requestOptions(
  { context }: Pick<People, "context">,
  party: RelyingParty,
  user: User | null,
) {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    allowCredentials: user === null ? [] : passkeysOf(user).map(descriptorOf),
    userVerification: user === null ? "required" : "preferred",
  });
  const purpose = user === null ? "sign-in" : "second factor";
  await keepChallenge(context, options.challenge, purpose, user?.id ?? null);
  return options;
}

/**
 * Adds a passkey. Answers recovery codes too if it is the user's first factor.
 *
 * @throws {Refusal} VALIDATION_FAILED for a response that does not hold; CONFLICT beyond the limit.
 */
export async function addPasskey(
  people: People,
  actor: OwnActor,
  party: RelyingParty,
  { name, response }: { name: string; response: RegistrationInput },
): Promise<PasskeyView & { recoveryCodes?: string[] }> {
  const { context, access } = people;
  refuseFull(getUser(await access.current(), actor.userId));
  const registered = await verifyRegistration(people, party, actor.userId, response);
  if (registered === null) {
    throw invalid("response", "INVALID_CHOICE", "The response of the authenticator is not valid");
  }
  const { challenge, facts } = registered;
  const { codes, hashes } = newRecoveryCodes();
  return await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, actor.userId);
    refuseFull(before);
    for (const other of current.users.values()) {
      if (passkeysOf(other).some((one) => one.credentialId === facts.credentialId)) {
        throw new Refusal("CONFLICT", { about: "the passkey is already registered" });
      }
    }
    const createdAt = transaction.at;
    const passkey: Passkey = { id: transaction.newId(), name, createdAt, ...facts };
    const isFirst = before.factors === undefined;
    const factors = {
      ...before.factors,
      passkeys: [...passkeysOf(before), passkey],
      ...(isFirst && { recoveryCodes: hashes }),
    };
    await stageUser(transaction, current, withFactors(before, factors), "passkey added");
    stageUsedChallenge(transaction.operation, challenge);
    return { ...viewOf(passkey, null), ...(isFirst && { recoveryCodes: codes }) };
  });
}

/** Renames a passkey. */
export async function renamePasskey(
  people: People,
  actor: OwnActor,
  id: string,
  name: string,
): Promise<PasskeyView> {
  const user = await changePasskeys(people, actor, id, "passkey renamed", (passkeys) => {
    return passkeys.map((one) => one.id === id ? { ...one, name } : one);
  });
  const renamed = (await listPasskeys(people, user)).find((one) => one.id === id);
  if (renamed === undefined) throw new Refusal("NOT_FOUND");
  return renamed;
}

/**
 * Removes a passkey.
 *
 * @throws {Refusal} CONFLICT if it is the user's last way in.
 */
export async function removePasskey(people: People, actor: OwnActor, id: string): Promise<void> {
  await changePasskeys(people, actor, id, "passkey removed", (passkeys) => {
    return passkeys.filter((one) => one.id !== id);
  });
}

async function changePasskeys(
  { context, access, settings }: People,
  actor: OwnActor,
  id: string,
  summary: string,
  change: (passkeys: Passkey[]) => Passkey[],
): Promise<User> {
  return await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, actor.userId);
    if (!passkeysOf(before).some((one) => one.id === id)) throw new Refusal("NOT_FOUND");
    const passkeys = change(passkeysOf(before));
    const user = withFactors(before, { ...before.factors, passkeys });
    const isRemoved = passkeys.length < passkeysOf(before).length;
    if (isRemoved) {
      refuseLockOut(signInRules(context, await settings.of(transaction)), current, user);
      transaction.operation.delete(passkeyUseKey(user.id, id));
    }
    return getUser(await stageUser(transaction, current, user, summary), user.id);
  });
}

async function verifyRegistration(
  { context }: People,
  party: RelyingParty,
  userId: string,
  response: RegistrationInput,
) {
  const data = clientDataOf(response.response.clientDataJSON);
  const challenge = data && await findChallenge(context, data.challenge, "registration");
  if (data === null || challenge === null || challenge.value.userId !== userId) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]["response"],
    expectedChallenge: data.challenge,
    expectedOrigin: expectedOrigin(party, data.origin),
    expectedRPID: party.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential, credentialBackedUp } = verified.registrationInfo;
  const facts = {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    ...(response.response.transports && { transports: response.response.transports }),
    counter: credential.counter,
    synced: credentialBackedUp,
    rpId: party.id,
  };
  return { challenge, facts };
}

function descriptorOf({ credentialId, transports }: Passkey) {
  // Browsers ignore transports that they do not know.
  return { id: credentialId, ...(transports && { transports: transports as "internal"[] }) };
}

function viewOf({ id, name, createdAt, synced }: Passkey, use: PasskeyUse | null): PasskeyView {
  return {
    id,
    name,
    createdAt,
    lastUsedAt: use?.usedAt ?? null,
    synced: use?.synced ?? synced,
  };
}

function refuseFull(user: User): void {
  if (passkeysOf(user).length < PASSKEYS_MAX) return;
  throw new Refusal("CONFLICT", { about: `a user has at most ${PASSKEYS_MAX} passkeys` });
}
