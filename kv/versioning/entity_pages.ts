/**
 * Pages of the entities of a type, newest first, with totals. Their ids are kept in memory until a write of one of
 * them, which touches their version key: a page then reads the entities that it shows.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { currentKey, type Key } from "../keys.ts";
import type { EntityType, StateOf } from "../model/entities/entity_kinds.ts";
import type { Entry } from "../store/operation.ts";
import { type CurrentRow, livingEntities, readHead } from "./entities.ts";
import { StampedCache } from "./stamped_cache.ts";

/** An entity of a page. */
export interface ListedEntity<T extends EntityType> {
  state: StateOf<T>;
  /** Version number. */
  n: number;
}

/** Lists the entities of a type by position. */
export class EntityPages<T extends EntityType> {
  readonly #context: Context;
  readonly #type: T;
  readonly #ids: StampedCache<string[]>;

  /** `versionKey` is touched by every write of an entity of the type. */
  constructor(context: Context, type: T, versionKey: Key) {
    this.#context = context;
    this.#type = type;
    this.#ids = new StampedCache<string[]>(context, versionKey, async () => {
      const ids: string[] = [];
      for await (const { id } of livingEntities(context, type)) ids.push(id);
      return ids.reverse();
    });
  }

  /** The entities from position `start` to before `end`, and how many there are. */
  async read(start: number, end: number): Promise<{ data: ListedEntity<T>[]; total: number }> {
    const { store } = this.#context;
    const ids = await this.#ids.current();
    const keys = ids.slice(start, end).map((id) => currentKey(this.#type, id));
    const entries = await store.getMany(keys) as Entry<CurrentRow>[];
    const heads = await Promise.all(
      entries.map((entry) =>
        readHead(this.#context, this.#type, entry.key[2] as string, entry.key, entry)
      ),
    );
    const data = heads.flatMap(({ row, state }) =>
      // Deleted since.
      row === null || state === null ? [] : [{ state: state as StateOf<T>, n: row.n }]
    );
    return { data, total: ids.length };
  }
}
