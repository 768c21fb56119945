/**
 * Authentication with an API token: one combined read gets the token, its quota, the schema's version and the keys
 * of the handler.
 *
 * @module
 */
import { currentKey, type Key, schemaKey, windowKey } from "../../../kv/keys.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import type { Store } from "../../../kv/store/store.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { countUnauthenticated } from "../../middleware/address_quota.ts";
import { allowOrigin, type BearerRequest, tokenCredentials } from "./bearer_call.ts";
import type { OptimisticAttempt } from "./optimistic_write.ts";

/** The entries that a request starts with. */
interface InitialReads {
  current: Entry<CurrentRow>;
  /** Of the quota; absent if an optimistic attempt has counted the request. */
  window?: Entry | undefined;
  /** The version key of the schema. */
  version: Entry;
  /** In the order of the handler's keys. */
  entries: Entry[];
}

/** A valid token with the entries that were read together with it. */
export interface Authentication {
  token: TokenState;
  reads: InitialReads;
  /** Whether the secret of the request still belongs to a token, and the token is valid. */
  isValid: (token: TokenState) => boolean;
}

/** Authenticates a request; null if its secret is not an API token's. */
export async function authenticate(
  { deps, tokens, http, keys, absent, headers }: BearerRequest,
  attempt: OptimisticAttempt | null,
): Promise<Authentication | null> {
  const credentials = tokenCredentials(http);
  if (credentials === null) return null;
  const { id, text } = credentials;
  const found = attempt?.call?.assumption.found;
  const reads = found
    ? initialReadsOf(found)
    : await readInitially(deps.content.context.store, id, [...keys, ...absent]);
  const isValid = (token: TokenState) => tokens.isValid(token, text);
  const token = tokens.read(reads.current);
  if (token === null || !isValid(token)) return await countUnauthenticated(deps, http, headers);
  http.set("tokenName", token.name);
  allowOrigin(http, token, headers);
  return { token, reads, isValid };
}

async function readInitially(store: Store, id: string, keys: Key[]): Promise<InitialReads> {
  const [current, window, version, ...entries] = await store.getMany([
    currentKey("api_token", id),
    windowKey(`token:${id}`),
    schemaKey,
    ...keys,
  ]) as [Entry<CurrentRow>, Entry, Entry, ...Entry[]];
  return { current, window, version, entries };
}

/** The entries that a failed optimistic attempt has read. */
function initialReadsOf([current, version, ...entries]: Entry[]): InitialReads {
  return { current: current as Entry<CurrentRow>, version: version!, entries };
}
