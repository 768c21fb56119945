/**
 * Recovery codes: 80 random bits each, stored as hashes, each for one use.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { RECOVERY_CODES } from "../../limits/people.ts";
import type { User } from "../../model/people/user.ts";
import { secretHash } from "../../model/values/token_text.ts";
import type { FactorProof } from "./factor_proof.ts";

/** Without the letters and digits that are mistaken for one another: Crockford's base32. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 16;

/** New codes, and what is stored of them. */
export function newRecoveryCodes(): { codes: string[]; hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, newCode);
  return { codes, hashes: codes.map((code) => hashOf(code)) };
}

/** Verifies a recovery code, as it was typed. */
export function verifyRecoveryCode(user: User, given: string): FactorProof | null {
  const recoveryCode = hashOf(given);
  if (!user.factors?.recoveryCodes?.includes(recoveryCode)) return null;
  return { kind: "recovery", user, recoveryCode, stage: () => {} };
}

function newCode(): string {
  const text = [...randomBytes(CODE_CHARS)].map((byte) => ALPHABET[byte % 32]).join("");
  return text.replace(/(.{4})(?!$)/g, "$1-");
}

function hashOf(code: string): string {
  const read = code.toUpperCase().replace(/[\s-]/g, "").replace(/[IL]/g, "1").replace(/O/g, "0");
  return secretHash(`recovery ${read}`);
}
