/**
 * Sign-ins at a provider that are under way: bound to a browser by a cookie, for ten minutes, and used once.
 *
 * @module
 */
import { type Context, seconds } from "../../context.ts";
import { type Key, oidcFlowKey, oidcLinkKey } from "../../keys.ts";
import { randomBase62, secretHash } from "../../model/values/token_text.ts";
import { Operation } from "../../store/operation.ts";

/** Seconds a flow, or a link, works. */
export const FLOW_SECONDS = 10 * 60;
/** Characters of a secret: 190 bits. */
const SECRET_CHARS = 32;

/** A flow. */
export interface Flow {
  provider: string;
  state: string;
  nonce: string;
  verifier: string;
  /** A path of the studio. */
  returnTo: string;
  /** What happens when it succeeds. */
  purpose:
    | { kind: "sign-in" }
    | { kind: "link"; userId: string }
    | { kind: "prove"; userId: string; sessionHash: string };
}

/** A link to a provider that the user of a session has asked for. */
export interface LinkRequest {
  provider: string;
  userId: string;
  sessionHash: string;
}

type Row<T> = T & { expiresAt: number };

/** Keeps a flow; answers the secret of its cookie. */
export function keepFlow(context: Context, flow: Flow): Promise<string> {
  return keep(context, oidcFlowKey, flow);
}

/** The flow of a cookie, used up; null if there is none. */
export function takeFlow(context: Context, secret: string): Promise<Flow | null> {
  return take<Flow>(context, oidcFlowKey(secretHash(secret)));
}

/** Keeps a request for a link; answers the secret of its address. */
export function keepLink(context: Context, link: LinkRequest): Promise<string> {
  return keep(context, oidcLinkKey, link);
}

/** The request for a link with a secret, used up; null if there is none. */
export function takeLink(context: Context, secret: string): Promise<LinkRequest | null> {
  return take<LinkRequest>(context, oidcLinkKey(secretHash(secret)));
}

async function keep<T extends object>(
  context: Context,
  keyOf: (hash: string) => Key,
  value: T,
): Promise<string> {
  const secret = randomBase62(SECRET_CHARS);
  const row: Row<T> = { ...value, expiresAt: seconds(context) + FLOW_SECONDS };
  const options = { expireIn: FLOW_SECONDS * 1000 };
  await context.store.commit(new Operation().set(keyOf(secretHash(secret)), row, options));
  return secret;
}

async function take<T extends object>(context: Context, key: Key): Promise<T | null> {
  const entry = await context.store.get<Row<T>>(key);
  if (entry.value === null || entry.value.expiresAt <= seconds(context)) return null;
  const operation = new Operation().check(entry).delete(key);
  return (await context.store.commit(operation)).ok ? entry.value : null;
}
