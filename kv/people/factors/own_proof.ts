/**
 * Verifying a proof that the user of a session gives: their password, a code, or a passkey. Each is counted.
 *
 * @module
 */
import type { AssertionInput } from "../../model/input/factor_input.ts";
import type { User } from "../../model/people/user.ts";
import type { People } from "../people.ts";
import { isOwnPassword } from "../sign_in.ts";
import { verifyAssertion } from "./assertion.ts";
import type { FactorProof } from "./factor_proof.ts";
import type { RelyingParty } from "./relying_party.ts";
import { verifyTotp } from "./totp.ts";

/** What a user gives to show who they are: exactly one of these. */
export interface GivenProof {
  password?: string | undefined;
  code?: string | undefined;
  response?: AssertionInput | undefined;
}

/** Verifies a proof. Answers the factor, `"password"`, or null if the proof is wrong. */
export async function verifyOwnProof(
  people: People,
  user: User,
  { password, code, response }: GivenProof,
  party: RelyingParty | null,
): Promise<FactorProof | "password" | null> {
  if (password !== undefined) {
    return await isOwnPassword(people, user.id, password) ? "password" : null;
  }
  if (code !== undefined) {
    await people.attempts.code(user.id);
    return await verifyTotp(people.context, user, code);
  }
  await people.attempts.confirm(user.id);
  if (response === undefined || party === null) return null;
  return await verifyAssertion(people, { party, purpose: "sign-in", userId: user.id }, response);
}
