/**
 * Checks of changes to the settings of signing in: none may lock the user who makes it out, or an administrator.
 *
 * @module
 */
import type { Access } from "../../../kv/model/entities/access.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { hasSecondFactor } from "../../../kv/model/people/factors.ts";
import { sameJson } from "../../../kv/model/values/same_json.ts";
import {
  hasPasskeysOnly,
  hasPasswordlessWay,
  isReachable,
  isSignInRule,
  type SignInRules,
  signInRules,
} from "../../../kv/people/sign_in_ways.ts";
import { invalid } from "../../../kv/refusals.ts";
import type { SettingsCheck } from "../../../kv/sources/settings.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";

/** A change of settings, with the users that it concerns. */
interface Change {
  rules: SignInRules;
  /** The rules after the change. */
  next: SignInRules;
  /** The value of a setting after the change. */
  after: <T extends Json>(key: string) => T;
  access: Access;
  userId: string;
}

/** The checks for a change that a user makes. */
export function signInChecks(
  { people }: Pick<PeopleDeps, "people">,
  userId: string,
): SettingsCheck {
  return async (transaction, values, changes) => {
    const keys = Object.keys(changes).filter((key) =>
      isSignInRule(key) && !sameJson(changes[key], values.get(key))
    );
    const [first] = keys;
    if (first === undefined) return;
    const access = await people.access.of(transaction);
    const after = <T extends Json>(key: string) =>
      (Object.hasOwn(changes, key) ? changes[key] : values.get(key)) as T;
    const rules = signInRules(people.context, values);
    const next = signInRules(people.context, { get: after });
    const change = { rules, next, after, access, userId };
    if (keys.includes("auth.secondFactor")) refuseWithoutFactor(change);
    if (keys.includes("auth.rpId")) refuseForeignDomain(change);
    refuseLostPasskeys(change, keys);
    refuseWithoutOtherWay(change, keys);
    if (isReachable(rules, access) && !isReachable(next, access)) {
      throw invalid(first, "INVALID_CHOICE", "No administrator could sign in");
    }
  };
}

/** Requiring a second factor takes one. */
function refuseWithoutFactor({ after, access, userId }: Change): void {
  if (after("auth.secondFactor") !== "required") return;
  const user = access.users.get(userId);
  if (user !== undefined && hasSecondFactor(user)) return;
  throw invalid("auth.secondFactor", "INVALID_CHOICE", "Set up a second factor of your own first");
}

/**
 * While passwords are restricted, every administrator has another way that works. The user who restricts them needs one
 * too.
 */
function refuseWithoutOtherWay({ next, access, userId }: Change, keys: readonly string[]): void {
  const key = keys.find((one) => one !== "auth.secondFactor");
  if (key === undefined || next.passwords === "everyone") return;
  const own = key === "auth.passwords" ? access.users.get(userId) : undefined;
  const concerned = new Set(access.administrators().concat(own ?? []));
  const lacking = [...concerned].filter((user) => !hasPasswordlessWay(next, user));
  if (lacking.length === 0) return;
  const names = lacking.slice(0, 5).map(({ displayName }) => displayName).join(", ");
  const message = `These users need a passkey or a linked identity that works: ${names}`;
  throw invalid(key, "INVALID_CHOICE", message);
}

/** The relying party has to be the host of the site, or a parent domain of it. */
function refuseForeignDomain({ next, after }: Change): void {
  if (after("auth.rpId") === null || next.party !== null) return;
  const message = "Must be the host of the site's URL, or a parent domain of it";
  throw invalid("auth.rpId", "INVALID_CHOICE", message);
}

/** Passkeys work for the relying party alone that they were made for. */
function refuseLostPasskeys({ rules, next, access }: Change, keys: readonly string[]): void {
  const key = keys.includes("auth.rpId") ? "auth.rpId" : "site.url";
  if (!keys.includes(key) || rules.party === null || rules.party.id === next.party?.id) return;
  const users = [...access.users.values()].filter((user) => hasPasskeysOnly(rules, access, user));
  if (users.length === 0) return;
  const count = users.length === 1 ? "1 user" : `${users.length} users`;
  throw invalid(key, "INVALID_CHOICE", `${count} can sign in with a passkey only`);
}
