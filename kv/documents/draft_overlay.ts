/**
 * Documents as their editors see them: lists and slugs by what the working copies of published documents
 * hold. What is kept of them is good for as long as nothing of their collection changes.
 *
 * @module
 */
import { type IndexRow, indexRow, wholeRow } from "../index/index_row.ts";
import { indexStamps } from "../index/index_versions.ts";
import type { ItemsCondition } from "../index/query/condition.ts";
import type { IndexOverlay } from "../index/query/list_query.ts";
import { WORKING_COPIES_LAID_MAX } from "../limits/content.ts";
import type { Collection, Schema } from "../model/entities/collection.ts";
import type { DocumentState } from "../model/entities/document.ts";
import { sameJson } from "../model/values/same_json.ts";
import { sha256 } from "../model/values/sha256.ts";
import { draftOf } from "../model/languages/in_language.ts";
import { zip } from "../model/primitives/zip.ts";
import { Refusal } from "../refusals.ts";
import type { Entry } from "../store/operation.ts";
import type { Content } from "./content.ts";
import type { DocumentReader } from "./reader.ts";
import { isMarked, type Mark, markedDocuments } from "./reference_rows.ts";
import type { StoredDocument } from "./write.ts";

/** Documents that are read at once. */
const READ_AT_ONCE = 500;

/** The marks of documents that their editors see differently. */
const LAID_MARKS: readonly Mark[] = ["changed", "changedIn"];

/** A row of a working copy that is laid over, and the same with whole texts. */
interface LaidRow {
  row: IndexRow;
  whole: IndexRow;
}

/** The cached rows of a collection. */
interface LoadedRows {
  /** The state of its index. */
  stamp: string | null;
  rows: readonly LaidRow[];
}

/** The documents of some collections with their working copies merged. */
class DraftOverlay implements IndexOverlay {
  readonly name: string;
  readonly #rows: ReadonlyMap<string, readonly IndexRow[]>;
  readonly #whole: ReadonlyMap<string, IndexRow>;
  readonly #read: (id: string, items: readonly ItemsCondition[]) => Promise<IndexRow | null>;

  constructor(schemaNow: Schema, known: ReadonlyMap<string, LoadedRows>, reader: DocumentReader) {
    const { stamp: schema, byId } = schemaNow;
    this.#read = async (id, items) => {
      const stored = await reader.find(id);
      const collection = stored && byId.get(stored.state.collectionId);
      if (!stored || !collection) return null;
      return wholeRow(collection, draftOf(stored.state), stored.n, items);
    };
    const all = [...known];
    const stamps = all.map(([id, { stamp }]) => `${id} ${stamp}`);
    this.name = sha256([schema, ...stamps].join("\n")).slice(0, 16);
    this.#rows = new Map(all.map(([id, { rows }]) => [id, rows.map(({ row }) => row)]));
    this.#whole = new Map(
      all.flatMap(([, { rows }]) => rows.map(({ row, whole }) => [row.id, whole] as const)),
    );
  }

  rows(collectionId: string): readonly IndexRow[] {
    return this.#rows.get(collectionId) ?? [];
  }

  async wholeRow(id: string, items: readonly ItemsCondition[]): Promise<IndexRow | null> {
    const row = this.#whole.get(id);
    if (row === undefined) return null;
    // Rows of working copies are kept, their documents are not.
    return items.length === 0 ? row : await this.#read(id, items);
  }
}

/** Keeps the rows of working copies in memory. */
export class DraftOverlays {
  readonly #content: Content;
  readonly #reader: DocumentReader;
  readonly #known = new Map<string, LoadedRows>();
  /** The schema that all of it was read by. */
  #schema: string | null = null;

  constructor(content: Content, reader: DocumentReader) {
    this.#content = content;
    this.#reader = reader;
  }

  /** The documents of collections with their working copies merged; `given` are index versions read before. */
  async of(
    schema: Schema,
    collections: readonly Collection[],
    given: readonly Entry[] = [],
  ): Promise<DraftOverlay> {
    // Stamps are read first: what is read behind them is as new or newer, and the next request finds out.
    const stamps = await indexStamps(this.#content.context.store, collections, given);
    if (this.#schema !== schema.stamp) this.#known.clear();
    this.#schema = schema.stamp;
    const wanted = zip(collections, stamps).map(([collection, stamp]) => ({ collection, stamp }));
    const known = new Map(
      wanted.flatMap(({ collection: { id }, stamp }) => {
        const before = this.#known.get(id);
        return before?.stamp === stamp ? [[id, before] as const] : [];
      }),
    );
    const missing = wanted.filter(({ collection }) => !known.has(collection.id));
    const loaded = missing.length === 0 ? new Map() : await this.#load(missing);
    for (const { collection: { id }, stamp } of missing) {
      const rows: LaidRow[] = loaded.get(id) ?? [];
      known.set(id, { stamp, rows });
      if (this.#schema === schema.stamp) this.#known.set(id, { stamp, rows });
    }
    return new DraftOverlay(schema, known, this.#reader);
  }

  /** The published document whose working copy has a slug. */
  async findBySlug(
    schema: Schema,
    collection: Collection,
    slug: string,
  ): Promise<StoredDocument | null> {
    const overlay = await this.of(schema, [collection]);
    const row = overlay.rows(collection.id).find((one) => one.slug === slug);
    return row === undefined ? null : await this.#reader.find(row.id);
  }

  async #load(
    wanted: readonly { collection: Collection }[],
  ): Promise<Map<string, LaidRow[]>> {
    const rows = new Map(wanted.map(({ collection }) => [collection.id, [] as LaidRow[]]));
    const byId = new Map(wanted.map(({ collection }) => [collection.id, collection]));
    const { context } = this.#content;
    const marked = await Promise.all(
      LAID_MARKS.map((mark) => markedDocuments(context, mark)),
    );
    const ids = [...new Set(marked.flat())];
    if (ids.length > WORKING_COPIES_LAID_MAX) {
      throw new Refusal("PARAMETER_INVALID", {
        about: `draft=true finds documents among ${WORKING_COPIES_LAID_MAX} working copies at most`,
      });
    }
    for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
      for await (const { state, n } of this.#reader.each(ids.slice(at, at + READ_AT_ONCE))) {
        const collection = byId.get(state.collectionId);
        if (collection === undefined || !LAID_MARKS.some((mark) => isMarked(state, mark))) continue;
        rows.get(collection.id)?.push(laidRow(collection, draftOf(state), n));
      }
    }
    return rows;
  }
}

/** The rows of a document; most texts are short, and both the same. */
function laidRow(collection: Collection, state: DocumentState, n: number): LaidRow {
  const row = indexRow(collection, state, n);
  const whole = wholeRow(collection, state, n);
  return { row, whole: sameJson(row.values, whole.values) ? row : whole };
}
