/**
 * What transfers have done: which entity a row of a source has become, so that repeating a transfer changes it instead
 * of making another, and what each transfer has changed, so that it can be undone.
 *
 * @module
 */
import type { EntityType } from "../model/entities/entity_kinds.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";
import { transferChangeKey, transferChangePrefix, transferredKey } from "./transfer_keys.ts";

/** The entity that a row of a source has become. */
export interface Transferred {
  id: string;
  /** Digest of what was written last. */
  hash: string;
  /** The run that has last seen the row, and what it did. */
  jobId: string;
  did: "created" | "updated";
  /** Set while the document is still to be published, scheduled or archived. */
  waits?: true;
}

/** What a transfer has done to an entity, all its runs together. */
export interface TransferChange {
  /** The version before the first change; null if the transfer has created it. */
  before: number | null;
  /** The version that the last change recorded. */
  n: number;
  /** The row that it was made from. */
  row?: SourceRow;
  /** The run that made the last change, and what it did: of settings, which no row has a mark for. */
  run?: { jobId: string; did: "created" | "updated" };
}

/** A row of a source. */
export interface SourceRow {
  sourceKey: string;
  /** The kind of rows. */
  kind: string;
  id: string;
}

/** The key of a row of a source. */
export function keyOfRow({ sourceKey, kind, id }: SourceRow) {
  return transferredKey(sourceKey, kind, id);
}

/** Adds what a transfer does to an entity; `known` is what it has done to it before. */
export function stageTransferChange(
  operation: Operation,
  transferId: string,
  { type, id }: { type: EntityType; id: string },
  change: TransferChange,
  known: TransferChange | null,
): void {
  const before = known === null ? change.before : known.before;
  operation.set(transferChangeKey(transferId, type, id), { ...change, before });
}

/** What a transfer has done to entities of a type, in order of their ids. */
export async function* listTransferChanges(
  store: Store,
  transferId: string,
  type: EntityType,
): AsyncGenerator<{ id: string; change: TransferChange }> {
  const range = { prefix: transferChangePrefix(transferId, type) };
  for await (const { key, value } of store.list<TransferChange>(range, { batchSize: 500 })) {
    yield { id: key[3] as string, change: value };
  }
}
