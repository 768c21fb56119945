/**
 * Codes of an authenticator app (RFC 6238): six digits for thirty seconds, one step of tolerance, each used
 * once.
 *
 * @module
 */
import { stageUser } from "../access.ts";
import { type Context, openSecret, sealSecret, seconds } from "../../context.ts";
import { totpSetupKey, totpStepKey } from "../../keys.ts";
import type { Actor } from "../../model/entities/entity.ts";
import { withFactors } from "../../model/people/factors.ts";
import type { User } from "../../model/people/user.ts";
import type { People } from "../people.ts";
import { getUser } from "../users.ts";
import { invalid, Refusal } from "../../refusals.ts";
import { type Entry, Operation } from "../../store/operation.ts";
import { commitAudited } from "../../versioning/audit.ts";
import { versionedWrite } from "../../versioning/versioned_write.ts";
import type { FactorProof } from "./factor_proof.ts";
import { newRecoveryCodes } from "./recovery_codes.ts";

const STEP_SECONDS = 30;
const SETUP_SECONDS = 15 * 60;
/** Used steps are forgotten once no code of theirs is valid. */
const USED_STEP_MS = 10 * 60 * 1000;

interface SetupRow {
  /** Sealed. */
  secret: string;
  expiresAt: number;
}

/** A secret to add to an authenticator app. */
export interface TotpSetup {
  secret: string;
  uri: string;
  /** The URI as an SVG image. */
  qr: string;
}

/**
 * Begins to set up codes; nothing changes until one has confirmed them.
 *
 * @throws {Refusal} CONFLICT if they are enabled already.
 */
export async function beginTotp(
  { context, settings, access }: People,
  { userId, audit }: Actor & { userId: string },
): Promise<TotpSetup> {
  const user = getUser(await access.current(), userId);
  if (user.factors?.totp !== undefined) throw alreadyEnabled();
  const values = await settings.values();
  if (values.get("auth.secondFactor") === "off") {
    throw new Refusal("CONFLICT", { about: "second factors are turned off" });
  }
  const [{ Secret, TOTP }, { renderSVG }] = await Promise.all([import("otpauth"), import("uqr")]);
  const secret = new Secret({ size: 20 }).base32;
  const issuer = values.get<string>("site.title");
  const uri = new TOTP({ issuer, label: user.email, secret }).toString();
  const sealed = sealSecret(context, secret);
  const row: SetupRow = { secret: sealed, expiresAt: seconds(context) + SETUP_SECONDS };
  const options = { expireIn: SETUP_SECONDS * 1000 };
  const operation = new Operation().set(totpSetupKey(userId), row, options);
  await commitAudited(context.store, operation, audit);
  return { secret, uri, qr: renderSVG(uri) };
}

/**
 * Enables codes by the first one. Answers recovery codes if it is the user's first factor.
 *
 * @throws {Refusal} CONFLICT if no set-up waits; VALIDATION_FAILED for a wrong code.
 */
export async function confirmTotp(
  { context, access }: People,
  actor: Actor & { userId: string },
  code: string,
): Promise<string[] | null> {
  const { userId } = actor;
  const { codes, hashes } = newRecoveryCodes();
  return await versionedWrite(context, actor, async (transaction) => {
    const current = await access.of(transaction);
    const before = getUser(current, userId);
    if (before.factors?.totp !== undefined) throw alreadyEnabled();
    const setup = await transaction.get<SetupRow>(totpSetupKey(userId));
    if (setup.value === null || setup.value.expiresAt <= seconds(context)) {
      throw new Refusal("CONFLICT", { about: "begin to set up codes first" });
    }
    const step = await stepOf(context, setup.value.secret, code);
    if (step === null) throw invalid("code", "INVALID_CHOICE", "This code is not valid");
    const isFirst = before.factors === undefined;
    const factors = {
      ...before.factors,
      totp: { secret: setup.value.secret, since: transaction.at },
      ...(isFirst && { recoveryCodes: hashes }),
    };
    const user = withFactors(before, factors);
    await stageUser(transaction, current, user, "authenticator app added");
    const used = await transaction.get<number>(totpStepKey(userId));
    stageUsedStep(transaction.operation, used, step);
    transaction.operation.delete(totpSetupKey(userId));
    return isFirst ? codes : null;
  });
}

/** Verifies a code; null if it is wrong or was used. The attempt is counted by the caller. */
export async function verifyTotp(
  context: Context,
  user: User,
  code: string,
): Promise<FactorProof | null> {
  const secret = user.factors?.totp?.secret;
  if (secret === undefined) return null;
  const used = await context.store.get<number>(totpStepKey(user.id));
  const step = await stepOf(context, secret, code);
  if (step === null || (used.value !== null && step <= used.value)) return null;
  return {
    kind: "totp",
    user,
    stage: (operation) => stageUsedStep(operation.check(used), used, step),
  };
}

/** The time step of a stored secret that a code belongs to; null for a wrong code. */
async function stepOf(context: Context, stored: string, given: string): Promise<number | null> {
  const token = given.replace(/\s/g, "");
  const secret = openSecret(context, stored, { kind: "totp" });
  if (secret === null || !/^\d{6}$/.test(token)) return null;
  const { TOTP } = await import("otpauth");
  const timestamp = context.now();
  const delta = new TOTP({ secret }).validate({ token, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / STEP_SECONDS) + delta;
}

function stageUsedStep(operation: Operation, { key }: Entry, step: number): void {
  operation.set(key, step, { expireIn: USED_STEP_MS });
}

function alreadyEnabled(): Refusal {
  return new Refusal("CONFLICT", { about: "codes are already enabled" });
}
