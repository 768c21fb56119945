/**
 * Verifying what an authenticator has signed with a passkey.
 *
 * @module
 */
import { Buffer } from "node:buffer";
import { stageAccountMail } from "../account_mail.ts";
import type { Access } from "../../model/entities/access.ts";
import { seconds } from "../../context.ts";
import { passkeyUseKey } from "../../keys.ts";
import type { AssertionInput } from "../../model/input/factor_input.ts";
import { type Passkey, passkeysOf } from "../../model/people/factors.ts";
import type { User } from "../../model/people/user.ts";
import type { People } from "../people.ts";
import { Operation } from "../../store/operation.ts";
import type { FactorProof } from "./factor_proof.ts";
import { type ChallengePurpose, findChallenge, stageUsedChallenge } from "./passkey_challenge.ts";
import { expectedOrigin, type RelyingParty } from "./relying_party.ts";

/** The counter and last use of a passkey. */
export interface PasskeyUse {
  counter: number;
  usedAt: number;
  synced: boolean;
}

/** What a response has to fit. */
export interface ExpectedAssertion {
  party: RelyingParty;
  purpose: ChallengePurpose;
  /** The user who has to own the passkey; null for any. */
  userId: string | null;
}

/** Verifies a response; null if anything about it is wrong. */
export async function verifyAssertion(
  people: People,
  { party, purpose, userId }: ExpectedAssertion,
  response: AssertionInput,
): Promise<FactorProof | null> {
  const { context, access } = people;
  const data = clientDataOf(response.response.clientDataJSON);
  if (data === null) return null;
  const challenge = await findChallenge(context, data.challenge, purpose);
  if (challenge === null) return null;
  const owner = challenge.value.userId ?? userId;
  if (userId !== null && owner !== userId) return null;
  const found = findPasskey(await access.current(), response.id, owner);
  if (found === null || found.user.disabledAt !== undefined) return null;
  const { user, passkey } = found;
  const entry = await context.store.get<PasskeyUse>(passkeyUseKey(user.id, passkey.id));
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]["response"],
    expectedChallenge: data.challenge,
    expectedOrigin: expectedOrigin(party, data.origin),
    expectedRPID: party.id,
    requireUserVerification: purpose === "sign-in",
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
      // The library refuses a counter that goes back; here its user also hears of it.
      counter: 0,
    },
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  const counter = entry.value?.counter ?? passkey.counter;
  if (newCounter > 0 && counter > 0 && newCounter <= counter) {
    await reportClone(people, user);
    return null;
  }
  const use: PasskeyUse = {
    counter: newCounter,
    usedAt: seconds(context),
    synced: credentialBackedUp,
  };
  return {
    kind: "passkey",
    user,
    stage: (operation) => {
      stageUsedChallenge(operation, challenge);
      operation.check(entry).set(entry.key, use);
    },
  };
}

/** The challenge and origin that a response is for; null if it cannot be read. */
export function clientDataOf(text: string): { challenge: string; origin: string } | null {
  try {
    const { challenge, origin } = JSON.parse(Buffer.from(text, "base64url").toString());
    return typeof challenge === "string" && typeof origin === "string"
      ? { challenge, origin }
      : null;
  } catch {
    return null;
  }
}

function findPasskey(
  { users }: Access,
  credentialId: string,
  userId: string | null,
): { user: User; passkey: Passkey } | null {
  const owner = userId === null ? undefined : users.get(userId);
  const owners = userId === null ? users.values() : owner === undefined ? [] : [owner];
  for (const user of owners) {
    const passkey = passkeysOf(user).find((one) => one.credentialId === credentialId);
    if (passkey !== undefined) return { user, passkey };
  }
  return null;
}

/** A counter that goes back means that there are two of an authenticator that cannot be copied. */
async function reportClone({ context }: People, user: User): Promise<void> {
  const operation = new Operation();
  stageAccountMail(operation, context, { kind: "passkey_cloned", userId: user.id });
  await context.store.commit(operation);
}
