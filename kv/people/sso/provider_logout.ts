/**
 * Sessions that end because a session at their provider has ended.
 *
 * @module
 */
import { oidcLogoutKey, oidcSessionPrefix } from "../../keys.ts";
import { seconds } from "../../context.ts";
import { SESSIONS_LISTED_MAX } from "../../limits/people.ts";
import { secretHash } from "../../model/values/token_text.ts";
import type { People } from "../people.ts";
import { endSession, listSessions, readSession } from "../sessions.ts";
import { Operation } from "../../store/operation.ts";
import { userOfIdentity } from "./claims.ts";

/** The user or session that a logout token names. */
export interface ProviderLogout {
  issuer: string;
  subject: string | null;
  sid: string | null;
}

/**
 * Does what a logout token says. It is marked as used afterwards, so the provider can send it again if the process
 * ends before.
 *
 * @returns False if the token was used before.
 */
export async function acceptLogout(
  people: People,
  provider: string,
  { jti, acceptedUntil, ...logout }: ProviderLogout & { jti: string; acceptedUntil: number },
): Promise<boolean> {
  const { context } = people;
  const key = oidcLogoutKey(provider, secretHash(jti));
  const entry = await context.store.get(key);
  if (entry.value !== null) return false;
  await endProviderSessions(people, provider, logout);
  const expireIn = Math.max(1, acceptedUntil - seconds(context)) * 1000;
  return (await context.store.commit(new Operation().check(entry).set(key, 1, { expireIn }))).ok;
}

/** Ends the sessions that began in a session at a provider; without its id, all that a user began there. */
async function endProviderSessions(
  people: People,
  provider: string,
  { issuer, subject, sid }: ProviderLogout,
): Promise<void> {
  const { context, access } = people;
  if (sid !== null) {
    const range = { prefix: oidcSessionPrefix(provider, sid) };
    const rows = await context.store.listAll<string>(range, { limit: SESSIONS_LISTED_MAX });
    for (const { key, value: userId } of rows) {
      const hash = key[3] as string;
      const { value: row } = await readSession(context, hash);
      if (row?.method === `oidc:${provider}`) await endSession(context, userId, hash);
      await context.store.commit(new Operation().delete(key));
    }
    return;
  }
  if (subject === null) return;
  const user = userOfIdentity(await access.current(), { issuer, subject });
  if (user === undefined) return;
  for (const { hash, row } of await listSessions(people, user.id)) {
    if (row.method === `oidc:${provider}`) await endSession(context, user.id, hash);
  }
}
