/**
 * Which objects of media are needed: read once for a whole sweep, however many chunks it has.
 *
 * It stays right while it is kept: an object becomes needed only by a version that names it already, or by
 * an upload of the same bytes, which changes the row of their digest; imports have turns of their own.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type VersionRow, versionState } from "../versioning/entities.ts";
import { mediaBytesPrefix, versionTypePrefix } from "../keys.ts";
import { objectsOf } from "../model/entities/media.ts";
import type { ObjectInfo } from "../objects/object_store.ts";
import { type Entry, Operation } from "../store/operation.ts";
import type { MediaBytesRow } from "./media.ts";
import type { SweepLease } from "./sweep_lease.ts";

/** The objects that live states or versions of media name, and the rows that lead to any other. */
class NeededObjects {
  readonly #context: Context;
  readonly #needed: ReadonlySet<string>;
  readonly #rows: ReadonlyMap<string, Entry<MediaBytesRow>[]>;

  private constructor(
    context: Context,
    needed: ReadonlySet<string>,
    rows: ReadonlyMap<string, Entry<MediaBytesRow>[]>,
  ) {
    this.#context = context;
    this.#needed = needed;
    this.#rows = rows;
  }

  /** Reads all versions of media, then all rows of digests. */
  static async read(context: Context, lease: Pick<SweepLease, "stamp">): Promise<NeededObjects> {
    const needed = new Set<string>();
    const versions = { prefix: versionTypePrefix("media_metadata") };
    for await (const { key, value } of context.store.list<VersionRow>(versions)) {
      const state = await versionState(context, "media_metadata", key[2] as string, value);
      if (state === null) continue;
      for (const object of objectsOf(state)) needed.add(object);
    }
    const rows = new Map<string, Entry<MediaBytesRow>[]>();
    for await (const row of context.store.list<MediaBytesRow>({ prefix: mediaBytesPrefix })) {
      const { object } = row.value;
      if (needed.has(object)) continue;
      // Since the turn began an upload may have used the row: the medium may not be among the versions read.
      if (row.versionstamp > lease.stamp) needed.add(object);
      else rows.set(object, [...rows.get(object) ?? [], row]);
    }
    return new NeededObjects(context, needed, rows);
  }

  /** Sees to it that nothing leads to an object any more; false when it is needed. */
  async release(object: string): Promise<boolean> {
    if (this.#needed.has(object)) return false;
    for (const row of this.#rows.get(object) ?? []) {
      const commit = new Operation().check(row).delete(row.key);
      // An upload has just used the row: its medium refers to the object now.
      if (!(await this.#context.store.commit(commit)).ok) return false;
    }
    return true;
  }
}

/** Objects that are being listed, and how far. */
interface Listing {
  prefix: string;
  era: string | null;
  after: string;
  objects: AsyncIterator<ObjectInfo>;
}

/** Keeps what was read from one chunk of a sweep to the next. */
export class SweepMemory {
  #known: { era: string | null; needed: NeededObjects } | null = null;
  #listing: Listing | null = null;

  /** The objects in use, read once per era: an import starts a new era and changes them. */
  async needed(context: Context, lease: SweepLease): Promise<NeededObjects> {
    if (this.#known?.era !== lease.era) {
      this.#known = { era: lease.era, needed: await NeededObjects.read(context, lease) };
    }
    return this.#known.needed;
  }

  /**
   * The objects below a prefix behind a key, each as it was when it was listed. A chunk continues the list of
   * the one before: a folder of a million files is not read again for each five hundred.
   */
  async *objects(
    { objects }: Pick<Context, "objects">,
    { era }: Pick<SweepLease, "era">,
    { prefix, after }: { prefix: string; after: string },
  ): AsyncIterable<ObjectInfo> {
    let listing = this.#listing;
    if (listing?.prefix !== prefix || listing.after !== after || listing.era !== era) {
      const list = objects.list(prefix, after === "" ? undefined : after);
      listing = { prefix, era, after, objects: list[Symbol.asyncIterator]() };
      this.#listing = listing;
    }
    for (;;) {
      const { done, value } = await listing.objects.next();
      if (done) break;
      listing.after = value.key;
      yield value;
    }
    this.#listing = null;
  }
}
