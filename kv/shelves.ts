/**
 * Rows of a family on a fixed number of shelves, each with a stamp that every writer touches without
 * looking, so that writers never wait for each other. A reader keeps what it has read and reads again
 * only the shelves whose stamps have moved; what was committed before it asked is in its answer.
 *
 * @module
 */
import { type Key, shelfKey, shelfRowPrefix, shelfStampPrefix, shelvesVersionKey } from "./keys.ts";
import type { Entry, Operation } from "./store/operation.ts";
import type { Store } from "./store/store.ts";

/** Families of rows that are kept on shelves. */
export type ShelfFamily = "media" | "pointers";

/** Shelves of a family: with 10,000 rows, one change is some 160 rows to read again. */
export const SHELVES = 64;
/** From this many changed shelves on, all are read in one go. */
const RELOADED_MAX = 16;

/** The shelf of an id. */
export function shelfOf(id: string): number {
  let hash = 0;
  for (let place = 0; place < id.length; place++) hash = hash * 31 + id.charCodeAt(place) | 0;
  return (hash >>> 0) % SHELVES;
}

/** Adds a row to a commit, or its removal (null). */
export function stageShelved(
  operation: Operation,
  family: ShelfFamily,
  row: { id: string; name?: string; value: unknown },
): void {
  const shelf = shelfOf(row.id);
  const key = shelfKey(shelfRowPrefix(family), shelf, row.id, row.name ?? "");
  if (row.value === null) operation.delete(key);
  else operation.set(key, row.value);
  touchShelf(operation, family, shelf);
}

/** Tells the readers of a row whose key somebody deletes as a key; any other key is let pass. */
export function stampRemovedRow(operation: Operation, key: Key): void {
  const [first, family, part, shelf] = key;
  if (first !== "shelves" || part !== "row") return;
  touchShelf(operation, family as string, shelf as number);
}

function touchShelf(operation: Operation, family: string, shelf: number): void {
  operation.touch(shelfKey(shelfStampPrefix(family), shelf)).touch(shelvesVersionKey(family));
}

/** The names under which an id has rows, straight from the store. */
export async function* listNames(
  store: Store,
  family: ShelfFamily,
  id: string,
): AsyncGenerator<string> {
  const prefix = shelfKey(shelfRowPrefix(family), shelfOf(id), id);
  for await (const { key } of store.list({ prefix })) {
    yield key[5] as string;
  }
}

/** What a reader has of a family: one content per shelf, and how new all of it is. */
export interface ShelvesPicture<Content> {
  /** Of the family's version key; null while there was never a row. */
  version: string | null;
  shelves: readonly Content[];
}

/** Reads a family and keeps it, as one process does. */
export class Shelves<Content> {
  readonly #store: Store;
  readonly #family: ShelfFamily;
  /** Makes of the rows of a shelf what the reader wants to have of it. */
  readonly #fill: (rows: Entry[]) => Content;
  #stamps: (string | null)[] = [];
  #picture: ShelvesPicture<Content> | undefined;
  #taking: Promise<void> | undefined;

  constructor(store: Store, family: ShelfFamily, fill: (rows: Entry[]) => Content) {
    this.#store = store;
    this.#family = family;
    this.#fill = fill;
  }

  /** All shelves, no older than this call: one read when nothing has changed. */
  async current(): Promise<ShelvesPicture<Content>> {
    const { versionstamp } = await this.#store.get(shelvesVersionKey(this.#family));
    for (;;) {
      const known = this.#picture;
      if (known !== undefined && isNewEnough(known.version, versionstamp)) return known;
      await (this.#taking ??= this.#take().finally(() => this.#taking = undefined));
    }
  }

  async #take(): Promise<void> {
    const store = this.#store;
    const { versionstamp } = await store.get(shelvesVersionKey(this.#family));
    const entries = await store.listAll({ prefix: shelfStampPrefix(this.#family) });
    const stamps = new Array<string | null>(SHELVES).fill(null);
    for (const { key, versionstamp } of entries) stamps[key[3] as number] = versionstamp;
    const known = this.#picture?.shelves;
    const changed = stamps.flatMap((stamp, shelf) =>
      known === undefined || stamp !== this.#stamps[shelf] ? [shelf] : []
    );
    const shelves = known === undefined ? [] : [...known];
    const rows = changed.length > RELOADED_MAX ? await this.#all() : await this.#some(changed);
    for (const shelf of changed) shelves[shelf] = this.#fill(rows.get(shelf) ?? []);
    this.#stamps = stamps;
    this.#picture = { version: versionstamp, shelves };
  }

  async #all(): Promise<Map<number, Entry[]>> {
    const rows = new Map<number, Entry[]>();
    for await (const entry of this.#store.list({ prefix: shelfRowPrefix(this.#family) })) {
      const shelf = entry.key[3] as number;
      const known = rows.get(shelf);
      if (known === undefined) rows.set(shelf, [entry]);
      else known.push(entry);
    }
    return rows;
  }

  async #some(changed: number[]): Promise<Map<number, Entry[]>> {
    const read = changed.map(async (shelf): Promise<[number, Entry[]]> => {
      const range = { prefix: shelfKey(shelfRowPrefix(this.#family), shelf) };
      return [shelf, await Array.fromAsync(this.#store.list(range))];
    });
    return new Map(await Promise.all(read));
  }
}

/** Versionstamps grow with every commit and have one length. */
function isNewEnough(have: string | null, wanted: string | null): boolean {
  return wanted === null || (have !== null && have >= wanted);
}
