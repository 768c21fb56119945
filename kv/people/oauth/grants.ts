/**
 * Grants: access that a user gives to a program, with its access and refresh tokens. Like sessions, they are rows
 * without versions, and belong to the credential stamp of their user.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { oauthGrantKey, oauthUserGrantKey, oauthUserGrantPrefix } from "../../keys.ts";
import { ACCESS_TOKENS_MAX, GRANTS_LISTED_MAX } from "../../limits/people.ts";
import { credentialStamp, hasStamp, type User } from "../../model/people/user.ts";
import {
  accessGrantIdOf,
  mintAccessToken,
  mintRefreshToken,
  newRefreshFamily,
  refreshTokenParts,
  secretHash,
  secretMatches,
} from "../../model/values/token_text.ts";
import type { People } from "../people.ts";
import { Refusal } from "../../refusals.ts";
import { type Entry, Operation } from "../../store/operation.ts";
import { unlessFull } from "../../store/driver.ts";
import type { OAuthResource } from "./oauth_scopes.ts";

/** Seconds an access token works. */
export const ACCESS_SECONDS = 3_600;
/** Seconds after its last use in which a refresh token works. */
const REFRESH_SECONDS = 30 * 86_400;
/** The last use is written at most this often, seconds. */
const USED_SECONDS = 60;

/** A program, as its user sees it. */
export interface OAuthClient {
  id: string;
  name: string;
  /** Its home page. */
  url: string | null;
}

/** What a grant gives. */
export interface GrantFacts {
  client: OAuthClient;
  /** As {@linkcode storedScopes} spells them. */
  scopes: string[];
  resource: OAuthResource;
  /** When the user last showed who they are, epoch seconds. */
  provenAt: number;
}

interface GrantRow extends GrantFacts {
  userId: string;
  stamp: string;
  createdAt: number;
  usedAt: number;
  /** The hashes of the refresh token, and of the secret that it shares with those that it has replaced. */
  refresh: string;
  family: string;
  refreshUntil: number;
  access: { hash: string; until: number; scopes: string[] }[];
}

/** New tokens of a grant. */
export interface IssuedTokens {
  accessToken: string;
  refreshToken: string;
  scopes: string[];
}

/** A grant that an access token has opened. */
export interface ActiveGrant extends GrantFacts {
  id: string;
  user: User;
  createdAt: number;
  until: number;
}

/** Adds a new grant to a commit; answers its id and tokens. */
export function stageGrant(
  operation: Operation,
  context: Context,
  user: User,
  facts: GrantFacts,
): IssuedTokens & { id: string } {
  const id = context.newId(context.now());
  const at = seconds(context);
  const family = newRefreshFamily();
  const { tokens, members } = issueTokens({ id, family, at, scopes: facts.scopes, former: [] });
  const row: GrantRow = {
    ...facts,
    userId: user.id,
    stamp: credentialStamp(user),
    createdAt: at,
    usedAt: at,
    family: secretHash(family),
    ...members,
  };
  stageRow(operation, id, row, at);
  return { id, ...tokens };
}

/** The grant that an access token opens for a resource; null if it does not, or not any more. */
export async function findGrant(
  { context, access }: People,
  token: string,
  resource: OAuthResource,
): Promise<ActiveGrant | null> {
  const id = accessGrantIdOf(token);
  if (id === null) return null;
  const entry = await context.store.get<GrantRow>(oauthGrantKey(id));
  const row = entry.value;
  const at = seconds(context);
  const hash = secretHash(token);
  const used = row?.access.find((one) => one.hash === hash && one.until > at);
  if (row === null || used === undefined || row.resource !== resource) return null;
  const user = (await access.current()).users.get(row.userId);
  if (!hasStamp(user, row.stamp)) return null;
  await markUsed(context, id, entry, at);
  const { client, createdAt, provenAt } = row;
  const { scopes } = used;
  return { id, user, client, scopes, resource, createdAt, provenAt, until: used.until };
}

/**
 * New tokens for a refresh token, which they replace. One that was replaced before ends the grant.
 *
 * @param narrow Answers the scopes of the new access token, from those of the grant; the grant keeps its own.
 * @returns Null for a token that does not work, or one of another client.
 */
export async function refreshGrant(
  { context, access }: People,
  token: string,
  clientId: string,
  narrow: (scopes: string[], resource: OAuthResource) => string[],
): Promise<IssuedTokens | null> {
  const parts = refreshTokenParts(token);
  if (parts === null) return null;
  const { grantId: id, family } = parts;
  const hash = secretHash(token);
  for (;;) {
    const entry = await context.store.get<GrantRow>(oauthGrantKey(id));
    const row = entry.value;
    const at = seconds(context);
    if (row === null || row.client.id !== clientId || row.refreshUntil <= at) return null;
    if (row.refresh !== hash) {
      if (secretMatches(family, row.family)) await removeGrant(context, row.userId, id);
      return null;
    }
    if (!hasStamp((await access.current()).users.get(row.userId), row.stamp)) return null;
    const scopes = narrow(row.scopes, row.resource);
    const { tokens, members } = issueTokens({ id, family, at, scopes, former: row.access });
    const operation = new Operation().check(entry);
    stageRow(operation, id, { ...row, ...members, usedAt: at }, at);
    if ((await context.store.commit(operation)).ok) return tokens;
  }
}

/** Ends the access token, or the grant of the refresh token, if they are the client's. */
export async function revokeToken(
  context: Context,
  token: string,
  clientId: string | undefined,
): Promise<void> {
  const parts = refreshTokenParts(token);
  const id = accessGrantIdOf(token) ?? parts?.grantId;
  if (id === undefined) return;
  const hash = secretHash(token);
  const { value: row } = await context.store.get<GrantRow>(oauthGrantKey(id));
  if (row === null || (clientId !== undefined && row.client.id !== clientId)) return;
  const isOwn = parts === null
    ? row.access.some((one) => one.hash === hash)
    : secretMatches(parts.family, row.family);
  if (isOwn) await removeGrant(context, row.userId, id);
}

/** A grant as its user sees it. */
export interface GrantView {
  id: string;
  client: OAuthClient;
  /** As {@linkcode storedScopes} spells them. */
  scopes: string[];
  resource: OAuthResource;
  createdAt: number;
  usedAt: number;
}

/** The grants of a user, newest first. */
export async function listGrants(
  { context, access }: People,
  userId: string,
): Promise<GrantView[]> {
  const prefix = oauthUserGrantPrefix(userId);
  const names = await context.store.listAll({ prefix }, { limit: GRANTS_LISTED_MAX });
  const ids = names.map(({ key }) => key[2] as string);
  const entries = await context.store.getMany(ids.map(oauthGrantKey));
  const user = (await access.current()).users.get(userId);
  const at = seconds(context);
  return entries.flatMap(({ key, value }) => {
    const row = value as GrantRow | null;
    if (row === null || row.refreshUntil <= at || !hasStamp(user, row.stamp)) return [];
    const { client, scopes, resource, createdAt, usedAt } = row;
    return [{ id: key[1] as string, client, scopes, resource, createdAt, usedAt }];
  }).reverse();
}

/**
 * Ends a grant of a user.
 *
 * @throws {Refusal} NOT_FOUND if it is none of theirs.
 */
export async function endGrant(people: People, userId: string, id: string): Promise<void> {
  const grants = await listGrants(people, userId);
  if (!grants.some((grant) => grant.id === id)) throw new Refusal("NOT_FOUND");
  await removeGrant(people.context, userId, id);
}

/** Removes a grant with its tokens. */
export async function removeGrant(context: Context, userId: string, id: string): Promise<void> {
  const operation = new Operation()
    .delete(oauthGrantKey(id))
    .delete(oauthUserGrantKey(userId, id));
  await context.store.commit(operation);
}

interface NewTokens {
  id: string;
  family: string;
  at: number;
  /** Of the access token. */
  scopes: string[];
  former: GrantRow["access"];
}

function issueTokens({ id, family, at, scopes, former }: NewTokens) {
  const accessToken = mintAccessToken(id);
  const refreshToken = mintRefreshToken(id, family);
  const newest = { hash: secretHash(accessToken), until: at + ACCESS_SECONDS, scopes };
  const valid = former.filter(({ until }) => until > at);
  const members = {
    refresh: secretHash(refreshToken),
    refreshUntil: at + REFRESH_SECONDS,
    access: [newest, ...valid].slice(0, ACCESS_TOKENS_MAX),
  };
  return { tokens: { accessToken, refreshToken, scopes }, members };
}

function stageRow(operation: Operation, id: string, row: GrantRow, at: number): void {
  const expireIn = (row.refreshUntil - at) * 1000;
  operation
    .set(oauthGrantKey(id), row, { expireIn })
    .set(oauthUserGrantKey(row.userId, id), 1, { expireIn });
}

/** The loser of a race has written the same time, or a newer row. */
async function markUsed(
  context: Context,
  id: string,
  entry: Entry<GrantRow>,
  at: number,
): Promise<void> {
  const row = entry.value;
  if (row === null || at - row.usedAt < USED_SECONDS) return;
  const operation = new Operation().check(entry);
  stageRow(operation, id, { ...row, usedAt: at }, at);
  await unlessFull(context.store.commit(operation), null);
}
