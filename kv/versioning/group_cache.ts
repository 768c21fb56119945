/**
 * The entities of a group in memory, with the heads that a write of one of them needs.
 *
 * @module
 */
import { refuseHeldKey } from "./import_lock.ts";
import type { Context } from "../context.ts";
import type { Key } from "../keys.ts";
import type { Transaction } from "./transaction.ts";
import type { KnownHeads } from "./known_heads.ts";
import { StampedCache } from "./stamped_cache.ts";

/** A {@linkcode StampedCache} of what transactions decide by. */
export class GroupCache<T extends { heads: KnownHeads }> extends StampedCache<T> {
  readonly #versionKey: Key;

  /** `read` as for a {@linkcode StampedCache}. */
  constructor(context: Context, versionKey: Key, read: (stamp: string | null) => Promise<T>) {
    super(context, versionKey, read);
    this.#versionKey = versionKey;
  }

  /**
   * The value that a transaction decides by; its commit fails if the value has changed.
   *
   * @throws {Refusal} CONFLICT while an import replaces the group.
   */
  async of(transaction: Transaction): Promise<T> {
    const version = await transaction.get(this.#versionKey);
    await refuseHeldKey(transaction, version);
    const read = await this.at(version);
    transaction.know(read.heads);
    return read;
  }
}
