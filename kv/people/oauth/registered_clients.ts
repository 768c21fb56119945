/**
 * Clients that have registered themselves (RFC 7591), where the setting `auth.oauth.register` lets them.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { oauthClientKey } from "../../keys.ts";
import type { OAuthClient } from "./grants.ts";
import { Operation } from "../../store/operation.ts";

/** A client that was never used, or not for long, is forgotten: 90 days. */
const CLIENT_MS = 90 * 86_400_000;

/** A client, and where it may be answered. */
export interface KnownClient extends OAuthClient {
  redirectUris: string[];
}

/** Registers a client; answers its id. */
export async function registerClient(
  context: Context,
  client: Omit<KnownClient, "id">,
): Promise<KnownClient> {
  const id = `client-${context.newId(context.now()).toLowerCase()}`;
  await keepClient(context, { ...client, id });
  return { ...client, id };
}

/** The registered client with this id, which is remembered for longer; null if there is none. */
export async function findRegistered(context: Context, id: string): Promise<KnownClient | null> {
  const { value } = await context.store.get<KnownClient>(oauthClientKey(id));
  if (value !== null) await keepClient(context, value);
  return value;
}

async function keepClient({ store }: Context, client: KnownClient): Promise<void> {
  const options = { expireIn: CLIENT_MS };
  await store.commit(new Operation().set(oauthClientKey(client.id), client, options));
}
