/**
 * Rows of a family on a fixed number of shards. Each shard has a stamp that every writer touches without
 * reading it, so that writers never conflict. A reader caches the shards and reads only those whose stamp has
 * changed; its answer includes everything committed before it asked.
 *
 * @module
 */
import {
  type Key,
  shardKey,
  shardRowPrefix,
  SHARDS,
  shardStampPrefix,
  shardsVersionKey,
} from "../keys.ts";
import { ReferenceManager } from "../cache/reference_manager.ts";
import type { Entry, Operation } from "./operation.ts";
import type { Store } from "./store.ts";
import { RELOADED_SHARDS_MAX } from "../tuning.ts";

/** Families of rows on shards. */
export type ShardFamily = "media" | "references";

/** Shards of a family: with 10,000 rows, one change is some 160 rows to read again. */
const SHARD_COUNT = 64;

/** The shard of an id. */
export function shardOf(id: string): number {
  let hash = 0;
  for (let index = 0; index < id.length; index++) hash = hash * 31 + id.charCodeAt(index) | 0;
  return (hash >>> 0) % SHARD_COUNT;
}

/** Adds a row to a commit, or its removal (null). */
export function stageSharded(
  operation: Operation,
  family: ShardFamily,
  row: { id: string; name?: string; value: unknown },
): void {
  const shard = shardOf(row.id);
  const key = shardKey(shardRowPrefix(family), shard, row.id, row.name ?? "");
  if (row.value === null) operation.delete(key);
  else operation.set(key, row.value);
  touchShard(operation, family, shard);
}

/** Touches the stamp of a row that is deleted by its key; other keys are ignored. */
export function stampRemovedRow(operation: Operation, key: Key): void {
  const [first, family, part, shard] = key;
  if (first !== SHARDS || part !== "row") return;
  touchShard(operation, family as string, shard as number);
}

function touchShard(operation: Operation, family: string, shard: number): void {
  operation.touch(shardKey(shardStampPrefix(family), shard)).touch(shardsVersionKey(family));
}

/** The prefix of the rows of an id. */
function shardRowsOf(family: ShardFamily, id: string): Key {
  return shardKey(shardRowPrefix(family), shardOf(id), id);
}

const nameOfRow = (key: Key) => key[5] as string;

/** The names under which an id has rows, read from the store. */
export async function* listNames(
  store: Store,
  family: ShardFamily,
  id: string,
): AsyncGenerator<string> {
  for await (const { key } of store.list({ prefix: shardRowsOf(family, id) })) {
    yield nameOfRow(key);
  }
}

/** The last of these names, in descending order, at most `limit`. */
export async function lastNames(
  store: Store,
  family: ShardFamily,
  id: string,
  limit: number,
): Promise<string[]> {
  const range = { prefix: shardRowsOf(family, id) };
  const rows = await store.listAll(range, { limit, reverse: true });
  return rows.map(({ key }) => nameOfRow(key));
}

/** The cached shards of a family, and their version. */
export interface ShardsSnapshot<Content> {
  /** The versionstamp of the family's version key; null while it never had a row. */
  version: string | null;
  shards: readonly Content[];
}

/** Reads a family and caches it for one process. */
export class Shards<Content> {
  readonly #store: Store;
  readonly #family: ShardFamily;
  /** Converts the rows of a shard to what the reader caches. */
  readonly #fill: (rows: Entry[]) => Content;
  #stamps: (string | null)[] = [];
  readonly #snapshots = new ReferenceManager<ShardsSnapshot<Content>>((known) => this.#take(known));

  constructor(store: Store, family: ShardFamily, fill: (rows: Entry[]) => Content) {
    this.#store = store;
    this.#family = family;
    this.#fill = fill;
  }

  /** All shards, no older than this call: one read if nothing has changed. */
  async current(): Promise<ShardsSnapshot<Content>> {
    const { versionstamp } = await this.#store.get(shardsVersionKey(this.#family));
    return await this.#snapshots.at(versionstamp);
  }

  async #take(
    snapshot: ShardsSnapshot<Content> | undefined,
  ): Promise<ShardsSnapshot<Content>> {
    const store = this.#store;
    const { versionstamp } = await store.get(shardsVersionKey(this.#family));
    const entries = await store.listAll({ prefix: shardStampPrefix(this.#family) });
    const stamps = new Array<string | null>(SHARD_COUNT).fill(null);
    for (const { key, versionstamp } of entries) stamps[key[3] as number] = versionstamp;
    const known = snapshot?.shards;
    const changed = stamps.flatMap((stamp, shard) =>
      known === undefined || stamp !== this.#stamps[shard] ? [shard] : []
    );
    const shards = known === undefined ? [] : [...known];
    const rows = changed.length > RELOADED_SHARDS_MAX
      ? await this.#all()
      : await this.#some(changed);
    for (const shard of changed) shards[shard] = this.#fill(rows.get(shard) ?? []);
    this.#stamps = stamps;
    return { version: versionstamp, shards };
  }

  async #all(): Promise<Map<number, Entry[]>> {
    const rows = new Map<number, Entry[]>();
    for await (const entry of this.#store.list({ prefix: shardRowPrefix(this.#family) })) {
      const shard = entry.key[3] as number;
      const known = rows.get(shard);
      if (known === undefined) rows.set(shard, [entry]);
      else known.push(entry);
    }
    return rows;
  }

  async #some(changed: number[]): Promise<Map<number, Entry[]>> {
    const read = changed.map(async (shard): Promise<[number, Entry[]]> => {
      const range = { prefix: shardKey(shardRowPrefix(this.#family), shard) };
      return [shard, await Array.fromAsync(this.#store.list(range))];
    });
    return new Map(await Promise.all(read));
  }
}
