/**
 * The device flow (RFC 8628): a program without a browser shows a code that its user enters in one.
 *
 * @module
 */
import { randomBytes } from "node:crypto";
import { type Context, seconds } from "../../context.ts";
import { oauthDeviceKey, oauthUserCodeKey } from "../../keys.ts";
import { credentialStamp, hasStamp, type User } from "../../model/people/user.ts";
import { newSecret, secretHash } from "../../model/values/token_text.ts";
import type { People } from "../people.ts";
import { Operation } from "../../store/operation.ts";
import { findRow, type OpenEntry } from "../expiring_rows.ts";
import { type GrantFacts, type IssuedTokens, stageGrant } from "./grants.ts";
import type { OAuthResource } from "./oauth_scopes.ts";

/** Seconds a device waits. */
export const DEVICE_SECONDS = 10 * 60;
/** Seconds between two polls. */
export const DEVICE_INTERVAL_SECONDS = 5;
/** Letters that form no words and are not mistaken for one another. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_CHARS = 8;

/** A device's request, before anyone has answered it. */
export type DeviceRequest = Omit<GrantFacts, "provenAt">;

interface DeviceRow extends DeviceRequest {
  userCode: string;
  expiresAt: number;
  /** Of the last poll, milliseconds. */
  polledAt: number;
  intervalSeconds: number;
  answer?: "denied" | { userId: string; stamp: string; scopes: string[]; provenAt: number };
}

/** A device that waits, as its user finds it. */
export interface WaitingDevice extends DeviceRequest {
  userCode: string;
}

/** Why a poll has no tokens yet, as RFC 8628 names it. */
export type DeviceError =
  | "authorization_pending"
  | "slow_down"
  | "access_denied"
  | "expired_token"
  | "invalid_grant";

/** Begins to wait. */
export async function beginDevice(
  context: Context,
  request: DeviceRequest,
): Promise<{ deviceCode: string; userCode: string }> {
  const deviceCode = newSecret();
  const hash = secretHash(deviceCode);
  const userCode = newUserCode();
  const row: DeviceRow = {
    ...request,
    userCode,
    expiresAt: seconds(context) + DEVICE_SECONDS,
    polledAt: 0,
    intervalSeconds: DEVICE_INTERVAL_SECONDS,
  };
  const options = { expireIn: DEVICE_SECONDS * 1000 };
  const operation = new Operation()
    .set(oauthDeviceKey(hash), row, options)
    .set(oauthUserCodeKey(userCode), hash, options);
  await context.store.commit(operation);
  return { deviceCode, userCode: shownUserCode(userCode) };
}

/** The device that shows a code, as it was typed; null if none does, or it was answered. */
export async function findDevice(context: Context, typed: string): Promise<WaitingDevice | null> {
  const entry = await entryOf(context, typed);
  if (entry === null || entry.value.answer !== undefined) return null;
  const { client, scopes, resource, userCode } = entry.value;
  return { client, scopes, resource, userCode: shownUserCode(userCode) };
}

/** Gives a device access to what its user has consented to, or refuses it; false if it no longer waits. */
export async function answerDevice(
  context: Context,
  typed: string,
  given: { user: User; scopes: string[]; provenAt: number } | null,
): Promise<boolean> {
  const entry = await entryOf(context, typed);
  if (entry === null || entry.value.answer !== undefined) return false;
  const row = entry.value;
  const answer = given === null ? "denied" as const : {
    userId: given.user.id,
    stamp: credentialStamp(given.user),
    scopes: given.scopes,
    provenAt: given.provenAt,
  };
  const expireIn = (row.expiresAt - seconds(context)) * 1000;
  const operation = new Operation()
    .check(entry)
    .set(entry.key, { ...row, answer }, { expireIn })
    .delete(oauthUserCodeKey(row.userCode));
  return (await context.store.commit(operation)).ok;
}

/** What a client sends to ask for its tokens. */
export interface DevicePoll {
  deviceCode: string;
  clientId: string;
  /** Refuses, by throwing, a resource that the client does not ask for now. */
  checkResource?: (granted: OAuthResource) => void;
}

/** Tokens for a device whose user has consented; otherwise why there are none. */
export async function pollDevice(
  { context, access }: People,
  { deviceCode, clientId, checkResource }: DevicePoll,
): Promise<IssuedTokens | DeviceError> {
  const entry = await findRow<DeviceRow>(context, oauthDeviceKey(secretHash(deviceCode)));
  if (entry === null) return "expired_token";
  const row = entry.value;
  if (row.client.id !== clientId) return "invalid_grant";
  const { answer, client, resource } = row;
  checkResource?.(resource);
  if (answer === undefined) return await notePoll(context, entry);
  const operation = new Operation().check(entry).delete(entry.key);
  if (answer === "denied") {
    await context.store.commit(operation);
    return "access_denied";
  }
  const user = (await access.current()).users.get(answer.userId);
  if (!hasStamp(user, answer.stamp)) return "access_denied";
  const { scopes, provenAt } = answer;
  const { id: _id, ...tokens } = stageGrant(operation, context, user, {
    client,
    resource,
    scopes,
    provenAt,
  });
  return (await context.store.commit(operation)).ok ? tokens : "expired_token";
}

/** A device that polls too fast has to wait five seconds longer from then on. */
async function notePoll(context: Context, entry: OpenEntry<DeviceRow>): Promise<DeviceError> {
  const row = entry.value;
  const now = context.now();
  const isFast = now - row.polledAt < row.intervalSeconds * 1000;
  const intervalSeconds = row.intervalSeconds + (isFast ? DEVICE_INTERVAL_SECONDS : 0);
  const expireIn = (row.expiresAt - seconds(context)) * 1000;
  const next = { ...row, polledAt: now, intervalSeconds };
  // An answer that was given in the meantime stays.
  await context.store.commit(new Operation().check(entry).set(entry.key, next, { expireIn }));
  return isFast ? "slow_down" : "authorization_pending";
}

async function entryOf(context: Context, typed: string): Promise<OpenEntry<DeviceRow> | null> {
  const userCode = typed.toUpperCase().replace(/[^A-Z]/g, "");
  if (userCode.length !== USER_CODE_CHARS) return null;
  const { value: hash } = await context.store.get<string>(oauthUserCodeKey(userCode));
  if (hash === null) return null;
  return await findRow<DeviceRow>(context, oauthDeviceKey(hash));
}

function newUserCode(): string {
  // 240 is the largest multiple of 20 in a byte: above it some letters would be likelier.
  let code = "";
  while (code.length < USER_CODE_CHARS) {
    for (const byte of randomBytes(USER_CODE_CHARS)) {
      if (byte < 240 && code.length < USER_CODE_CHARS) code += LETTERS[byte % LETTERS.length];
    }
  }
  return code;
}

function shownUserCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
