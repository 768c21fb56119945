/**
 * What rows of a source have become: read ahead for a part of the rows, because mapping does not wait.
 *
 * @module
 */
import { FUTURE_ID } from "../../../kv/model/transfers/future_id.ts";
import { ownValue } from "../../../kv/model/primitives/own_value.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { findAssets } from "../../../kv/transfers/file_marks.ts";
import { keyOfRow, type Transferred } from "../../../kv/transfers/transfer_changes.ts";
import {
  type MappedRow,
  mapRow,
  rowId,
  type RowScope,
  sourcesOfTargets,
} from "../mapping/map_row.ts";
import type { Lookup } from "../mapping/map_scope.ts";
import { readRows, type StoredRow } from "../reading/row_store.ts";
import type { SourceImage } from "../text/rich_text_builder.ts";
import { assetName, isAccepted } from "./media_source.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import type { TransferRun } from "./transfer_run.ts";

/** Rows of a kind whose ids are held for a dry run. */
const IDS_HELD = 1_000_000;

/** Finds what rows have become. */
class RowLookup implements Lookup {
  readonly #run: TransferRun;
  readonly #sources: Map<string, string[]>;
  /** By kind and id; undefined before it is read. */
  readonly #known = new Map<string, string | null>();
  readonly #wanted = new Map<string, [kind: string | null, id: string]>();

  constructor(run: TransferRun) {
    this.#run = run;
    this.#sources = sourcesOfTargets(run.plan);
  }

  /** Addresses of assets that were asked for. */
  get addresses(): string[] {
    return [...this.#wanted.values()].filter(([kind]) => kind === null).map(([, id]) => id);
  }

  /** Whether rows of a kind were asked for. */
  isAskedFor(kind: string): boolean {
    return [...this.#wanted.values()].some(([wanted]) => wanted === kind);
  }

  document(sourceId: string, collections: readonly string[], source?: string): string | null {
    const { plan: { authors: { collection } }, authors } = this.#run;
    if (collection !== null && collections.includes(collection)) {
      const mapped = authors.documents.get(sourceId);
      if (mapped !== undefined) return mapped;
    }
    const kinds = collections.length === 0
      ? [...this.#sources.values()].flat()
      : collections.flatMap((slug) => this.#sources.get(slug) ?? []);
    // Where ids are numbers, rows of several kinds have the same.
    for (const kind of source === undefined ? kinds : kinds.filter((one) => one === source)) {
      const id = this.#find(kind, sourceId);
      if (id !== null) return id;
    }
    return null;
  }

  media(address: string): string | null {
    return this.#find(null, assetName(this.#run, address));
  }

  reusable(id: string): string | null {
    return ownValue(this.#run.facts.facts.reusable ?? {}, id) ?? null;
  }

  attachment(id: string): SourceImage | null {
    const { url, alt, caption } = ownValue(this.#run.facts.facts.assets ?? {}, id) ?? {};
    return url === undefined ? null : { url, ...(alt && { alt }), ...(caption && { caption }) };
  }

  attached(postId: string): readonly string[] {
    return ownValue(this.#run.facts.facts.attached ?? {}, postId) ?? [];
  }

  /** What a row of a kind, or without one a file, has become. */
  #find(kind: string | null, id: string): string | null {
    const name = `${kind ?? ""}\n${id}`;
    const known = this.#known.get(name);
    if (known === undefined) this.#wanted.set(name, [kind, id]);
    return known ?? null;
  }

  /** Reads everything that was asked for; false if nothing was. */
  async load(): Promise<boolean> {
    const wanted = [...this.#wanted];
    this.#wanted.clear();
    if (wanted.length === 0) return false;
    const { context: { store }, plan: { sourceKey }, isDry } = this.#run;
    const rows = wanted.flatMap(([name, [kind, id]]) => kind === null ? [] : [{ name, kind, id }]);
    const files = wanted.flatMap(([name, [kind, id]]) => kind === null ? [{ name, id }] : []);
    const [marks, assets] = await Promise.all([
      store.getMany(rows.map(({ kind, id }) => keyOfRow({ sourceKey, kind, id }))),
      findAssets(store, sourceKey, files.map(({ id }) => id)),
    ]);
    for (const [{ name, kind, id }, { value }] of zip(rows, marks as Entry<Transferred>[])) {
      this.#known.set(name, value?.id ?? (isDry ? await this.#future(kind, id) : null));
    }
    for (const [{ name, id }, asset] of zip(files, assets)) {
      const comes = isDry && asset === null && await isAccepted(this.#run, id);
      this.#known.set(name, comes ? FUTURE_ID : asset);
    }
    return true;
  }

  /** What a run would make of a row. */
  async #future(kind: string, id: string): Promise<string | null> {
    const ids = await idsOf(this.#run, kind);
    return ids === null || ids.has(id) ? FUTURE_ID : null;
  }
}

/** The ids that the present dry run has read. */
const idsByDeps = new WeakMap<
  TransferDeps,
  { jobId: string; ids: Map<string, Set<string> | null> }
>();

/** The ids of all rows of a kind; null if there are too many to hold. */
async function idsOf(run: TransferRun, kind: string): Promise<Set<string> | null> {
  const { jobId } = run.writer;
  const held = idsByDeps.get(run.deps);
  const known = held?.jobId === jobId ? held.ids : new Map<string, Set<string> | null>();
  idsByDeps.set(run.deps, { jobId, ids: known });
  const found = known.get(kind);
  if (found !== undefined) return found;
  const stored = run.facts.sources.find(({ source }) => source === kind);
  const collection = run.plan.collections.find(({ source }) => source === kind);
  let ids: Set<string> | null = new Set();
  if (stored !== undefined && collection !== undefined) {
    if (stored.rows > IDS_HELD) ids = null;
    for (let part = 0; ids !== null && part < stored.parts; part++) {
      for (const row of await readRows(run.context, run.record, stored, part)) {
        ids.add(rowId(row, collection));
      }
    }
  }
  known.set(kind, ids);
  return ids;
}

/**
 * Maps rows, with everything that they refer to. Rows of their own kind that are still being written are found once
 * `settled` resolves.
 */
export async function mapRows(
  run: TransferRun,
  rows: readonly StoredRow[],
  scope: RowScope,
  settled: () => Promise<void> = () => Promise.resolve(),
): Promise<MappedRow[]> {
  const lookup = new RowLookup(run);
  const mapped = rows.map((row) => mapRow(row, scope, lookup));
  if (lookup.isAskedFor(scope.collection.source)) await settled();
  return await lookup.load() ? rows.map((row) => mapRow(row, scope, lookup)) : mapped;
}

/** The addresses of assets that rows name. */
export function addressesOf(
  run: TransferRun,
  rows: readonly StoredRow[],
  scope: RowScope,
): string[] {
  const lookup = new RowLookup(run);
  for (const row of rows) mapRow(row, scope, lookup);
  return lookup.addresses;
}
