/**
 * A layer as a language sees it, without the documents that are translated. All others are shown as they are
 * written, so that the columns, orders and lists of the layer answer for every language.
 *
 * @module
 */
import { inSlices, type Sliced } from "../../store/slices.ts";
import {
  allOf,
  type Condition,
  type FieldCondition,
  hasValue,
  type ItemsCondition,
} from "../query/condition.ts";
import { conditionAsWritten, isWrittenIn } from "../query/language_query.ts";
import { conditionText } from "../query/list_query.ts";
import type { Bits } from "./bits.ts";
import type { Column } from "./column.ts";
import { keyAsWritten } from "./derived_column.ts";
import type { ViewedLanguage } from "./language_columns.ts";
import { Layer, type LayerList, type LayerRequest, layerRequest } from "./layer.ts";
import { columnOfKey, keyOfColumn } from "./list_columns.ts";
import type { SegmentPart } from "./segment.ts";

/** The documents of a layer that are translated into none of a view's languages. */
export class UntranslatedLayer extends Layer {
  readonly #whole: Layer;
  readonly #part: SegmentPart | null;
  readonly #view: ViewedLanguage;
  /** Whether all of them are written in the site's language. */
  readonly #areOfSite: boolean;
  readonly #requests = new WeakMap<LayerRequest, LayerRequest>();

  constructor(whole: Layer, part: SegmentPart | null, view: ViewedLanguage, areOfSite: boolean) {
    const { hidden } = whole;
    const without = part === null ? hidden : hidden === null ? part.among : hidden.or(part.among);
    super(whole.name, whole.segment, without, whole.cache);
    this.#whole = whole;
    this.#part = part;
    this.#view = view;
    this.#areOfSite = areOfSite;
  }

  override knownList(wanted: LayerRequest): LayerList | undefined {
    const list = this.#whole.knownList(this.#asWritten(wanted));
    return this.#part === null ? list : list?.without?.get(this.#part);
  }

  override *list(wanted: LayerRequest): Sliced<LayerList> {
    const asked = this.#asWritten(wanted);
    const list = this.#whole.knownList(asked) ?? (yield* this.#whole.list(asked));
    if (this.#part === null) return list;
    const { rows, matching, sort } = list;
    const apart = yield* positionsAmong(rows, this.#part.among);
    const own: LayerList = { rows, matching, sort, apart, skipped: null };
    list.without ??= new Map();
    list.without.set(this.#part, own);
    this.#whole.keep(asked, list);
    return own;
  }

  override matching(wanted: LayerRequest, unsure?: boolean | null): Sliced<Bits | null> {
    return this.#whole.matching(this.#asWritten(wanted), unsure);
  }

  override cutCondition(wanted: LayerRequest): Sliced<FieldCondition | ItemsCondition | null> {
    return this.#whole.cutCondition(this.#asWritten(wanted));
  }

  override column(name: string, wanted: Pick<LayerRequest, "absent">): Column {
    return this.#whole.column(columnOfKey(keyAsWritten(keyOfColumn(name))), wanted);
  }

  /** The same request for documents as they are written; often one that is asked without a language, too. */
  #asWritten(wanted: LayerRequest): LayerRequest {
    const known = this.#requests.get(wanted);
    if (known !== undefined) return known;
    const targets = new Map(wanted.targets);
    const { where } = wanted.selection;
    const conditions = where === null ? [] : [conditionAsWritten(where, this.#view, targets)];
    const all = allOf(...conditions, ...this.#shown(conditions));
    const sort = wanted.sort.map((key) => ({ ...key, by: keyAsWritten(key.by) }));
    const selection = { where: all, text: conditionText(all) };
    const request = layerRequest(sort, selection, targets, wanted.absent);
    this.#requests.set(wanted, request);
    return request;
  }

  /** The conditions of the view that are not met by every document of the layer. */
  #shown(asked: readonly Condition[]): Condition[] {
    const { written, needsPublished, site } = this.#view;
    const shown: Condition[] = [];
    if (!this.#areOfSite) {
      shown.push({ kind: "or", of: written.map((code) => isWrittenIn(code, site)) });
    }
    if (needsPublished && !asked.some(selectsPublished)) {
      shown.push(hasValue("status", "published"));
    }
    return shown;
  }
}

function selectsPublished(condition: Condition): boolean {
  if (condition.kind === "and") return condition.of.some(selectsPublished);
  return condition.kind === "values" && condition.by === "status" &&
    condition.values.every((value) => value === "published");
}

/** The positions of rows that are in a set. */
function* positionsAmong(rows: Uint32Array, among: Bits): Sliced<Uint32Array> {
  const positions: number[] = [];
  yield* inSlices(rows.length, (from, to) => {
    for (let at = from; at < to; at++) if (among.has(rows[at] ?? 0)) positions.push(at);
  });
  return Uint32Array.from(positions);
}
