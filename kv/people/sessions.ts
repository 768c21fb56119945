/**
 * Admin sessions: a random secret whose hash is stored, for 12 hours after the last use. A session
 * belongs to the credential stamp that its user has when it begins: when that changes, the session is void by the
 * same commit.
 *
 * @module
 */
import { zip } from "../model/primitives/zip.ts";
import { type Context, seconds } from "../context.ts";
import {
  accessKey,
  type Key,
  oidcSessionKey,
  sessionKey,
  settingsKey,
  userSessionKey,
  userSessionPrefix,
} from "../keys.ts";
import { AGENT_CHARS_MAX, SESSIONS_LISTED_MAX } from "../limits/people.ts";
import type { Access, Authority, Role } from "../model/entities/access.ts";
import { credentialStamp, hasStamp, type User } from "../model/people/user.ts";
import { newSecret, secretHash } from "../model/values/token_text.ts";
import { sha256 } from "../model/values/sha256.ts";
import { Refusal } from "../refusals.ts";
import type { People } from "./people.ts";
import { lacksRequiredFactor } from "./sign_in_policy.ts";
import { unlessFull } from "../store/driver.ts";
import { type Entry, Operation } from "../store/operation.ts";
import { getPrefetched } from "../store/prefetch.ts";
import type { Transaction } from "../versioning/transaction.ts";

/** Seconds a session lasts after its last use. */
export const SESSION_SECONDS = 12 * 60 * 60;
/** Seconds after signing in, or naming the password, in which sensitive acts ask for nothing more. */
export const PROOF_SECONDS = 15 * 60;
/** An extension is written at most this often, seconds. */
const SESSION_EXTENSION_SECONDS = 5 * 60;
/** Sessions that one commit ends. */
const SESSIONS_PER_COMMIT = 200;

/** Characters of a session's public id: 80 bits of a digest of its key. */
const ID_CHARS = 20;

/** The browser and address that help users to distinguish their sessions. */
export interface SessionOrigin {
  /** The browser's user agent. */
  agent: string;
  address: string;
}

/** How a session began. */
export type SignInMethod = "password" | "passkey" | "recovery" | `oidc:${string}`;

/** The second factor that a session began with. */
export type SecondFactor = "totp" | "passkey" | "recovery";

/** The session at an OpenID provider that a session began with. */
export interface OidcSession {
  provider: string;
  sid: string | null;
  /** The ID token, which names the session when it ends. */
  idToken: string;
}

/** A session as the store keeps it. */
export interface SessionRow {
  userId: string;
  /** The {@linkcode credentialStamp} of its user. */
  stamp?: string;
  /** Instead of the stamp, in a session of an earlier version. */
  passwordId?: string;
  /** Absent: by password. */
  method?: SignInMethod;
  secondFactor?: SecondFactor;
  /** For signing out at the provider. */
  oidc?: OidcSession;
  /** Epoch seconds. */
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  /** When it ends however often it is used, epoch seconds. */
  endsAt?: number;
  /** When its user last named their password, epoch seconds; until then, `createdAt` counts. */
  provenAt?: number;
  /** The browser and address that started the session; sessions of the first releases lack it. */
  place?: SessionOrigin;
  /** The id of the role whose rights it has instead of all rights of its user. */
  previewedRole?: string;
  /** To whom it belongs since an import replaced the users. */
  imported?: { userId: string; stamp: string };
  /** While an import is under way: whose it is. */
  email?: string;
}

/** A valid session. */
export interface ActiveSession {
  /** Hash of the secret: the session's key. */
  hash: string;
  user: User;
  authority: Authority;
  /** The role that its user previews, whose rights they have; null without one. */
  previewed: Role | null;
  /** When its user last showed who they are, epoch seconds. */
  provenAt: number;
  /** Whether its user has shown who they are in the last {@linkcode PROOF_SECONDS}. */
  isProven: boolean;
  /** Whether the days of grace are over in which its user had to set up a second factor. */
  lacksFactor: boolean;
  /** Whether its end was moved by this use, so that the cookie must be sent again. */
  extended: boolean;
}

/** How a session begins. */
export interface SessionStart {
  origin?: SessionOrigin;
  /** Hours after which it ends however often it is used. */
  hoursMax?: number | null;
  method?: SignInMethod;
  secondFactor?: SecondFactor;
  oidc?: OidcSession;
}

/** Whether a proof is recent enough for sensitive acts. */
export function isProofRecent(provenAt: number, at: number): boolean {
  return at - provenAt < PROOF_SECONDS;
}

/** Begins a session of a user who has just shown who they are; answers its secret. */
export async function beginSession(
  context: Context,
  user: User,
  start: SessionStart = {},
): Promise<string> {
  const operation = new Operation();
  const secret = stageNewSession(operation, context, user, start);
  await context.store.commit(operation);
  return secret;
}

/** Adds a new session to a commit; answers its secret. */
export function stageNewSession(
  operation: Operation,
  context: Context,
  user: User,
  { origin, hoursMax = null, method, secondFactor, oidc }: SessionStart,
): string {
  const secret = newSecret();
  const hash = secretHash(secret);
  const at = seconds(context);
  const row: SessionRow = {
    userId: user.id,
    stamp: credentialStamp(user),
    ...(method !== undefined && method !== "password" && { method }),
    ...(secondFactor !== undefined && { secondFactor }),
    ...(oidc !== undefined && { oidc }),
    createdAt: at,
    usedAt: at,
    expiresAt: at + SESSION_SECONDS,
  };
  if (hoursMax !== null) {
    row.endsAt = at + hoursMax * 3_600;
    row.expiresAt = Math.min(row.expiresAt, row.endsAt);
  }
  if (origin !== undefined) {
    row.place = { ...origin, agent: origin.agent.slice(0, AGENT_CHARS_MAX) };
  }
  stageSession(operation, hash, row);
  if (oidc?.sid) {
    const expireIn = SESSION_SECONDS * 1000;
    operation.set(oidcSessionKey(oidc.provider, oidc.sid, hash), user.id, { expireIn });
  }
  return secret;
}

/** The stamp of the user whom a session belongs to. */
export function stampOf({ stamp, passwordId }: SessionRow): string {
  return stamp ?? passwordId ?? "";
}

/** The key of the session with a secret; null when it cannot be one. */
export function keyOfSecret(secret: string): Key | null {
  return /^[0-9A-Za-z]{32}$/.test(secret) ? sessionKey(secretHash(secret)) : null;
}

/** The session with a secret, extended; null when there is none, or not any more. */
export async function findSession(
  people: People,
  secret: string | undefined,
): Promise<ActiveSession | null> {
  if (secret === undefined || keyOfSecret(secret) === null) return null;
  const { context, access, settings } = people;
  const hash = secretHash(secret);
  const [entry, version, settingsVersion] = await getPrefetched(context.store, [
    sessionKey(hash),
    accessKey,
    settingsKey,
  ]);
  const row = entry.value as SessionRow | null;
  const at = seconds(context);
  if (row === null || row.expiresAt <= at) return null;
  const current = await access.at(version);
  const user = userOf(current, row);
  if (user === undefined) return null;
  const extended = await extend(context, entry as Entry<SessionRow>, hash, at);
  const provenAt = row.provenAt ?? row.createdAt;
  const isProven = isProofRecent(provenAt, at);
  const values = await settings.at(settingsVersion);
  const lacksFactor = lacksRequiredFactor(values, current, user, at);
  const { authority, previewed } = current.previewOf(user.id, row.previewedRole);
  return { hash, user, authority, previewed, provenAt, isProven, lacksFactor, extended };
}

function userOf(current: Access, row: SessionRow): User | undefined {
  const own = { userId: row.userId, stamp: stampOf(row) };
  const bindings = row.imported === undefined ? [own] : [own, row.imported];
  for (const { userId, stamp } of bindings) {
    const user = current.users.get(userId);
    if (hasStamp(user, stamp)) return user;
  }
  return undefined;
}

/** Ends a session. */
export async function endSession(context: Context, userId: string, hash: string): Promise<void> {
  const operation = new Operation().delete(sessionKey(hash)).delete(userSessionKey(userId, hash));
  await context.store.commit(operation);
}

/** A session as people see it. */
export interface SessionView {
  id: string;
  createdAt: number;
  usedAt: number;
  expiresAt: number;
  agent: string | null;
  address: string | null;
  method: SignInMethod;
  secondFactor: SecondFactor | null;
  /** When its user last showed who they are, epoch seconds. */
  provenAt: number;
  /** Whether it is the one that asks. */
  current: boolean;
}

/** The name of a session outside: nothing that opens it, or the store's key, follows from it. */
export function sessionId(hash: string): string {
  return sha256(`session ${hash}`).slice(0, ID_CHARS);
}

/** A session as people see it; `own` is the hash of the one that asks. */
export function sessionView({ hash, row }: ListedSession, own: string): SessionView {
  const { createdAt, usedAt, expiresAt, place: origin } = row;
  return {
    id: sessionId(hash),
    createdAt,
    usedAt,
    expiresAt,
    agent: origin?.agent ?? null,
    address: origin?.address ?? null,
    method: row.method ?? "password",
    secondFactor: row.secondFactor ?? null,
    provenAt: row.provenAt ?? createdAt,
    current: hash === own,
  };
}

/** A session with its key. */
export interface ListedSession {
  hash: string;
  row: SessionRow;
}

/** The valid sessions of a user, newest first. */
export async function listSessions(
  { context, access }: People,
  userId: string,
): Promise<ListedSession[]> {
  const prefix = userSessionPrefix(userId);
  const names = await context.store.listAll({ prefix }, { limit: SESSIONS_LISTED_MAX });
  const hashes = names.map(({ key }) => key[2] as string);
  const entries = await context.store.getMany(hashes.map(sessionKey));
  const current = await access.current();
  const at = seconds(context);
  return zip(hashes, entries).flatMap(([hash, { value }]) => {
    const row = value as SessionRow | null;
    if (row === null || row.expiresAt <= at || userOf(current, row)?.id !== userId) return [];
    return [{ hash, row }];
  }).sort((a, b) => b.row.createdAt - a.row.createdAt);
}

/** Ends the session of a user that has this public id. */
export async function endListedSession(people: People, userId: string, id: string): Promise<void> {
  const found = (await listSessions(people, userId)).find(({ hash }) => sessionId(hash) === id);
  if (found === undefined) throw new Refusal("NOT_FOUND");
  await endSession(people.context, userId, found.hash);
}

/** Ends all sessions of a user but the one to keep. */
export async function endSessions(
  { context: { store } }: People,
  userId: string,
  kept: string | null,
): Promise<void> {
  const prefix = userSessionPrefix(userId);
  for (let start: Key = prefix;;) {
    const range = start === prefix ? { prefix } : { prefix, start };
    const names = await store.listAll(range, { limit: SESSIONS_PER_COMMIT });
    const operation = new Operation();
    for (const { key } of names) {
      const hash = key[2] as string;
      if (hash !== kept) operation.delete(sessionKey(hash)).delete(key);
    }
    if (operation.mutations > 0) await store.commit(operation);
    const last = names.at(-1);
    if (last === undefined || names.length < SESSIONS_PER_COMMIT) return;
    start = [...last.key, 0];
  }
}

/** Notes that the user of a session has just shown who they are; null if the session has ended. */
export async function proveSession(context: Context, hash: string): Promise<number | null> {
  for (;;) {
    const entry = await readSession(context, hash);
    const operation = new Operation();
    const provenAt = stageProof(operation, context, entry);
    if (provenAt === null || (await context.store.commit(operation)).ok) return provenAt;
  }
}

/** Reads the row of a session. */
export async function readSession(
  { store }: Pick<Context, "store">,
  hash: string,
): Promise<Entry<SessionRow>> {
  return await store.get<SessionRow>(sessionKey(hash));
}

/** Adds to a commit that the user of a session has shown who they are; null if the session has ended. */
export function stageProof(
  operation: Operation,
  context: Context,
  entry: Entry<SessionRow>,
): number | null {
  const provenAt = seconds(context);
  const row = entry.value;
  if (row === null || row.expiresAt <= provenAt) return null;
  // The check keeps an ended session from coming back.
  stageSession(operation.check(entry), entry.key[1] as string, { ...row, provenAt });
  return provenAt;
}

/** Lets one session outlive the change of its user's credentials in the same commit. */
export async function stageKeptSession(
  transaction: Transaction,
  hash: string,
  user: User,
): Promise<void> {
  const { value } = await transaction.get<SessionRow>(sessionKey(hash));
  if (value === null) return;
  const { imported: _imported, passwordId: _passwordId, ...row } = value;
  const stamp = credentialStamp(user);
  stageSession(transaction.operation, hash, { ...row, userId: user.id, stamp });
}

/** Adds the row of a session to a commit. */
export function stageSession(operation: Operation, hash: string, row: SessionRow): Operation {
  const expireIn = SESSION_SECONDS * 1000;
  return operation
    .set(sessionKey(hash), row, { expireIn })
    .set(userSessionKey(row.userId, hash), 1, { expireIn });
}

async function extend(
  context: Context,
  entry: Entry<SessionRow>,
  hash: string,
  at: number,
): Promise<boolean> {
  const row = entry.value;
  if (row === null || at - row.usedAt < SESSION_EXTENSION_SECONDS) return false;
  // The check keeps an ended session from coming back.
  const operation = new Operation().check(entry);
  const expiresAt = Math.min(at + SESSION_SECONDS, row.endsAt ?? Infinity);
  stageSession(operation, hash, { ...row, usedAt: at, expiresAt });
  const result = await unlessFull(context.store.commit(operation), null);
  return result?.ok ?? false;
}
