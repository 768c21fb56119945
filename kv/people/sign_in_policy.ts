/**
 * What the settings say of signing in, and what that means for one user.
 *
 * @module
 */
import type { Access } from "../model/entities/access.ts";
import { hasSecondFactor } from "../model/people/factors.ts";
import type { User } from "../model/people/user.ts";
import { hasPasswordlessWay, hasWayIn, type SignInRules } from "./sign_in_ways.ts";
import { invalid, Refusal } from "../refusals.ts";
import type { SettingValues } from "../sources/settings.ts";

const DAY_SECONDS = 86_400;

/** Which second factor the site asks for. */
export type FactorPolicy = "off" | "optional" | "required";

/** Whether a user is asked for a second factor after their password. */
export function isFactorAsked(values: SettingValues, user: User): boolean {
  return values.get<FactorPolicy>("auth.secondFactor") !== "off" && hasSecondFactor(user);
}

/** Whether a user must have a second factor, and from when on, epoch seconds; null if they need not. */
export interface FactorRequirement {
  secondFactor: boolean;
  until: number | null;
}

/** What a user must have. */
export function factorRequirement(
  values: SettingValues,
  access: Access,
  user: User,
): FactorRequirement {
  const starts: number[] = [];
  if (values.get<FactorPolicy>("auth.secondFactor") === "required") {
    starts.push(values.changedAt("auth.secondFactor"));
  }
  for (const role of access.rolesOf(user.id)) {
    if (role.requireSecondFactor) starts.push(role.secondFactorSince ?? 0);
  }
  if (starts.length === 0) return { secondFactor: false, until: null };
  const start = Math.max(Math.min(...starts), user.createdAt);
  const until = start + values.get<number>("auth.graceDays") * DAY_SECONDS;
  return { secondFactor: true, until };
}

/** Whether a user has to set up a second factor before they may do anything else. */
export function lacksRequiredFactor(
  values: SettingValues,
  access: Access,
  user: User,
  at: number,
): boolean {
  if (hasSecondFactor(user)) return false;
  const { until } = factorRequirement(values, access, user);
  return until !== null && until <= at;
}

/**
 * Refuses a change that leaves a user without any way in.
 *
 * @throws {Refusal} CONFLICT if they may not use a password and have nothing else.
 */
export function refuseLockOut(rules: SignInRules, access: Access, user: User): void {
  if (hasWayIn(rules, access, user)) return;
  throw new Refusal("CONFLICT", { about: "the user could no longer sign in" });
}

/**
 * Refuses to make a user an administrator who could not sign in if passwords are restricted.
 *
 * @throws {Refusal} VALIDATION_FAILED on the roles.
 */
export function refuseUnreachableAdministrator(rules: SignInRules, user: User | null): void {
  if (rules.passwords === "everyone") return;
  if (user !== null && hasPasswordlessWay(rules, user)) return;
  throw invalid("roles", "INVALID_CHOICE", "Administrators need a passkey or a linked identity");
}
