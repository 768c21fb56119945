/**
 * The tokens that this process has seen recently, and when it last recorded their use.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import { lastUsedKey, tokenUseKey } from "../../../kv/keys.ts";
import { LAST_USED_SECONDS } from "../../../kv/limits/people.ts";
import type { TokenState } from "../../../kv/model/entities/token.ts";
import { KnownSecrets } from "../../../kv/model/values/token_text.ts";
import { TokenUse, type UseOfHour } from "../../../kv/people/token_use.ts";
import { isTokenValid, tokenOfRow } from "../../../kv/people/tokens.ts";
import { unlessFull } from "../../../kv/store/driver.ts";
import { type Entry, Operation } from "../../../kv/store/operation.ts";
import { TOKENS_KEPT_MAX } from "../../input/limits.ts";

/** The stored use of a token. */
type Uses = [last: Entry<number>, counts: Entry<UseOfHour[]>];

/** Caches parsed tokens and their use. */
export class TokenCache {
  readonly #context: Context;
  readonly #tokens = new Map<string, { vid: string; state: TokenState }>();
  readonly #secrets = new KnownSecrets(TOKENS_KEPT_MAX);
  readonly #used = new Map<string, number>();
  readonly #use = new TokenUse();

  constructor(context: Context) {
    this.#context = context;
  }

  /** The token of a live row, parsed once per version. */
  read({ key, value }: Entry<CurrentRow>): TokenState | null {
    if (value === null) return null;
    const id = key[2] as string;
    const cached = this.#tokens.get(id);
    if (cached?.vid === value.vid) return cached.state;
    const state = tokenOfRow(value);
    if (state === null) return null;
    if (this.#tokens.size >= TOKENS_KEPT_MAX) this.#tokens.clear();
    this.#tokens.set(id, { vid: value.vid, state });
    return state;
  }

  /** Whether a text is the secret of a token, and the token is neither revoked nor expired. */
  isValid(token: TokenState, text: string): boolean {
    const now = this.#context.now() / 1000;
    return isTokenValid(token, text, now, (given, hash) => this.#secrets.matches(given, hash));
  }

  /** Whether the use of a token is due to be stored: once a minute. */
  isUseDue(id: string): boolean {
    const marked = this.#used.get(id);
    return marked === undefined || this.#now() - marked >= LAST_USED_SECONDS;
  }

  /** The stored use of a token for the request that updates it, once a minute; null in between. */
  async usesOf(id: string): Promise<Uses | null> {
    if (!this.isUseDue(id)) return null;
    if (this.#used.size >= TOKENS_KEPT_MAX) this.#used.clear();
    this.#used.set(id, this.#now());
    return await this.#context.store.getMany([lastUsedKey(id), tokenUseKey(id)]) as Uses;
  }

  /** Stores when and how often a token was used, at most once a minute: the only write without a version. */
  async markUsed(id: string, uses: Uses | null): Promise<void> {
    const now = this.#now();
    this.#use.count(id, now);
    if (uses === null) return;
    const [last, counts] = uses;
    if (last.value !== null && now - last.value < LAST_USED_SECONDS) return;
    // The loser of this race would have written the same time; it keeps counting.
    const operation = new Operation().check(last).set(last.key, now);
    const committed = this.#use.stage(operation, id, counts);
    const result = await unlessFull(this.#context.store.commit(operation), null);
    if (result?.ok) committed();
  }

  /** Discards the use of a request that was not admitted. */
  forgetUse(id: string): void {
    this.#used.delete(id);
  }

  #now(): number {
    return Math.floor(this.#context.now() / 1000);
  }
}
