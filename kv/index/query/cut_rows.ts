/**
 * The rows that a selection cannot decide by the beginnings of texts: their documents are read, and decided
 * by the same conditions.
 *
 * @module
 */
import { INDEXED_CHARS_MAX } from "../../limits/content.ts";
import type { Collection } from "../../model/entities/collection.ts";
import { indexedFields } from "../../model/fields/indexed_fields.ts";
import { Refusal } from "../../refusals.ts";
import { SecondChanceCache } from "../../cache/second_chance_cache.ts";
import {
  CUT_FILTERS_KEPT_MAX,
  CUT_ROWS_READ_MAX,
  CUT_ROWS_READ_TOGETHER,
  ROW_LIST_CACHE_BYTES_MAX,
} from "../../tuning.ts";
import {
  allOf,
  type Condition,
  conditionColumns,
  type FieldCondition,
  itemsColumn,
  type ItemsCondition,
  itemsConditions,
  someDocuments,
} from "./condition.ts";
import { columnOfKey } from "../segments/list_columns.ts";
import { readId } from "../segments/id_words.ts";
import { derivedField } from "../segments/language_columns.ts";
import type { IndexRow } from "../index_row.ts";
import { Layer, type LayerRequest, layerRequest } from "../segments/layer.ts";
import { conditionText, type IndexOverlay, type NamedVersion } from "./list_query.ts";
import { deltaSegment } from "../segments/segment.ts";
import type { Sliced } from "../../store/slices.ts";

/**
 * Reads rows with whole texts and what the conditions say of them, of exactly these versions; those that are
 * not kept are left out.
 */
export type ReadWhole = (
  versions: readonly NamedVersion[],
  items: readonly ItemsCondition[],
) => Promise<IndexRow[]>;

/** The same for documents of any collection. */
export type LoadWhole = (
  collection: Collection,
  ...read: Parameters<ReadWhole>
) => ReturnType<ReadWhole>;

/** Rows of one collection, and how documents of them are read. */
export interface CutScope {
  collection: Collection;
  /** Its layers, and for each the rows that later ones replace besides the hidden ones. */
  reader: { layers: readonly Layer[]; replaced: readonly (Uint32Array | undefined)[] };
  readWhole: ReadWhole;
  run: <T>(work: Sliced<T>) => T | Promise<T>;
}

/** Reads documents as an overlay has them, and the others as they are. */
export function overlaidRead(read: ReadWhole, overlay?: IndexOverlay): ReadWhole {
  if (overlay === undefined) return read;
  return async (versions, items) => {
    const laid = await Promise.all(versions.map(({ id }) => overlay.wholeRow(id, items)));
    const others = versions.filter((_, index) => laid[index] === null);
    const rows = others.length === 0 ? [] : await read(others, items);
    return [...rows, ...laid.filter((row) => row !== null)];
  };
}

/** A version that the rows name is not there any more. */
export class RowsMoved extends Error {
  override name = "RowsMoved";
}

/**
 * A request to the layers that decides the rows they cannot: documents that only their whole texts select are
 * added by id. Only rows that meet `among` are decided. Throws {@linkcode RowsMoved} if the rows no longer
 * match the documents.
 */
export async function decideCutRows(
  scope: CutScope,
  wanted: LayerRequest,
  among: Condition | null = null,
): Promise<LayerRequest> {
  const { where } = wanted.selection;
  const cut = where === null ? null : await cutCondition(scope, wanted);
  if (where === null || cut === null) return wanted;
  const narrowed = among === null ? wanted : withWhere(wanted, allOf(among, where));
  const found = await remembered(scope.reader, narrowed.selected, async () => {
    const undecided = await undecidedRows(scope, narrowed, cut);
    const ids: string[] = [];
    for (let from = 0; from < undecided.length; from += CUT_ROWS_READ_TOGETHER) {
      const versions = undecided.slice(from, from + CUT_ROWS_READ_TOGETHER);
      ids.push(...await selectedIds(scope, wanted, versions));
    }
    return ids.length === 0 ? null : someDocuments(ids);
  });
  return found === null ? wanted : withWhere(wanted, { kind: "or", of: [where, found] });
}

/** By reader and filter the documents that were found lately: a reader never changes. */
const known = new WeakMap<object, Map<string, Promise<Condition | null>>>();

function remembered(
  reader: object,
  name: string,
  find: () => Promise<Condition | null>,
): Promise<Condition | null> {
  const kept = known.get(reader) ?? new Map<string, Promise<Condition | null>>();
  known.set(reader, kept);
  const before = kept.get(name);
  if (before !== undefined) return before;
  const found = find();
  kept.set(name, found);
  found.catch(() => kept.delete(name));
  for (const oldest of kept.keys()) {
    if (kept.size <= CUT_FILTERS_KEPT_MAX) break;
    kept.delete(oldest);
  }
  return found;
}

async function cutCondition(
  { reader: { layers }, run }: CutScope,
  wanted: LayerRequest,
): Promise<FieldCondition | ItemsCondition | null> {
  for (const layer of layers) {
    const found = await run(layer.cutCondition(wanted));
    if (found !== null) return found;
  }
  return null;
}

/** The rows that are selected or not, depending on the rest of a text. */
async function undecidedRows(
  { collection, reader: { layers, replaced }, run }: CutScope,
  wanted: LayerRequest,
  cut: FieldCondition | ItemsCondition,
): Promise<NamedVersion[]> {
  const found: NamedVersion[] = [];
  let count = 0;
  for (const [index, layer] of layers.entries()) {
    const { segment, hidden } = layer;
    const surely = (await run(layer.matching(wanted, false)))!;
    const perhaps = (await run(layer.matching(wanted, true)))!;
    const decided = hidden === null ? surely.copy() : surely.or(hidden);
    for (const row of replaced[index] ?? []) decided.add(row);
    count += perhaps.countWithout(decided);
    if (count > CUT_ROWS_READ_MAX) continue;
    for (const row of perhaps.and(decided.not()).list()) {
      found.push({ id: readId(segment.ids, row), n: segment.versions[row]! });
    }
  }
  if (count > CUT_ROWS_READ_MAX) throw tooMany(collection, cut, count);
  return found;
}

function tooMany(
  collection: Collection,
  condition: FieldCondition | ItemsCondition,
  count: number,
): Refusal {
  if (condition.kind === "items") {
    return new Refusal("FILTER_INVALID", {
      about:
        `the condition on ${condition.name} is decided on the documents themselves, and needs ` +
        `${count} of them, of which at most ${CUT_ROWS_READ_MAX} are read; add a condition that selects fewer`,
    });
  }
  const { by } = condition;
  const wanted = derivedField(by.fieldKey) ?? by.fieldKey;
  const field = indexedFields(collection).find(({ key }) => key === wanted);
  return new Refusal("FILTER_INVALID", {
    about: `it is about the field ${field?.name ?? by.fieldKey}, whose texts are indexed to ` +
      `${INDEXED_CHARS_MAX} characters, and depends on what lies beyond in ${count} documents, of ` +
      `which at most ${CUT_ROWS_READ_MAX} are read; add a condition that selects fewer, or search with q`,
  });
}

/** Those of some documents that are selected by the whole of their texts. */
async function selectedIds(
  { readWhole, run }: CutScope,
  wanted: LayerRequest,
  versions: readonly NamedVersion[],
): Promise<string[]> {
  const { where } = wanted.selection;
  const items = where === null ? [] : itemsConditions(where);
  const rows = await readWhole(versions, items);
  if (rows.length < versions.length) throw new RowsMoved("A version is not kept any more");
  const sorted = rows.sort((a, b) => a.id < b.id ? -1 : 1)
    .map((row) => ({ id: row.id, epoch: 0, versionstamp: "", row }));
  const segment = deltaSegment("whole", sorted);
  for (const column of where === null ? [] : conditionColumns(where)) {
    if (!wanted.absent.has(column)) await segment.load(column);
  }
  for (const condition of items) await segment.load(columnOfKey(itemsColumn(condition)));
  const layer = new Layer("whole", segment, null, new SecondChanceCache(ROW_LIST_CACHE_BYTES_MAX));
  const matching = (await run(layer.matching(wanted, null)))!;
  return sorted.filter((_, row) => matching.has(row)).map(({ id }) => id);
}

function withWhere({ sort, targets, absent }: LayerRequest, where: Condition): LayerRequest {
  return layerRequest(sort, { where, text: conditionText(where) }, targets, absent);
}
