/**
 * The ways to sign in that work: of what users have set up, the settings and the environment leave the passkeys of one
 * relying party, the identities at configured providers, and the passwords of some users.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { Access } from "../model/entities/access.ts";
import { ENV_PROVIDER } from "../model/people/auth_settings.ts";
import { hasSecondFactor, passkeysOf } from "../model/people/factors.ts";
import type { User } from "../model/people/user.ts";
import { Refusal } from "../refusals.ts";
import { Settings, type SettingValues } from "../sources/settings.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { type RelyingParty, relyingParty } from "./factors/relying_party.ts";

/** Who may sign in with a password. */
export type PasswordPolicy = "everyone" | "administrators" | "nobody";

/** Why a change is refused that would lock every administrator out. */
export const UNREACHABLE = "the site must keep at least one administrator who can sign in";

const RULE_SETTINGS = new Set([
  "auth.secondFactor",
  "auth.passwords",
  "auth.providers",
  "auth.rpId",
  "site.url",
]);

/** Whether a setting decides which ways work. */
export function isSignInRule(key: string): boolean {
  return RULE_SETTINGS.has(key);
}

/** What decides whether a way works. */
export interface SignInRules {
  passwords: PasswordPolicy;
  /** Whether passwords are followed by a second factor, for users who have one. */
  asksFactor: boolean;
  /** Null if passkeys are not offered. */
  party: RelyingParty | null;
  /** The issuers of the configured providers, by their ids. */
  issuers: ReadonlyMap<string, string>;
}

/** The rules of some settings. */
export function signInRules(
  { environment }: Pick<Context, "environment">,
  { get }: Pick<SettingValues, "get">,
): SignInRules {
  const providers = get<{ id: string; issuer: string }[]>("auth.providers");
  const issuers = new Map(providers.map(({ id, issuer }) => [id, issuer]));
  if (environment?.oidcIssuer) issuers.set(ENV_PROVIDER, environment.oidcIssuer);
  const siteUrl = environment?.baseUrl || get<string>("site.url");
  return {
    passwords: get<PasswordPolicy>("auth.passwords"),
    asksFactor: get<string>("auth.secondFactor") !== "off",
    party: relyingParty(siteUrl, get<string | null>("auth.rpId")),
    issuers,
  };
}

/** Whether the rules let a user sign in with a password. */
export function mayUsePassword(
  { passwords }: Pick<SignInRules, "passwords">,
  access: Access,
  userId: string,
): boolean {
  if (passwords === "everyone") return true;
  return passwords === "administrators" && access.authorityOf(userId).administrator;
}

/** Whether a user has a passkey or an identity that works. */
export function hasPasswordlessWay({ party, issuers }: SignInRules, user: User): boolean {
  return passkeysOf(user).some(({ rpId }) => rpId === party?.id) ||
    (user.identities ?? []).some(({ provider, issuer }) =>
      isSameOrigin(issuers.get(provider), issuer)
    );
}

/** Whether a user can sign in with passkeys only. */
export function hasPasskeysOnly(rules: SignInRules, access: Access, user: User): boolean {
  if (passkeysOf(user).length === 0 || (user.identities ?? []).length > 0) return false;
  return user.passwordHash === null || !hasPasswordWay(rules, access, user);
}

/** Whether a password is enough, or is followed by another factor than a passkey. */
function hasPasswordWay(rules: SignInRules, access: Access, user: User): boolean {
  if (!mayUsePassword(rules, access, user.id)) return false;
  const { totp, recoveryCodes = [] } = user.factors ?? {};
  const isAsked = rules.asksFactor && hasSecondFactor(user);
  return !isAsked || totp !== undefined || recoveryCodes.length > 0;
}

/** Whether a user has a way in. Users who may use a password can also set one by mail. */
export function hasWayIn(rules: SignInRules, access: Access, user: User): boolean {
  return hasPasswordWay(rules, access, user) || hasPasswordlessWay(rules, user);
}

/** Whether an administrator has a way in. */
export function isReachable(rules: SignInRules, access: Access): boolean {
  return access.administrators().some((user) => hasWayIn(rules, access, user));
}

/**
 * Refuses a change that takes the last way in from the last administrator.
 *
 * @throws {Refusal} CONFLICT
 */
export async function refuseUnreachable(
  transaction: Transaction,
  before: Access,
  after: Access,
): Promise<void> {
  const left = new Map(after.administrators().map((user) => [user.id, user]));
  // Only what an administrator loses can lock them out; most changes need not read the settings.
  const isLess = (user: User) => countWays(left.get(user.id)) < countWays(user);
  if (!before.administrators().some(isLess)) return;
  const { context } = transaction;
  const rules = signInRules(context, await new Settings(context).of(transaction));
  if (isReachable(rules, after)) return;
  throw new Refusal("CONFLICT", { about: UNREACHABLE });
}

function countWays(user: User | undefined): number {
  return user === undefined ? -1 : passkeysOf(user).length + (user.identities ?? []).length;
}

/** The issuer in a token may be spelled with other paths than that of the discovery document. */
function isSameOrigin(configured: string | undefined, issuer: string): boolean {
  const origin = URL.parse(configured ?? "")?.origin;
  return origin !== undefined && origin === URL.parse(issuer)?.origin;
}
