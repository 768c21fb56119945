/**
 * The authorization code flow: a request that waits for consent, and the code that a consent makes, which works
 * once and only with the verifier of its challenge.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { type Context, seconds } from "../../context.ts";
import { oauthCodeKey, oauthRequestKey } from "../../keys.ts";
import { credentialStamp, hasStamp, type User } from "../../model/people/user.ts";
import { newSecret, secretHash } from "../../model/values/token_text.ts";
import type { People } from "../people.ts";
import { Operation } from "../../store/operation.ts";
import { type Expiring, findRow, keepRow, takeRow } from "../expiring_rows.ts";
import { type GrantFacts, type IssuedTokens, removeGrant, stageGrant } from "./grants.ts";
import type { OAuthResource } from "./oauth_scopes.ts";

/** Seconds a request waits for consent. */
const REQUEST_SECONDS = 10 * 60;
/** Seconds a code works. */
const CODE_SECONDS = 5 * 60;
/** How long a used code is remembered. */
const USED_CODE_MS = 86_400_000;

/** A request for access, checked. */
export interface AuthorizationRequest extends Omit<GrantFacts, "provenAt"> {
  redirectUri: string;
  state: string | null;
  codeChallenge: string;
  /** The session that the consent page was shown to. */
  sessionHash: string;
}

interface CodeRow extends GrantFacts {
  userId: string;
  stamp: string;
  redirectUri: string;
  codeChallenge: string;
  expiresAt: number;
  /** Set once it is used. */
  grantId?: string;
}

/** What a client sends to redeem a code. */
export interface CodeRedemption {
  code: string;
  clientId: string;
  verifier: string;
  redirectUri: string | undefined;
  /** Refuses, by throwing, a resource that the client does not ask for now. */
  checkResource?: (granted: OAuthResource) => void;
}

/** Keeps a request until its user answers; the text names it in the form. */
export async function keepRequest(
  context: Context,
  request: AuthorizationRequest,
): Promise<string> {
  const text = newSecret();
  await keepRow(context, oauthRequestKey(secretHash(text)), request, REQUEST_SECONDS);
  return text;
}

/** The request with this text, used up; null if there is none, or it was shown to another session. */
export async function takeRequest(
  context: Context,
  text: string,
  sessionHash: string,
): Promise<AuthorizationRequest | null> {
  const key = oauthRequestKey(secretHash(text));
  const entry = await findRow<Expiring<AuthorizationRequest>>(context, key);
  if (entry?.value.sessionHash !== sessionHash) return null;
  return await takeRow(context, entry) ? entry.value : null;
}

/** A code for the scopes that a user has consented to. */
export async function issueCode(
  context: Context,
  user: User,
  { client, resource, redirectUri, codeChallenge }: AuthorizationRequest,
  { scopes, provenAt }: Pick<GrantFacts, "scopes" | "provenAt">,
): Promise<string> {
  const code = newSecret();
  const row: Omit<CodeRow, "expiresAt"> = {
    client,
    resource,
    scopes,
    provenAt,
    userId: user.id,
    stamp: credentialStamp(user),
    redirectUri,
    codeChallenge,
  };
  await keepRow(context, oauthCodeKey(secretHash(code)), row, CODE_SECONDS);
  return code;
}

/** Tokens for a code; null if anything about it is wrong. A second use ends the grant of the first. */
export async function redeemCode(
  { context, access }: People,
  { code, clientId, verifier, redirectUri, checkResource }: CodeRedemption,
): Promise<IssuedTokens | null> {
  const key = oauthCodeKey(secretHash(code));
  for (;;) {
    const entry = await context.store.get<CodeRow>(key);
    const row = entry.value;
    if (row === null) return null;
    if (row.grantId !== undefined) {
      await removeGrant(context, row.userId, row.grantId);
      return null;
    }
    const isOwn = row.client.id === clientId && row.expiresAt > seconds(context) &&
      (redirectUri === undefined || redirectUri === row.redirectUri) &&
      challengeOf(verifier) === row.codeChallenge;
    const user = (await access.current()).users.get(row.userId);
    if (!isOwn || !hasStamp(user, row.stamp)) return null;
    checkResource?.(row.resource);
    const operation = new Operation().check(entry);
    const { client, resource, scopes, provenAt } = row;
    const { id, ...tokens } = stageGrant(operation, context, user, {
      client,
      resource,
      scopes,
      provenAt,
    });
    operation.set(key, { ...row, grantId: id }, { expireIn: USED_CODE_MS });
    if ((await context.store.commit(operation)).ok) return tokens;
  }
}

/** The S256 challenge of a verifier; an impossible one for a malformed verifier. */
function challengeOf(verifier: string): string {
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return "";
  return createHash("sha256").update(verifier).digest("base64url");
}
