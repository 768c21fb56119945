/**
 * Transfers in backups: which entity each row of another system has become, so that a later export of the system changes
 * what a restored site has, and what each transfer has changed, so that it can be undone there. Files, addresses and
 * tokens of transfers stay out.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { type Key, versionPrefix } from "../keys.ts";
import type {
  TableName,
  TransferChangeLine,
  TransferLine,
  TransferredLine,
} from "../model/entities/backup.ts";
import type { EntityType } from "../model/entities/entity_kinds.ts";
import { isResting, writesRows } from "../model/transfers/transfer_state.ts";
import type { Operation, StoredEntry } from "../store/operation.ts";
import { markedTypes } from "../transfers/file_marks.ts";
import type { TransferChange, Transferred } from "../transfers/transfer_changes.ts";
import {
  transferChangeKey,
  transferChangesPrefix,
  transferKey,
  transferPrefix,
  transferredPrefix,
} from "../transfers/transfer_keys.ts";
import { readPlan, type TransferRecord, writePlan } from "../transfers/transfers.ts";
import type { Instant, RowKey, TableLine } from "./rows.ts";

/** Rows after which others have their turn. */
const ROWS_AT_ONCE = 500;

const PREFIXES = {
  transfer: transferPrefix,
  transferred: transferredPrefix,
  transfer_change: transferChangesPrefix,
} as const;

type TransferTable = keyof typeof PREFIXES;

/** Whether a table is about transfers. */
export function isTransferTable(table: TableName): table is TransferTable {
  return Object.hasOwn(PREFIXES, table);
}

/** The lines of a table about transfers, in order; with `after` only those behind that key. */
export async function* transferLines(
  context: Context,
  table: TransferTable,
  instant: Instant,
  after: RowKey | null,
): AsyncGenerator<TableLine> {
  const { store } = context;
  const range = { prefix: PREFIXES[table], ...(after !== null && { start: [...after, ""] }) };
  let rows = 0;
  for await (const entry of store.list<never>(range, { batchSize: ROWS_AT_ONCE })) {
    if (++rows % ROWS_AT_ONCE === 0) await store.sleep(0);
    const row = await LINES[table](context, entry, entry.versionstamp <= instant.stamp, instant);
    if (row === null) continue;
    const line = new TextEncoder().encode(`${JSON.stringify(row)}\n`);
    yield { line, key: entry.key as RowKey };
  }
}

/** Makes the line of an entry; `isThen` if it has not changed since the instant. */
type MakeLine = (
  context: Context,
  entry: StoredEntry<never>,
  isThen: boolean,
  instant: Instant,
) => Promise<object | null> | object | null;

const LINES: { readonly [T in TransferTable]: MakeLine } = {
  transfer: (context, { value }) => recordLine(context, value),
  transferred: markLine,
  // What a transfer has changed since is not in the backup, and cannot be undone with it.
  transfer_change: (_context, { key, value }, isThen) => isThen ? changeLine(key, value) : null,
};

async function recordLine(
  context: Context,
  record: TransferRecord,
): Promise<TransferLine | null> {
  const { id, name, kind, counts, runs, createdBy, createdAt } = record;
  if (!runs.some(({ action }) => writesRows(action))) return null;
  return {
    id,
    name,
    kind,
    // Its job stays behind.
    state: isResting(record.state) ? record.state : "cancelled",
    counts,
    plan: await readPlan(context, record),
    runs,
    created_by: createdBy,
    created_at: createdAt,
  };
}

async function markLine(
  { store }: Context,
  { key, value }: StoredEntry<Transferred>,
  isThen: boolean,
  instant: Instant,
): Promise<TransferredLine | null> {
  const [, sourceKey, kind, sourceId] = key as [string, string, string, string];
  const { id, hash, waits } = value;
  const line = { source_key: sourceKey, kind, source_id: sourceId, entity_id: id };
  if (isThen) return { ...line, hash, ...(waits && { waits }) };
  // Written since. Its entity counts if the backup has it; what was written last is not there.
  for (const type of markedTypes(kind)) {
    const [first] = await store.listAll({ prefix: versionPrefix(type, id) }, { limit: 1 });
    if (first !== undefined && first.versionstamp <= instant.stamp) return { ...line, hash: "" };
  }
  return null;
}

function changeLine(key: Key, { before, n, row }: TransferChange): TransferChangeLine {
  const [, transferId, type, id] = key as [string, string, EntityType, string];
  return {
    transfer_id: transferId,
    entity_type: type,
    entity_id: id,
    before,
    n,
    ...(row && { row }),
  };
}

/** Adds a mark of a backup to a commit. */
export function stageTransferred(
  operation: Operation,
  { source_key, kind, source_id, entity_id, hash, waits }: TransferredLine,
): void {
  // No run of this site has seen it.
  const run = { jobId: "", did: "updated" } as const;
  const mark: Transferred = { id: entity_id, hash, ...run, ...(waits && { waits }) };
  operation.set([...transferredPrefix, source_key, kind, source_id], mark);
}

/** Adds what a transfer has done to an entity to a commit. */
export function stageChange(
  operation: Operation,
  { transfer_id, entity_type, entity_id, before, n, row }: TransferChangeLine,
): void {
  const change: TransferChange = { before, n, ...(row && { row }) };
  operation.set(transferChangeKey(transfer_id, entity_type, entity_id), change);
}

/** Adds a transfer to a commit; one that the site has keeps its files, and so can be run again. */
export async function stageTransferRecord(
  context: Context,
  operation: Operation,
  { id, name, kind, state, counts, plan, runs, created_by, created_at }: TransferLine,
): Promise<void> {
  const { value } = await context.store.get<TransferRecord>(transferKey(id));
  const object = plan === null ? null : await writePlan(context, id, plan);
  const { error: _, ...present } = value ?? { files: [], generation: id };
  operation.set(transferKey(id), {
    ...present,
    id,
    name,
    kind,
    state,
    counts,
    plan: object,
    runs,
    createdBy: created_by,
    createdAt: created_at,
  });
}
