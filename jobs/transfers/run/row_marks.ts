/**
 * The marks of rows: which document each row has become, as far as that is known before it is written.
 *
 * @module
 */
import { currentKey, schemaKey } from "../../../kv/keys.ts";
import { zip } from "../../../kv/model/primitives/zip.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { keyOfRow, type Transferred } from "../../../kv/transfers/transfer_changes.ts";
import { transferredKindPrefix } from "../../../kv/transfers/transfer_keys.ts";
import type { KnownOfRow } from "../../../kv/transfers/write_document.ts";
import type { CurrentRow } from "../../../kv/versioning/entities.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import type { PlannedRows, TransferRun } from "./transfer_run.ts";

/** A row, and what is known of it from earlier runs. */
export interface MarkedRow {
  row: MappedRow;
  known: KnownOfRow;
  /** Whether the document that the row has become was deleted for good: the row is written again. */
  isDeleted: boolean;
}

/** Reads the marks of rows, all of them together. */
export async function markedRows(
  { context: { store }, plan: { sourceKey } }: TransferRun,
  { collection: { source: kind } }: PlannedRows,
  mapped: readonly MappedRow[],
): Promise<MarkedRow[]> {
  const keys = mapped.map(({ sourceId: id }) => keyOfRow({ sourceKey, kind, id }));
  const [schema, ...read] = await store.getMany([schemaKey, ...keys]);
  const marks = read as Entry<Transferred>[];
  const ids = marks.flatMap(({ value }) => value === null ? [] : [value.id]);
  const documents = await store.getMany(ids.map((id) => currentKey("document", id)));
  const deleted = new Set(
    zip(ids, documents as Entry<CurrentRow>[])
      .flatMap(([id, { value }]) => value === null || value.gone ? [id] : []),
  );
  return zip(mapped, marks).map(([row, mark]) => {
    const isDeleted = mark.value !== null && deleted.has(mark.value.id);
    return { row, known: { mark, schema, isAssumed: false }, isDeleted };
  });
}

/** Rows of a kind that is new, as if their marks had been read: each commit checks that there is none. */
export async function unmarkedRows(
  { context: { store }, plan: { sourceKey } }: TransferRun,
  { collection: { source: kind } }: PlannedRows,
  mapped: readonly MappedRow[],
): Promise<MarkedRow[]> {
  const schema = await store.get(schemaKey);
  return mapped.map((row) => {
    const key = keyOfRow({ sourceKey, kind, id: row.sourceId });
    const mark = { key, value: null, versionstamp: null };
    return { row, known: { mark, schema, isAssumed: true }, isDeleted: false };
  });
}

/** By dependencies, which kinds were new when the present run came to them. */
const newKinds = new WeakMap<TransferDeps, { jobId: string; kinds: Map<string, boolean> }>();

/** Whether no row of a kind had a mark when this process first saw it in the present run. */
export async function isNewKind(
  { writer: { jobId }, deps, context: { store }, plan: { sourceKey } }: TransferRun,
  { collection: { source: kind } }: PlannedRows,
): Promise<boolean> {
  const held = newKinds.get(deps);
  const kinds = held?.jobId === jobId ? held.kinds : new Map<string, boolean>();
  newKinds.set(deps, { jobId, kinds });
  const known = kinds.get(kind);
  if (known !== undefined) return known;
  const prefix = transferredKindPrefix(sourceKey, kind);
  const isNew = (await store.listAll({ prefix }, { limit: 1 })).length === 0;
  kinds.set(kind, isNew);
  return isNew;
}
