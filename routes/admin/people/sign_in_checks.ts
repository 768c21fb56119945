/**
 * Checks of changes to the settings of signing in: none may lock the user who makes it out, or an administrator.
 *
 * @module
 */
import type { Access } from "../../../kv/model/entities/access.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { ENV_PROVIDER } from "../../../kv/model/people/auth_settings.ts";
import { hasSecondFactor, passkeysOf } from "../../../kv/model/people/factors.ts";
import { hasPasswordlessWay, type User } from "../../../kv/model/people/user.ts";
import { hasPasskeysOnly } from "../../../kv/people/sign_in_policy.ts";
import { invalid } from "../../../kv/refusals.ts";
import type { SettingsCheck, SettingValues } from "../../../kv/sources/settings.ts";
import type { PeopleDeps } from "../../deps/people_deps.ts";
import { partyBy } from "./relying_party.ts";

/** A change of settings, with the users that it concerns. */
interface Change {
  values: SettingValues;
  /** The value of a setting after the change. */
  after: <T extends Json>(key: string) => T;
  access: Access;
  userId: string;
}

/** The settings whose changes can lock users out. */
const CONCERNED = [
  "auth.secondFactor",
  "auth.passwords",
  "auth.providers",
  "auth.rpId",
  "site.url",
];

/** The checks for a change that a user makes. */
export function signInChecks(
  { people, baseUrl = "" }: Pick<PeopleDeps, "people" | "baseUrl">,
  userId: string,
): SettingsCheck {
  return async (transaction, values, changes) => {
    const isChanged = (key: string) =>
      Object.hasOwn(changes, key) && changes[key] !== values.get(key);
    const keys = CONCERNED.filter(isChanged);
    if (keys.length === 0) return;
    const access = await people.access.of(transaction);
    const after = <T extends Json>(key: string) =>
      (Object.hasOwn(changes, key) ? changes[key] : values.get(key)) as T;
    const change = { values, after, access, userId };
    if (keys.includes("auth.secondFactor")) refuseWithoutFactor(change);
    if (keys.includes("auth.passwords")) refuseWithoutOtherWay(change);
    if (keys.includes("auth.rpId")) refuseForeignDomain(change, baseUrl);
    if (keys.includes("auth.providers")) refuseLostProviders(change);
    refuseLostPasskeys(change, baseUrl, keys);
  };
}

/** While passwords are restricted, every administrator keeps a passkey or an identity at a provider that stays. */
function refuseLostProviders({ after, access }: Change): void {
  if (after("auth.passwords") === "everyone") return;
  const left = new Set(after<{ id: string }[]>("auth.providers").map(({ id }) => id));
  const isLost = (user: User) =>
    passkeysOf(user).length === 0 &&
    !user.identities?.some(({ provider }) => provider === ENV_PROVIDER || left.has(provider));
  const lost = access.administrators().find(isLost);
  if (lost === undefined) return;
  const message = `${lost.displayName} could no longer sign in`;
  throw invalid("auth.providers", "INVALID_CHOICE", message);
}

/** Requiring a second factor takes one. */
function refuseWithoutFactor({ after, access, userId }: Change): void {
  if (after("auth.secondFactor") !== "required") return;
  const user = access.users.get(userId);
  if (user !== undefined && hasSecondFactor(user)) return;
  throw invalid("auth.secondFactor", "INVALID_CHOICE", "Set up a second factor of your own first");
}

/** Restricting passwords takes another way in, for the user who does it and for every administrator. */
function refuseWithoutOtherWay({ after, access, userId }: Change): void {
  if (after("auth.passwords") === "everyone") return;
  const own = access.users.get(userId);
  const concerned = access.administrators().concat(own ?? []);
  const lacking = new Set(concerned.filter((user) => !hasPasswordlessWay(user)));
  if (lacking.size === 0) return;
  const names = [...lacking].slice(0, 5).map(({ displayName }) => displayName).join(", ");
  const message = `These users need a passkey or a linked identity first: ${names}`;
  throw invalid("auth.passwords", "INVALID_CHOICE", message);
}

/** The relying party has to be the host of the site, or a parent domain of it. */
function refuseForeignDomain({ after }: Change, baseUrl: string): void {
  const rpId = after<string | null>("auth.rpId");
  if (rpId === null || partyBy(after, baseUrl) !== null) return;
  const message = "Must be the host of the site's URL, or a parent domain of it";
  throw invalid("auth.rpId", "INVALID_CHOICE", message);
}

/** Passkeys work for the relying party alone that they were made for. */
function refuseLostPasskeys(change: Change, baseUrl: string, keys: readonly string[]): void {
  const { values, after, access } = change;
  const key = keys.includes("auth.rpId") ? "auth.rpId" : "site.url";
  if (!keys.includes(key)) return;
  const before = partyBy((name) => values.get(name), baseUrl);
  if (before === null || before.id === partyBy(after, baseUrl)?.id) return;
  const users = [...access.users.values()].filter((user) => hasPasskeysOnly(values, access, user));
  if (users.length === 0) return;
  const count = users.length === 1 ? "1 user" : `${users.length} users`;
  throw invalid(key, "INVALID_CHOICE", `${count} can sign in with a passkey only`);
}
