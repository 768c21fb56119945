/**
 * Which rows of a segment meet a condition. A condition on a column becomes a set of codes: values are
 * looked up, ranges searched and texts scanned in the dictionary, and only then rows are looked at.
 *
 * @module
 */
import type { IndexValue } from "../../model/fields/field_type.ts";
import { isUlid } from "../../model/values/ulid.ts";
import { Bits } from "../segments/bits.ts";
import type { Column, Dictionary } from "../segments/column.ts";
import {
  type Bound,
  type Condition,
  isOfField,
  itemsColumn,
  type ItemsCondition,
  type Leaf,
  type Part,
} from "./condition.ts";
import { type CutTexts, cutTexts, decideCutTexts } from "./cut_texts.ts";
import { findId, ID_WORDS, writeId } from "../segments/id_words.ts";
import { columnOfKey } from "../segments/list_columns.ts";
import { textsByLength } from "../segments/texts.ts";
import { inSlices, type Sliced } from "../../store/slices.ts";

/** Documents that references are followed to, as they were found. */
export interface TargetDocuments {
  /** Whether the id at an index of some is among them. */
  has(ids: Uint32Array, index: number): boolean;
  /** Identifies them in cache keys. */
  name: string;
}

/** A segment that conditions are met in. */
export interface MatchScope {
  rows: number;
  ids: Uint32Array;
  column: (name: string) => Column;
  targets: ReadonlyMap<Condition, TargetDocuments>;
  /**
   * The assumed result of a condition that only the whole text decides if the column holds its beginning; null
   * if columns hold whole texts.
   */
  unsure: boolean | null;
  /** The rows that meet one condition on a column, worked out once for each `unsure` that matters. */
  kept: (
    condition: Condition,
    unsure: boolean | null,
    work: () => Sliced<Bits>,
  ) => Sliced<Bits>;
  /** The ids that a column holds, read from their texts once. */
  keptIds: (column: string, work: () => Sliced<Uint32Array>) => Sliced<Uint32Array>;
}

/** Texts that are searched through between two yields: a text has some hundred bytes at most. */
const TEXTS_AT_ONCE = 1_024;
/** Ids that are looked up between two yields, each by a binary search. */
const IDS_AT_ONCE = 256;

/** The rows that meet a condition. */
export function* matchingRows(condition: Condition, scope: MatchScope): Sliced<Bits> {
  switch (condition.kind) {
    case "and": {
      let all = Bits.full(scope.rows);
      for (const one of condition.of) all = all.and(yield* matchingRows(one, scope));
      return all;
    }
    case "or": {
      let any = new Bits(scope.rows);
      for (const one of condition.of) any = any.or(yield* matchingRows(one, scope));
      return any;
    }
    case "not": {
      const { unsure } = scope;
      const opposite = { ...scope, unsure: unsure === null ? null : !unsure };
      return (yield* matchingRows(condition.of, opposite)).not();
    }
    case "items":
      return yield* itemsRows(condition, scope);
    default: {
      const cut = yield* cutTextsOf(condition, scope);
      const unsure = cut === null ? null : scope.unsure;
      return yield* scope.kept(condition, unsure, () => leafRows(condition, scope, cut));
    }
  }
}

/** A condition that rows decide, or their texts. */
type DecidedLeaf = Exclude<Leaf, { kind: "items" }>;

/** The cut texts that a condition is about; null when there are none. */
function* cutTextsOf(leaf: DecidedLeaf, { column, unsure }: MatchScope): Sliced<CutTexts | null> {
  if (unsure === null || !isOfField(leaf)) return null;
  return yield* cutTexts(column(columnOfKey(leaf.by)).dictionary);
}

/** A condition on a column, or on ids. */
type ColumnLeaf = Exclude<Leaf, { kind: "documents" | "items" }>;

function* leafRows(leaf: DecidedLeaf, scope: MatchScope, cut: CutTexts | null): Sliced<Bits> {
  if (leaf.kind === "documents") return yield* rowsOfIds(scope, leaf.ids);
  if (leaf.by === "id") return yield* idRows(leaf, scope);
  const name = columnOfKey(leaf.by);
  const column = scope.column(name);
  const { dictionary } = column;
  const wanted = yield* codesOf(leaf, { name, dictionary }, scope);
  if (cut !== null && isOfField(leaf)) {
    yield* decideCutTexts(wanted, leaf, { dictionary, cut, unsure: scope.unsure === true });
  }
  return yield* rowsWithCodes(column, scope.rows, wanted);
}

/** The rows of documents that were read say whether they meet it; of others it is assumed. */
function* itemsRows(condition: ItemsCondition, scope: MatchScope): Sliced<Bits> {
  const { rows, unsure } = scope;
  if (unsure !== null) return unsure ? Bits.full(rows) : new Bits(rows);
  const column = scope.column(columnOfKey(itemsColumn(condition)));
  const wanted = yield* codesOfValues(column.dictionary, [true]);
  return yield* rowsWithCodes(column, rows, wanted);
}

/** Whether each code matches; the last code means "no value". */
function* codesOf(
  leaf: ColumnLeaf,
  { name, dictionary }: { name: string; dictionary: Dictionary },
  { targets, keptIds }: MatchScope,
): Sliced<Uint8Array> {
  switch (leaf.kind) {
    case "values":
      return yield* codesOfValues(dictionary, leaf.values);
    case "range":
      return codesBetween(dictionary, leaf.from, leaf.to);
    case "part":
      return yield* codesWithPart(dictionary, leaf.where, leaf.text);
    case "match": {
      const kept = `${name} ${dictionary.texts.count}`;
      const ids = yield* keptIds(kept, () => idsOfTexts(dictionary));
      return yield* codesOfTargets(dictionary, ids, targets.get(leaf)!);
    }
  }
}

function* codesOfValues(
  dictionary: Dictionary,
  values: readonly IndexValue[],
): Sliced<Uint8Array> {
  const wanted = new Uint8Array(dictionary.size + 1);
  for (const value of values) {
    if (typeof value === "string") continue;
    const code = dictionary.codeOf(value);
    if (code >= 0) wanted[code] = 1;
    yield;
  }
  const wantedTexts = textsByLength(values.filter((value) => typeof value === "string"));
  if (wantedTexts.length === 0) return wanted;
  const { scalars, texts } = dictionary;
  const marks = wanted.subarray(scalars.length, dictionary.size);
  const mark = (from: number, to: number) => texts.markEqual(wantedTexts, marks, from, to);
  yield* inSlices(texts.count, mark, TEXTS_AT_ONCE);
  return wanted;
}

/** Numbers lie between numbers and texts between texts, and both in order. */
function codesBetween(dictionary: Dictionary, from: Bound | null, to: Bound | null): Uint8Array {
  const wanted = new Uint8Array(dictionary.size + 1);
  const isText = typeof (from ?? to)?.value === "string";
  const first = isText ? dictionary.scalars.length : dictionary.booleans;
  const end = isText ? dictionary.size : dictionary.scalars.length;
  const low = from === null ? first : dictionary.searchCode(from.value, first, end, from.isOpen);
  const high = to === null ? end : dictionary.searchCode(to.value, first, end, !to.isOpen);
  if (low < high) wanted.fill(1, low, high);
  return wanted;
}

function* codesWithPart(dictionary: Dictionary, where: Part, text: string): Sliced<Uint8Array> {
  const { scalars, sortForms, sortFormOf } = dictionary;
  const wanted = new Uint8Array(dictionary.size + 1);
  const forms = sortFormOf === null
    ? wanted.subarray(scalars.length, dictionary.size)
    : new Uint8Array(sortForms.count);
  const part = new TextEncoder().encode(text);
  const mark = (from: number, to: number) => sortForms.markParts(part, where, forms, from, to);
  yield* inSlices(sortForms.count, mark, TEXTS_AT_ONCE);
  if (sortFormOf === null) return wanted;
  yield* inSlices(sortFormOf.length, (from, to) => {
    for (let index = from; index < to; index++) {
      wanted[scalars.length + index] = forms[sortFormOf[index]!]!;
    }
  });
  return wanted;
}

/** A semi-join from the side of the references: each distinct one is looked up once. */
function* codesOfTargets(
  { size, scalars, texts }: Dictionary,
  ids: Uint32Array,
  targets: TargetDocuments,
): Sliced<Uint8Array> {
  const wanted = new Uint8Array(size + 1);
  yield* inSlices(texts.count, (from, to) => {
    for (let index = from; index < to; index++) {
      if (targets.has(ids, index)) wanted[scalars.length + index] = 1;
    }
  });
  return wanted;
}

/** The ids that texts spell; for one that spells none, which an earlier type has left, that of no document. */
function* idsOfTexts({ texts }: Dictionary): Sliced<Uint32Array> {
  const ids = new Uint32Array(texts.count * ID_WORDS);
  yield* inSlices(texts.count, (from, to) => {
    for (let index = from; index < to; index++) {
      const text = texts.at(index);
      if (isUlid(text)) writeId(ids, index, text);
    }
  });
  return ids;
}

/** The rows of which a code is wanted; slices begin at whole words. */
function* rowsWithCodes(
  { codes, starts, dictionary }: Column,
  rows: number,
  wanted: Uint8Array,
): Sliced<Bits> {
  const bits = new Bits(rows);
  const { words } = bits;
  yield* inSlices(rows, (from, to) => {
    for (let row = from; row < to;) {
      const end = Math.min(row + 32, to);
      let word = 0;
      for (let bit = 0, index = row >>> 5; row < end; row++, bit++) {
        let match = 0;
        if (starts === null) match = wanted[codes[row]!]!;
        else if (starts[row] === starts[row + 1]) match = wanted[dictionary.size]!;
        else for (let at = starts[row]!; at < starts[row + 1]!; at++) match |= wanted[codes[at]!]!;
        word |= match << bit;
        if (row === end - 1) words[index] = word;
      }
    }
  });
  return bits;
}

function* rowsOfIds({ rows, ids }: MatchScope, wanted: Uint32Array): Sliced<Bits> {
  const bits = new Bits(rows);
  yield* inSlices(wanted.length / ID_WORDS, (from, to) => {
    for (let index = from; index < to; index++) {
      const row = findId(ids, wanted, index);
      if (row >= 0) bits.add(row);
    }
  }, IDS_AT_ONCE);
  return bits;
}

/** Every document has an id, and no other values than texts are asked for. */
function* idRows(
  leaf: ColumnLeaf,
  scope: MatchScope,
): Sliced<Bits> {
  if (leaf.kind !== "values") throw new TypeError(`Cannot filter ids by ${leaf.kind}`);
  const ids = leaf.values.filter(isUlid);
  const words = new Uint32Array(ids.length * ID_WORDS);
  ids.forEach((id, index) => writeId(words, index, id));
  return yield* rowsOfIds(scope, words);
}
