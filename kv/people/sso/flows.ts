/**
 * Sign-ins at a provider that are under way: bound to a browser by a cookie, for ten minutes, and used once.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { type Key, oidcFlowKey, oidcLinkKey } from "../../keys.ts";
import { newSecret, secretHash } from "../../model/values/token_text.ts";
import { type Expiring, findRow, keepRow, takeRow } from "../expiring_rows.ts";

/** Seconds a flow, or a link, works. */
export const FLOW_SECONDS = 10 * 60;

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
  const secret = newSecret();
  await keepRow(context, keyOf(secretHash(secret)), value, FLOW_SECONDS);
  return secret;
}

async function take<T extends object>(context: Context, key: Key): Promise<T | null> {
  const entry = await findRow<Expiring<T>>(context, key);
  return entry !== null && await takeRow(context, entry) ? entry.value : null;
}
