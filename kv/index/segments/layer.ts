/**
 * A layer is a segment among others: with the rows that later segments replace taken out. What is
 * worked out about it (orders, matching rows, lists) is kept within a budget.
 *
 * @module
 */
import type { Bits } from "./bits.ts";
import type { SecondChanceCache } from "../../cache/second_chance_cache.ts";
import { type Column, emptyColumn } from "./column.ts";
import {
  type Condition,
  type FieldCondition,
  isOfField,
  type ItemsCondition,
  itemsConditions,
  leavesOf,
} from "../query/condition.ts";
import { cutTexts } from "../query/cut_texts.ts";
import {
  conditionText,
  type Selection,
  sortColumn,
  type SortKey,
  sortText,
} from "../query/list_query.ts";
import { matchingRows, type TargetDocuments } from "../query/matching.ts";
import type { Segment, SegmentPart } from "./segment.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";
import { compareWithin, type SortColumn, sortedRows } from "../query/sorting.ts";

/** Rows of a layer that match, in order. */
export interface LayerList {
  rows: Uint32Array;
  /** The rows that meet the conditions; null when there are none to meet. */
  matching: Bits | null;
  sort: SortColumn[];
  /** Positions of rows that another layer has, ascending. */
  apart?: Uint32Array;
  /** The same list without the rows of a part. */
  without?: Map<SegmentPart, LayerList>;
  /** Positions of the rows that the delta replaces, for the reader for which they were worked out. */
  skipped: { reader: object; positions: Uint32Array } | null;
}

/** The part of a list query that each layer answers. */
export interface LayerRequest {
  sort: readonly SortKey[];
  selection: Selection;
  /** The documents that references in the selection's conditions resolve to. */
  targets: ReadonlyMap<Condition, TargetDocuments>;
  /** Columns that the collection does not have: no document has a value. */
  absent: ReadonlySet<string>;
  /** Cache key of the selection among those columns. */
  selected: string;
  /** Cache key of the whole request. */
  text: string;
}

/** The request to the layers of a collection for a sort and a selection. */
export function layerRequest(
  sort: readonly SortKey[],
  selection: Selection,
  targets: LayerRequest["targets"] = new Map(),
  absent: ReadonlySet<string> = new Set(),
): LayerRequest {
  const names = [...targets.values()].map(({ name }) => name).join();
  const selected = selection.where === null ? "" : `${selection.text}${names}${[...absent].join()}`;
  const text = `${sortText(sort)}${selected}${[...absent].join()}`;
  return { sort, selection, targets, absent, selected, text };
}

/** A segment without the rows that later segments replace. */
export class Layer {
  constructor(
    /** Begins the names of the lists that are kept of the layer. */
    readonly name: string,
    readonly segment: Segment,
    /** Rows that are gone or replaced by a later segment; null when there are none. */
    readonly hidden: Bits | null,
    readonly cache: SecondChanceCache,
  ) {}

  /** The matching rows in order, if they are known. */
  knownList(wanted: LayerRequest): LayerList | undefined {
    return this.cache.get<LayerList>(`${this.name} list ${wanted.text}`);
  }

  /** The matching rows in order. */
  *list(wanted: LayerRequest): Sliced<LayerList> {
    const sort = wanted.sort.map((key) => ({
      column: this.#column(sortColumn(key), wanted.absent),
      descending: key.descending,
    }));
    const matching = yield* this.matching(wanted);
    const order = yield* this.#order(wanted, sort);
    const rows = yield* keepRows(order, matching, this.hidden);
    return this.keep(wanted, { rows, matching, sort, skipped: null });
  }

  /** Keeps a list in memory, or counts again what it holds. */
  keep(wanted: LayerRequest, list: LayerList): LayerList {
    const { rows, matching, without } = list;
    // Counted in full even where it is the order itself, which may be dropped before the list.
    let bytes = rows.byteLength + (matching?.words.byteLength ?? 0);
    for (const { apart } of without?.values() ?? []) bytes += apart?.byteLength ?? 0;
    return this.cache.set(`${this.name} list ${wanted.text}`, list, bytes);
  }

  /**
   * The rows that are selected, hidden ones too; null for all. `unsure` says what is taken of conditions that
   * only the whole of a cut text can decide, null that no text is cut.
   */
  *matching(
    { selection: { where }, targets, absent, selected }: LayerRequest,
    unsure: boolean | null = false,
  ): Sliced<Bits | null> {
    if (where === null) return null;
    const { rows, ids } = this.segment;
    const column = (name: string) => this.#column(name, absent);
    const kept = (condition: Condition, unsure: boolean | null, work: () => Sliced<Bits>) => {
      const target = targets.get(condition)?.name ?? "";
      const text = `${conditionText(condition)}${target}${[...absent].join()}`;
      return this.#kept(`match ${unsure === true ? "perhaps " : ""}${text}`, work);
    };
    const keptIds = (name: string, work: () => Sliced<Uint32Array>) =>
      this.#keptIds(`${this.segment.name} ids ${name}`, work);
    return yield* this.#kept(
      `match ${unsure === true ? "perhaps " : ""}${selected}`,
      () => matchingRows(where, { rows, ids, column, targets, unsure, kept, keptIds }),
    );
  }

  /**
   * The first condition of a selection that the layer cannot decide for all rows: on items, or on a field of
   * which some texts are cut; null when there is none.
   */
  *cutCondition(
    { selection: { where }, absent }: LayerRequest,
  ): Sliced<FieldCondition | ItemsCondition | null> {
    const [items] = where === null ? [] : itemsConditions(where);
    if (items !== undefined) return items;
    for (const leaf of where === null ? [] : leavesOf(where).filter(isOfField)) {
      const { dictionary } = this.#column(sortColumn(leaf), absent);
      if ((yield* cutTexts(dictionary)) !== null) return leaf;
    }
    return null;
  }

  /** A column, of which rows are read that were selected by others. */
  column(name: string, { absent }: Pick<LayerRequest, "absent">): Column {
    return this.#column(name, absent);
  }

  *#kept(what: string, work: () => Sliced<Bits>): Sliced<Bits> {
    const name = `${this.segment.name} ${what}`;
    const known = this.cache.get<Bits>(name);
    if (known !== undefined) return known;
    const bits = yield* work();
    return this.cache.set(name, bits, bits.words.byteLength);
  }

  *#keptIds(name: string, work: () => Sliced<Uint32Array>): Sliced<Uint32Array> {
    const known = this.cache.get<Uint32Array>(name);
    if (known !== undefined) return known;
    const ids = yield* work();
    return this.cache.set(name, ids, ids.byteLength);
  }

  *#order(wanted: LayerRequest, sort: SortColumn[]): Sliced<Uint32Array> {
    const name = `${this.segment.name} order ${sortText(wanted.sort)}${[...wanted.absent].join()}`;
    const known = this.cache.get<Uint32Array>(name);
    if (known !== undefined) return known;
    const order = yield* sortedRows(this.segment.rows, sort);
    return this.cache.set(name, order, order.byteLength);
  }

  #column(name: string, absent: ReadonlySet<string>): Column {
    return absent.has(name) ? emptyColumn(this.segment.rows) : this.segment.column(name);
  }
}

/** The positions in a list of the rows that do not count: those that the delta replaces, once for each reader. */
export function skippedPositions(
  list: LayerList,
  reader: object,
  replaced: Uint32Array,
): Uint32Array {
  if (list.skipped?.reader === reader) return list.skipped.positions;
  const positions: number[] = [];
  for (const row of replaced) {
    if (list.matching === null || list.matching.has(row)) positions.push(positionIn(list, row));
  }
  const sorted = merged(list.apart, Uint32Array.from(positions).sort());
  list.skipped = { reader, positions: sorted };
  return sorted;
}

/** Two ascending lists as one, what is in both once. */
function merged(some: Uint32Array | undefined, others: Uint32Array): Uint32Array {
  if (some === undefined) return others;
  if (others.length === 0) return some;
  const all = new Uint32Array(some.length + others.length);
  let count = 0;
  for (let at = 0, other = 0; at < some.length || other < others.length;) {
    const [one, next] = [some[at] ?? Infinity, others[other] ?? Infinity];
    all[count++] = Math.min(one, next);
    if (one <= next) at += 1;
    if (next <= one) other += 1;
  }
  return all.slice(0, count);
}

function positionIn({ rows, sort }: LayerList, row: number): number {
  let low = 0;
  let high = rows.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareWithin(sort, rows[middle]!, row) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

function* keepRows(
  order: Uint32Array,
  matching: Bits | null,
  hidden: Bits | null,
): Sliced<Uint32Array> {
  if (matching === null && hidden === null) return order;
  const kept = new Uint32Array(order.length);
  let count = 0;
  yield* inSlices(order.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const row = order[at]!;
      if (matching !== null && !matching.has(row)) continue;
      if (hidden !== null && hidden.has(row)) continue;
      kept[count++] = row;
    }
  });
  return count === kept.length ? order : kept.slice(0, count);
}
