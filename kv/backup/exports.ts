/**
 * The backups that are kept: what is known of each, and which go when there are too many.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { exportKey, exportPrefix } from "../keys.ts";
import { exportPath, EXPORTS_PREFIX } from "../objects/paths.ts";
import { Refusal } from "../refusals.ts";
import { Operation } from "../store/operation.ts";
import { sweepParts } from "./backup_parts.ts";

/** Why a backup was made. */
export type ExportReason = "daily" | "manual" | "import";

/** The record of a backup. */
export interface ExportRecord {
  id: string;
  /** Epoch seconds: the instant that it shows. */
  createdAt: number;
  bytes: number;
  rows: number;
  redacted: boolean;
  /** Whether the bytes of media are in it. */
  media: boolean;
  reason: ExportReason;
}

/** An object without a record that is older than this was left behind, milliseconds. */
const ORPHAN_AGE_MS = 86_400_000;

/** All backups, newest first. */
export async function listExports({ store }: Context): Promise<ExportRecord[]> {
  const records: ExportRecord[] = [];
  for await (const { value } of store.list<ExportRecord>({ prefix: exportPrefix })) {
    if (value !== null) records.push(value);
  }
  return records.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1));
}

/** A backup's tarball; refuses with NOT_FOUND. */
export async function openExport(
  { store, objects }: Context,
  id: string,
): Promise<{ record: ExportRecord; stream: ReadableStream<Uint8Array> }> {
  const { value: record } = await store.get<ExportRecord>(exportKey(id));
  const stream = record && await objects.getStream(exportPath(id));
  if (!stream) throw new Refusal("NOT_FOUND");
  return { record: record, stream };
}

/** Adds the record of a backup that was written to a commit. */
export function stageExport(operation: Operation, record: ExportRecord): void {
  operation.set(exportKey(record.id), record);
}

/**
 * Forgets the backups beyond the newest `keep`; redacted ones are counted for themselves, because
 * nothing can be restored from them. Answers how many went.
 */
export async function pruneExports(context: Context, keep: number): Promise<number> {
  const { store, objects } = context;
  const records = await listExports(context);
  const surplus = [true, false].flatMap((redacted) =>
    records.filter((record) => record.redacted === redacted).slice(keep)
  );
  for (const { id } of surplus) {
    await store.commit(new Operation().delete(exportKey(id)));
    await objects.delete(exportPath(id));
  }
  await removeOrphans(context);
  await sweepParts(context);
  return surplus.length;
}

async function removeOrphans({ store, objects, now }: Context): Promise<void> {
  for await (const { key, modifiedAt } of objects.list(EXPORTS_PREFIX)) {
    if (now() - modifiedAt < ORPHAN_AGE_MS) continue;
    const id = key.slice(EXPORTS_PREFIX.length).replace(/\.tar\.gz$/, "");
    if ((await store.get(exportKey(id))).value === null) await objects.delete(key);
  }
}
