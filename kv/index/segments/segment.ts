/**
 * A segment in memory: its rows sorted by id, and those of its columns that were asked for.
 *
 * @module
 */
import type { SegmentSet } from "../../segments/segment_set.ts";
import { Bits } from "./bits.ts";
import { type Column, emptyColumn } from "./column.ts";
import { columnInSlices } from "./column_of_values.ts";
import type { DeltaRow } from "./delta.ts";
import {
  derivedColumn,
  inCollation,
  isCollated,
  isDerived,
  sourceColumns,
  uncollated,
} from "./derived_column.ts";
import { ID_WORDS, writeId } from "./id_words.ts";
import { columnValues, type IndexRow } from "../index_row.ts";
import { isLanguageColumn, isLanguageKey, needsNoPlainForm } from "./language_columns.ts";
import { fieldColumn } from "./list_columns.ts";
import { type Core, readCore, readSegmentColumn, type SegmentEntry } from "./manifest.ts";
import { joinColumns } from "./merge.ts";
import { inSlices, runAtOnce, type Sliced, type SliceQueue } from "../../store/slices.ts";

/** Rows whose texts are sorted without a pause: about a millisecond. */
const ROWS_AT_ONCE = 1_024;
/** Ids that are written between two yields: each takes a loop of its digits. */
const IDS_AT_ONCE = 256;

/** The source of a segment's columns. */
export interface ColumnSource {
  /** Whether there is such a column. */
  has(name: string): boolean;
  load(name: string): Promise<Column>;
  /** The columns of languages that there are. */
  languages: () => string[];
}

/** Some rows of a segment, as a segment of their own. */
export interface SegmentPart {
  segment: Segment;
  /** For each of its rows the row of the whole, ascending. */
  rows: Uint32Array;
  /** The same as a set. */
  among: Bits;
}

/** Rows of one collection, each of another document. */
export class Segment implements Core {
  readonly ids: Uint32Array;
  readonly versions: Uint32Array;
  readonly rows: number;
  #source: ColumnSource;
  readonly #columns = new Map<string, Column>();
  readonly #loading = new Map<string, Promise<void>>();
  /** By languages the rows that are translated into any of them; null for none. Equal sets are one part. */
  readonly parts = new Map<string, SegmentPart | null>();

  constructor(
    /** Begins the names of what is kept of the segment in a cache. */
    readonly name: string,
    core: Core,
    source: ColumnSource,
    /** The rows of documents that are gone; null when there are none. */
    readonly gone: Bits | null,
    /** The rows that the segment was made of, if they are of the delta. */
    readonly deltaRows: readonly DeltaRow[] | null = null,
  ) {
    this.ids = core.ids;
    this.versions = core.versions;
    this.rows = core.versions.length;
    this.#source = source;
  }

  /** Bytes of what is in memory. */
  get bytes(): number {
    let bytes = this.ids.byteLength + this.versions.byteLength;
    for (const column of this.#columns.values()) bytes += column.bytes;
    for (const part of new Set(this.parts.values())) {
      if (part === null) continue;
      bytes += part.segment.bytes + part.rows.byteLength + part.among.words.byteLength;
    }
    return bytes;
  }

  /** A column that is in memory. */
  find(name: string): Column | undefined {
    return this.#columns.get(name);
  }

  /** A column that was loaded before. */
  column(name: string): Column {
    const column = this.#columns.get(name);
    if (column === undefined) throw new TypeError(`Column ${name} is not loaded`);
    return column;
  }

  /** Whether the column is in memory or can be loaded. */
  has(name: string): boolean {
    return this.#columns.has(name) || this.#source.has(name);
  }

  /** The columns of languages that there are. */
  get languageColumns(): string[] {
    return [...this.#source.languages(), ...[...this.#columns.keys()].filter(isLanguageColumn)];
  }

  /** A column of the segment that is needed once and not cached. */
  read(name: string): Promise<Column> {
    const column = this.#columns.get(name);
    return column === undefined ? this.#source.load(name) : Promise.resolve(column);
  }

  /** Loads a column that the segment has. */
  load(name: string): Promise<void> {
    if (this.#columns.has(name)) return Promise.resolve();
    let loading = this.#loading.get(name);
    if (loading === undefined) {
      loading = this.#source.load(name)
        .then((column) => this.put(name, column))
        .finally(() => this.#loading.delete(name));
      this.#loading.set(name, loading);
    }
    return loading;
  }

  /** Replaces the source: a compaction may add columns. */
  readFrom(source: ColumnSource): void {
    this.#source = source;
  }

  /** Gives the segment a column that it lacked. */
  put(name: string, column: Column): void {
    if (column.rows !== this.rows) {
      throw new TypeError(`Column ${name} has ${column.rows} rows, expected ${this.rows}`);
    }
    this.#columns.set(name, column);
  }
}

/** Opens a segment of the store; its columns are read when they are asked for. */
export async function openSegment(
  name: string,
  set: SegmentSet,
  entry: SegmentEntry,
): Promise<Segment> {
  const core = await readCore(set, entry);
  const gone = await set.store.slices.run(goneRows(core.versions));
  return new Segment(name, core, storedColumns(set, entry), gone);
}

/** The columns that the store has of a segment. */
export function storedColumns(set: SegmentSet, entry: SegmentEntry): ColumnSource {
  return {
    has: (name) => Object.hasOwn(entry.columns, name) || isLanguageColumn(name),
    load: (name) =>
      isLanguageColumn(name) && !Object.hasOwn(entry.columns, name)
        ? Promise.resolve(emptyColumn(entry.rows))
        : readSegmentColumn(set, entry, name),
    languages: () => Object.keys(entry.columns).filter(isLanguageColumn),
  };
}

/** A segment of few delta rows, which are sorted by id; its columns are made at once. */
export function deltaSegment(name: string, rows: readonly DeltaRow[]): Segment {
  return runAtOnce(deltaSegmentInSlices(name, rows));
}

/** A segment of delta rows, which are sorted by id; with `slices` its columns are made in turn with others. */
export function* deltaSegmentInSlices(
  name: string,
  rows: readonly DeltaRow[],
  slices?: SliceQueue,
): Sliced<Segment> {
  const ids = new Uint32Array(rows.length * ID_WORDS);
  const versions = new Uint32Array(rows.length);
  yield* inSlices(rows.length, (from, to) => {
    for (let index = from; index < to; index++) {
      const { id, row } = rows[index]!;
      writeId(ids, index, id);
      versions[index] = "gone" in row ? 0 : row.n;
    }
  }, IDS_AT_ONCE);
  const source = {
    has: (column: string) =>
      rows.every(({ row }) => "gone" in row || columnValues(row, column) !== undefined),
    load: (column: string) => {
      const work = columnInParts(rows, column);
      return Promise.resolve(slices === undefined ? runAtOnce(work) : slices.run(work));
    },
    languages: () => {
      const keys = new Set<string>();
      for (const { row } of rows) {
        if ("gone" in row) continue;
        for (const key of Object.keys(row.values)) if (isLanguageKey(key)) keys.add(key);
      }
      return [...keys].map(fieldColumn);
    },
  };
  const gone = yield* goneRows(versions);
  return new Segment(name, { ids, versions }, source, gone, rows);
}

/** A column of rows, some of them at a time. */
function* columnInParts(rows: readonly DeltaRow[], name: string): Sliced<Column> {
  // Parts are joined in the order of code points.
  if (isCollated(name)) {
    const whole = yield* columnInParts(rows, uncollated(name));
    return yield* inCollation(name, whole);
  }
  const parts: Column[] = [];
  for (let start = 0; start === 0 || start < rows.length; start += ROWS_AT_ONCE) {
    const some = rows.slice(start, start + ROWS_AT_ONCE).map(({ row }) => row);
    parts.push(yield* rowsColumnInSlices(some, name));
  }
  return yield* joinColumns(parts);
}

/** A column of rows; a row that is gone or does not know the field has no value. */
export function rowsColumn(rows: readonly (IndexRow | object | undefined)[], name: string): Column {
  return runAtOnce(rowsColumnInSlices(rows, name));
}

/** The same in slices. */
export function* rowsColumnInSlices(
  rows: readonly (IndexRow | object | undefined)[],
  name: string,
): Sliced<Column> {
  if (isDerived(name)) {
    const sources = new Map<string, Column>();
    for (const source of sourceColumns(name)) {
      sources.set(source, yield* rowsColumnInSlices(rows, source));
    }
    const none = emptyColumn(rows.length);
    return yield* derivedColumn(name, rows.length, (source) => sources.get(source) ?? none);
  }
  const values = rows.map((row) =>
    row !== undefined && "values" in row ? columnValues(row, name) ?? [] : []
  );
  // Framing texts are never filtered by, so that their plain form is not needed.
  return yield* columnInSlices(values, needsNoPlainForm(name));
}

function* goneRows(versions: Uint32Array): Sliced<Bits | null> {
  const first = versions.indexOf(0);
  if (first < 0) return null;
  const gone = new Bits(versions.length);
  yield* inSlices(versions.length - first, (from, to) => {
    for (let row = first + from; row < first + to; row++) if (versions[row] === 0) gone.add(row);
  });
  return gone;
}
