/**
 * API tokens: minting, changing, rotating, revoking. Only hashes of the secrets are kept; the text of a
 * token is answered once.
 *
 * @module
 */
import { changeStampKey } from "../changes/change_keys.ts";
import { sameJson } from "../model/values/same_json.ts";
import { zip } from "../model/primitives/zip.ts";
import type { Context } from "../context.ts";
import { type CurrentRow, livingEntities } from "../versioning/entities.ts";
import { decodeState } from "../versioning/state_codec.ts";
import { refuseHeldKey } from "../versioning/import_lock.ts";
import { DETAILS_MAX } from "../limits/requests.ts";
import { currentKey, lastUsedKey, schemaKey, tokensKey } from "../keys.ts";
import type { Actor } from "../model/entities/entity.ts";
import type { TokenState } from "../model/entities/token.ts";
import { renamedScopes, slugOfScope, unknownScopes } from "../model/entities/scope.ts";
import type { TokenInput } from "../model/input/token_input.ts";
import {
  mintToken as mintTokenText,
  secretHash,
  secretMatches,
  tokenIdOf,
} from "../model/values/token_text.ts";
import { Refusal } from "../refusals.ts";
import type { SchemaSource } from "../sources/schema_source.ts";
import type { Entry } from "../store/operation.ts";
import { EntityPages } from "../versioning/entity_pages.ts";
import { noteWritten } from "../versioning/optimistic_write.ts";
import type { Transaction } from "../versioning/transaction.ts";
import { versionedWrite } from "../versioning/versioned_write.ts";

/** A token as the admin sees it. */
export type TokenView = Omit<TokenState, "hash" | "previousHash" | "previousUntil"> & {
  lastUsedAt: number | null;
};

/** Mints a token; the text is not kept. Without a schema its scopes are taken as they are. */
export async function mintToken(
  context: Context,
  actor: Actor,
  input: TokenInput,
  schema: SchemaSource | null,
): Promise<{ view: TokenView; text: string }> {
  return await versionedWrite(context, actor, async (transaction) => {
    await refuseHeldKey(transaction, await transaction.get(tokensKey));
    const { scopes } = input;
    if (schema !== null) await refuseUnknownScopes(transaction, schema, scopes, []);
    const id = transaction.newId();
    const text = mintTokenText(id);
    const at = transaction.at;
    const state: TokenState = {
      id,
      ...input,
      revokedAt: null,
      createdAt: at,
      updatedAt: at,
      hash: secretHash(text),
      previousHash: null,
      previousUntil: null,
    };
    const head = transaction.newHead("api_token", id);
    transaction.save("api_token", id, head, state);
    return { view: tokenView(state, null), text };
  });
}

/** Changes a token's name, scopes, quota, origins or expiry. */
export function patchToken(
  context: Context,
  actor: Actor,
  id: string,
  patch: Partial<TokenInput>,
  schema: SchemaSource | null,
): Promise<TokenView> {
  return changeToken(context, actor, id, async (state, transaction) => {
    if (schema !== null && patch.scopes !== undefined) {
      await refuseUnknownScopes(transaction, schema, patch.scopes, state.scopes);
    }
    return { ...state, ...patch };
  });
}

/** Refuses scopes on unknown collections, except `held` ones; the commit fails if a collection is deleted first. */
async function refuseUnknownScopes(
  transaction: Transaction,
  schema: SchemaSource,
  scopes: string[],
  held: readonly string[],
): Promise<void> {
  if (scopes.every((scope) => held.includes(scope) || slugOfScope(scope) === null)) return;
  const { bySlug } = await schema.at(await transaction.get(schemaKey));
  const details = unknownScopes(scopes, bySlug, held);
  if (details.length === 0) return;
  throw new Refusal("VALIDATION_FAILED", { details: details.slice(0, DETAILS_MAX) });
}

/** Lets scopes follow a collection to its new slug, in the commit that renames it. */
export async function renameScopes(
  transaction: Transaction,
  from: string,
  to: string,
): Promise<void> {
  await refuseHeldKey(transaction, await transaction.get(tokensKey));
  for await (const { id, state } of livingEntities(transaction.context, "api_token")) {
    const scopes = renamedScopes(state.scopes, from, to);
    if (scopes === state.scopes) continue;
    const head = await transaction.head("api_token", id);
    if (head.state === null) continue;
    const updatedAt = Math.max(transaction.at, head.row.at);
    const summary = `the collection ${from} is now ${to}`;
    transaction.save("api_token", id, head, { ...state, scopes, updatedAt }, { summary });
  }
}

/** Revokes a token for good; it stays listed. */
export function revokeToken(context: Context, actor: Actor, id: string): Promise<TokenView> {
  return changeToken(
    context,
    actor,
    id,
    (state, { at }) => ({ ...state, revokedAt: state.revokedAt ?? at }),
  );
}

/** Gives a token a new secret; the old one stays valid for `overlapSeconds`. */
export async function rotateToken(
  context: Context,
  actor: Actor,
  id: string,
  overlapSeconds: number,
): Promise<{ view: TokenView; text: string }> {
  const text = mintTokenText(id);
  const view = await changeToken(context, actor, id, (state, { at }) => {
    if (state.revokedAt !== null) throw new Refusal("CONFLICT", { about: "the token is revoked" });
    return {
      ...state,
      hash: secretHash(text),
      previousHash: overlapSeconds > 0 ? state.hash : null,
      previousUntil: overlapSeconds > 0 ? at + overlapSeconds : null,
    };
  });
  return { view, text };
}

async function changeToken(
  context: Context,
  actor: Actor,
  id: string,
  change: (state: TokenState, transaction: Transaction) => TokenState | Promise<TokenState>,
): Promise<TokenView> {
  return await versionedWrite(context, actor, async (transaction: Transaction) => {
    const key = currentKey("api_token", id);
    await transaction.peek(tokensKey, key, lastUsedKey(id));
    await refuseHeldKey(transaction, await transaction.get(tokensKey));
    const head = await transaction.living("api_token", id);
    // The version key may have been read after the row.
    transaction.operation.check(head.entry);
    const { state } = head;
    const next = await change(state, transaction);
    if (!sameJson(next, state)) {
      next.updatedAt = Math.max(transaction.at, head.row.at);
      transaction.save("api_token", id, head, next);
      transaction.after(() => Promise.resolve(noteWritten(transaction, "api_token", id)));
      // Streams of the feed look at their token when there is something new: this is.
      transaction.operation.touch(changeStampKey);
    }
    const [used] = await transaction.peek<number>(lastUsedKey(id));
    return tokenView(next, used.value);
  });
}

/** A token by id. */
export async function getToken(context: Context, id: string): Promise<TokenView> {
  const [current, used] = await context.store.getMany([
    currentKey("api_token", id),
    lastUsedKey(id),
  ]);
  const state = tokenOfRow((current as Entry<CurrentRow>).value);
  if (state === null) throw new Refusal("NOT_FOUND");
  return tokenView(state, (used as Entry<number>).value);
}

/** All tokens, newest first. */
export async function listTokens(context: Context): Promise<TokenView[]> {
  const states: TokenState[] = [];
  for await (const { state } of livingEntities(context, "api_token")) {
    states.push(state);
  }
  return (await viewsOf(context, states)).reverse();
}

async function viewsOf({ store }: Context, states: TokenState[]): Promise<TokenView[]> {
  const used = await store.getMany(states.map((state) => lastUsedKey(state.id)));
  return zip(states, used).map(([state, { value }]) => tokenView(state, value as number | null));
}

/** Pages of tokens, newest first. */
export class TokenPages {
  readonly #context: Context;
  readonly #pages: EntityPages<"api_token">;

  constructor(context: Context) {
    this.#context = context;
    this.#pages = new EntityPages(context, "api_token", tokensKey);
  }

  /** The tokens from position `start` to before `end`, and how many there are. */
  async read(start: number, end: number): Promise<{ data: TokenView[]; total: number }> {
    const { data, total } = await this.#pages.read(start, end);
    const states = data.map(({ state }) => state);
    return { data: await viewsOf(this.#context, states), total };
  }
}

/** The state of a token's current row; tokens are small, so their rows always hold it. */
export function tokenOfRow(row: CurrentRow | null): TokenState | null {
  return row?.body === undefined ? null : decodeState<"api_token">(row.body);
}

/**
 * Whether a text is this token's, and the token neither revoked nor expired at `now` (epoch seconds); `matches`
 * compares a text with a hash.
 */
export function isTokenValid(
  token: TokenState,
  text: string,
  now: number,
  matches = secretMatches,
): boolean {
  if (token.revokedAt !== null) return false;
  if (token.expiresAt !== null && token.expiresAt <= now) return false;
  if (matches(text, token.hash)) return true;
  if (token.previousHash === null || (token.previousUntil ?? 0) <= now) return false;
  return matches(text, token.previousHash);
}

/** Whether a secret opens with a token's next state what it does not open now; `at` is epoch seconds. */
export function isValidAgain(before: TokenState | null, after: TokenState, at: number): boolean {
  const isOpen = ({ revokedAt, expiresAt }: TokenState) =>
    revokedAt === null && (expiresAt === null || expiresAt > at);
  return isOpen(after) && (before === null || !isOpen(before) || before.hash !== after.hash);
}

/** The scopes of a token's text, or null when it is not valid now. */
export async function scopesOfToken(context: Context, text: string): Promise<string[] | null> {
  const id = tokenIdOf(text);
  if (id === null) return null;
  const state = tokenOfRow(
    (await context.store.get<CurrentRow>(currentKey("api_token", id))).value,
  );
  return state !== null && isTokenValid(state, text, context.now() / 1000) ? state.scopes : null;
}

/** A token without its secrets. */
function tokenView(state: TokenState, lastUsedAt: number | null): TokenView {
  const { hash: _hash, previousHash: _previous, previousUntil: _until, ...view } = state;
  return { ...view, lastUsedAt };
}
