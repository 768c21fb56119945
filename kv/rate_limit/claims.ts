/**
 * Claims to a lease. A process that lost a round writes a claim, which needs no check; the process that wins the
 * next round grants all claims together with its own decision. So many processes on a remote store
 * share a round, instead of winning one each.
 *
 * @module
 */
import { leaseClaimKey, leaseClaimsPrefix } from "../keys.ts";
import { KV_CHECKS_MAX } from "../limits/store.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** Claims granted in one commit: each needs a check of it, and so does the window. */
const CLAIMS_MAX = KV_CHECKS_MAX - 1;

/** The request of a process. */
export interface Claim {
  /** The lease it becomes. */
  id: string;
  quota: number;
  /** Requests that wait for it. */
  wanted: number;
}

/** The claims of one bucket, as one process sees them. */
export class Claims {
  readonly #store: Store;
  readonly #bucket: string;
  readonly #lifeMs: number;
  /** This process's claim, as long as it is not known to be granted. */
  #own: Claim | null = null;

  constructor(store: Store, bucket: string, lifeMs: number) {
    this.#store = store;
    this.#bucket = bucket;
    this.#lifeMs = lifeMs;
  }

  /** The own claim. */
  get own(): Claim | null {
    return this.#own;
  }

  /** Claims, unless a claim is open already. */
  async make(claim: Claim): Promise<void> {
    if (this.#own !== null) return;
    this.#own = claim;
    const key = leaseClaimKey(this.#bucket, claim.id);
    await this.#store.commit(new Operation().set(key, claim, { expireIn: this.#lifeMs }));
  }

  /** The claims of other processes. */
  async others(): Promise<Entry<Claim>[]> {
    const range = { prefix: leaseClaimsPrefix(this.#bucket) };
    const entries = await this.#store.listAll<Claim>(range, { limit: CLAIMS_MAX + 1 });
    return entries.filter(({ value }) => value.id !== this.#own?.id).slice(0, CLAIMS_MAX);
  }

  /** Adds to a commit of the window that the own claim is not needed any more. */
  drop(operation: Operation): void {
    if (this.#own !== null) operation.delete(leaseClaimKey(this.#bucket, this.#own.id));
  }

  /** The own claim was granted, or dropped in a commit. */
  close(): void {
    this.#own = null;
  }

  /** Withdraws this process's claim, unless another process has granted it. */
  async withdraw(): Promise<void> {
    const operation = new Operation();
    this.drop(operation);
    await this.#store.commit(operation);
  }
}

/** Adds to a commit that `claims` are granted, which fails if one of them has been dropped. */
export function grantClaims(operation: Operation, claims: readonly Entry<Claim>[]): void {
  for (const { key, versionstamp } of claims) {
    operation.check({ key, versionstamp }).delete(key);
  }
}
