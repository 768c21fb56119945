/**
 * The change feed: every document that a token can see, then every change of one, in commit order. A consumer that
 * applies the elements in order holds what the token can see.
 *
 * - **Change log.** Each commit of a document adds a row to the open part, which has no order yet. COMPACT_CHANGES
 *   moves rows to the ordered part, under the versionstamps of their commits. Readers merge both.
 * - **Stamp.** The versionstamp of a key that every change touches. The log is complete up to a stamp that was read:
 *   no earlier change can appear later.
 * - **Horizon.** The versionstamp up to which changes have been deleted. A cursor before it is expired.
 * - **Visibility snapshot.** The collections, statuses and shapes of documents that a token could see. Cursors name it
 *   by its digest, so that a change of scopes or schema is noticed.
 * - **Cursor.** Opaque to consumers: era, position, digest of the snapshot, and the state of a sync.
 * - **Sync.** Reporting documents one by one, in order of id, because the snapshot has changed (at first, from nothing).
 *   Changes committed during the sync are reported after it, judged by the old and the new snapshot (`prior`).
 * - **Era.** The import that the site comes from. A cursor from another era is expired.
 *
 * Invariants: an element is `upserted` with the document as it is now, or `removed` when the token cannot see it any
 * more; nothing is skipped, and a document that does not change is reported once in a sync.
 *
 * @module
 */
import type { Content } from "../documents/content.ts";
import type { DocumentReader } from "../documents/reader.ts";
import type { StoredDocument } from "../documents/write.ts";
import { zip } from "../model/primitives/zip.ts";
import { changeHorizonKey, changeStampKey } from "../changes/change_keys.ts";
import { Refusal } from "../refusals.ts";
import { unlessFull } from "../store/driver.ts";
import { Operation } from "../store/operation.ts";
import { OPEN_CHANGES_MAX } from "../tuning.ts";
import { type ChangeCursor, decodeCursor, encodeCursor } from "../changes/change_cursor.ts";
import { afterStamp, type Change, FIRST_STAMP, readChanges } from "../changes/change_log.ts";
import { requestChangeCompaction } from "../changes/compaction.ts";
import {
  chosenVisibility,
  isVisible,
  NOTHING_VISIBLE,
  unionOf,
  type VisibilitySnapshot,
  VisibilitySnapshots,
} from "../changes/visibility_snapshot.ts";
import type { Sight } from "./sight.ts";
import { syncedDocuments } from "./sync.ts";

/** One element of the feed. */
export interface ChangeElement {
  cursor: string;
  change: "upserted" | "removed";
  collectionId: string;
  /** The collection's last visible slug. */
  collection: string;
  id: string;
  version: number;
  /** Epoch seconds. */
  changedAt: number;
  /** The current document, for `upserted`. */
  stored?: StoredDocument;
}

/** The reader of a page. */
export interface ChangeReader {
  tokenId: string;
  /** Everything that the token can see. */
  visibility: VisibilitySnapshot;
  /**
   * Slugs of the collections to report; null for all. Changes of others are skipped, and never reported as
   * `removed`.
   */
  collections: readonly string[] | null;
  sight: Sight;
}

/** A page: its elements as they are read, and after the last of them the cursor of the next page. */
export interface ChangePage {
  elements: AsyncGenerator<ChangeElement>;
  /** The end of the page, once all elements are read. */
  end: () => ChangePageEnd;
}

/** The end of a page. */
export interface ChangePageEnd {
  cursor: string;
  /** Whether the next page can be requested at once. */
  hasMore: boolean;
  /** The stamp up to which everything is reported; wait for a later one. */
  stamp: string;
}

/** Documents whose current rows are read together. */
const READ_TOGETHER = 20;

/** Reads pages of changes. */
export class ChangeFeed {
  readonly #content: Content;
  readonly #reader: DocumentReader;
  readonly #visibilities: VisibilitySnapshots;
  /** Running reads of the log, shared by consumers at the same position. */
  readonly #reads = new Map<string, ReturnType<typeof readChanges>>();

  constructor(content: Content, reader: DocumentReader) {
    this.#content = content;
    this.#reader = reader;
    this.#visibilities = new VisibilitySnapshots(content.context);
  }

  /**
   * The page after a cursor; the first one if it is null.
   *
   * @throws {Refusal} CURSOR_INVALID; CURSOR_EXPIRED for a cursor before the horizon.
   */
  async page(reader: ChangeReader, since: string | null, limit: number): Promise<ChangePage> {
    const { store } = this.#content.context;
    const given = since === null ? null : decodeCursor(since);
    const [stamp, horizon] = await store.getMany([changeStampKey, changeHorizonKey]);
    const upTo = stamp.versionstamp ?? FIRST_STAMP;
    // The snapshot was made from a schema that was just read, and its era with it.
    const era = this.#content.schema.era ?? "";
    const isOld = given !== null &&
      (given.era !== era || (horizon.value as string ?? "") > given.position.stamp);
    if (isOld) throw new Refusal("CURSOR_EXPIRED");
    const isNarrowed = given !== null && reader.collections !== null;
    const reported = isNarrowed ? await this.#reportedBy(reader.tokenId, given) : NOTHING_VISIBLE;
    const { visibility, isChosen } = chosenVisibility(reader, reported);
    const digest = await this.#visibilities.keep(reader.tokenId, visibility);
    const cursor = given === null
      ? { era, position: afterStamp(upTo), visibility: "", sync: { to: digest, after: "" } }
      : await this.#retargeted(reader, given, digest);
    const isKnown = isNarrowed && cursor === given && given.sync === undefined &&
      given.prior === undefined;
    const before = isKnown
      ? reported
      : await this.#findVisibility(reader.tokenId, cursor.prior?.visibility ?? cursor.visibility);
    const state: PageState = { cursor, hasMore: false };
    return {
      elements: this.#elements(
        state,
        { visibility, digest, before, upTo, isChosen, sight: reader.sight },
        limit,
      ),
      end: () => ({
        cursor: encodeCursor(state.cursor),
        hasMore: state.hasMore,
        stamp: state.cursor.position.stamp,
      }),
    };
  }

  /** Everything that the pages before a cursor may have reported. */
  async #reportedBy(
    tokenId: string,
    { sync, prior, visibility }: ChangeCursor,
  ): Promise<VisibilitySnapshot> {
    let reported = await this.#findVisibility(tokenId, visibility);
    for (const other of [sync?.to, prior?.visibility]) {
      if (other !== undefined) {
        reported = unionOf(reported, await this.#findVisibility(tokenId, other));
      }
    }
    return reported;
  }

  /** The cursor; it starts a sync if the snapshot has changed. */
  async #retargeted(
    { tokenId }: ChangeReader,
    cursor: ChangeCursor,
    digest: string,
  ): Promise<ChangeCursor> {
    const { era, position, sync, visibility } = cursor;
    if ((sync?.to ?? visibility) === digest) return cursor;
    const kept = await this.#visibilities.keep(tokenId, await this.#reportedBy(tokenId, cursor));
    return { era, position, visibility: kept, sync: { to: digest, after: "" } };
  }

  async #findVisibility(tokenId: string, digest: string): Promise<VisibilitySnapshot> {
    const visibility = await this.#visibilities.find(tokenId, digest);
    if (visibility === null) throw new Refusal("CURSOR_EXPIRED");
    return visibility;
  }

  async *#elements(
    state: PageState,
    page: PageContext,
    limit: number,
  ): AsyncGenerator<ChangeElement> {
    let left = limit;
    if (state.cursor.sync !== undefined) {
      for await (const element of this.#synced(state, page, left)) {
        left -= 1;
        yield element;
      }
      if (state.cursor.sync !== undefined) {
        state.hasMore = true;
        return;
      }
    }
    if (left > 0) yield* this.#changed(state, page, left);
    else state.hasMore = true;
  }

  /** A sync: documents of collections whose visibility has changed. */
  async *#synced(
    state: PageState,
    { visibility, digest, before, sight }: PageContext,
    limit: number,
  ): AsyncGenerator<ChangeElement> {
    const { era, position, visibility: old, sync } = state.cursor;
    if (sync === undefined) return;
    const { to, after } = sync;
    const options = { before, now: visibility, position, after, sight };
    for await (const { id, element } of syncedDocuments(this.#content, this.#reader, options)) {
      if (id === null) {
        // A document that changes during the sync may be visible in the old snapshot only.
        const until = await this.#content.context.store.get(changeStampKey);
        const prior = { visibility: old, until: until.versionstamp ?? FIRST_STAMP };
        state.cursor = { era, position, visibility: digest, ...(old !== "" && { prior }) };
        return;
      }
      state.cursor = { ...state.cursor, sync: { to, after: id } };
      if (element === null) continue;
      yield { ...element, cursor: encodeCursor(state.cursor) };
      if (--limit === 0) return;
    }
  }

  /** Changes in order of commit. */
  async *#changed(
    state: PageState,
    { visibility, before, upTo, isChosen, sight }: PageContext,
    limit: number,
  ): AsyncGenerator<ChangeElement> {
    const { position, prior } = state.cursor;
    const { changes, open } = await this.#read(position, upTo, limit);
    if (open > OPEN_CHANGES_MAX) await this.#requestCompaction();
    for (let start = 0; start < changes.length; start += READ_TOGETHER) {
      const together = changes.slice(start, start + READ_TOGETHER);
      // Documents of invisible collections are not read.
      const seen = together.filter(({ collectionId: of, event }) =>
        event === undefined && isChosen(of) && (visibility[of] ?? before[of]) !== undefined
      );
      const stored = await this.#reader.findMany(seen.map(({ id }) => id));
      const finding = new Map(zip(seen, stored));
      for (const change of together) {
        const old = prior !== undefined && change.stamp <= prior.until ? before : visibility;
        const find = finding.get(change);
        const statuses = find === undefined ? null : sight.change(change);
        const found = statuses && await find?.();
        const element = statuses && elementOf(
          { ...change, ...statuses },
          { visibility, old },
          found ? sight.document(found) : null,
        );
        const { stamp, id, n } = change;
        state.cursor = { ...state.cursor, position: { stamp, id, n } };
        if (element !== null) yield { ...element, cursor: encodeCursor(state.cursor) };
      }
    }
    state.hasMore = changes.length === limit;
    if (state.hasMore) return;
    const { prior: _prior, ...settled } = state.cursor;
    const isPast = prior === undefined || upTo >= prior.until;
    state.cursor = { ...(isPast ? settled : state.cursor), position: afterStamp(upTo) };
  }

  #read(after: ChangeCursor["position"], upTo: string, limit: number) {
    const name = JSON.stringify([after, upTo, limit]);
    const underWay = this.#reads.get(name) ??
      readChanges(this.#content.context.store, { after, upTo, limit })
        .finally(() => this.#reads.delete(name));
    this.#reads.set(name, underWay);
    return underWay;
  }

  async #requestCompaction(): Promise<void> {
    const { context } = this.#content;
    const operation = new Operation();
    requestChangeCompaction(operation, context);
    await unlessFull(context.store.commit(operation), null);
  }
}

interface PageState {
  cursor: ChangeCursor;
  hasMore: boolean;
}

interface PageContext {
  /** The snapshot that the cursors of this page name. */
  visibility: VisibilitySnapshot;
  /** Digest of the snapshot. */
  digest: string;
  /** Whether the request selects a collection. */
  isChosen: (collectionId: string) => boolean;
  /** The snapshot of the request's cursor. */
  before: VisibilitySnapshot;
  /** Everything up to this stamp is visible to reads. */
  upTo: string;
  sight: Sight;
}

/** A change for a reader that had the snapshot `old` and has `visibility`; null if it concerns neither. */
function elementOf(
  { collectionId, id, n, at, before, after }: Change,
  { visibility, old }: { visibility: VisibilitySnapshot; old: VisibilitySnapshot },
  stored: StoredDocument | null,
): Omit<ChangeElement, "cursor"> | null {
  const collection = (visibility[collectionId] ?? old[collectionId])?.slug;
  if (collection === undefined) return null;
  const element = { collectionId, collection, id, version: n, changedAt: at };
  const seenNow = stored !== null && isVisible(visibility, collectionId, stored.state.status);
  if (isVisible(visibility, collectionId, after) && seenNow) {
    return { ...element, change: "upserted", stored };
  }
  const wasSeen = [visibility, old].some((one) =>
    isVisible(one, collectionId, before) || isVisible(one, collectionId, after)
  );
  return wasSeen ? { ...element, change: "removed" } : null;
}
