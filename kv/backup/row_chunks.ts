/**
 * The rows of a checked backup in separate chunks, so that a replay can continue anywhere. Each row says
 * whether it is the last of its entity.
 *
 * @module
 */
import type { Context } from "../context.ts";
import type { TableName } from "../model/entities/backup.ts";
import { joinBytes } from "../objects/object_bytes.ts";
import { importPath, importRowsPath, importRowsPrefix, IMPORTS_PREFIX } from "../objects/paths.ts";
import { BACKUP_CHUNK_BYTES_MAX } from "../tuning.ts";
import type { RowSink } from "./check_backup.ts";
import { splitLines } from "./lines.ts";

/** Rows of one chunk. */
const CHUNK_ROWS = 300;
/** Age after which leftovers of an import are removed, milliseconds. */
const LEFTOVER_AGE_MS = 2 * 86_400_000;

const LAST = 0x31;
const NOT_LAST = 0x30;

/** A row as it is replayed; it is parsed when it is asked for. */
export interface ChunkRow<T> {
  parse(): T;
  last: boolean;
}

/** Writes rows into chunks while they are being checked. */
export class ChunkWriter implements RowSink {
  /** Chunks of each table. */
  readonly counts: { [table in TableName]?: number } = {};
  readonly #context: Context;
  readonly #importId: string;
  #pieces: Uint8Array[] = [];
  #rows = 0;
  #bytes = 0;

  constructor(context: Context, importId: string) {
    this.#context = context;
    this.#importId = importId;
  }

  async row(table: TableName, line: Uint8Array, last: boolean): Promise<void> {
    this.#pieces.push(Uint8Array.of(last ? LAST : NOT_LAST), line);
    this.#rows += 1;
    this.#bytes += line.byteLength + 1;
    if (this.#rows >= CHUNK_ROWS || this.#bytes >= BACKUP_CHUNK_BYTES_MAX) await this.#flush(table);
  }

  async end(table: TableName): Promise<void> {
    if (this.#rows > 0) await this.#flush(table);
    this.counts[table] ??= 0;
  }

  async #flush(table: TableName): Promise<void> {
    const chunk = this.counts[table] ?? 0;
    const key = importRowsPath(this.#importId, table, chunk);
    await this.#context.objects.put(key, joinBytes(this.#pieces));
    this.counts[table] = chunk + 1;
    this.#pieces = [];
    this.#rows = 0;
    this.#bytes = 0;
  }
}

/** The rows of a chunk. */
export async function readChunk<T>(
  { objects }: Context,
  importId: string,
  table: TableName,
  chunk: number,
): Promise<ChunkRow<T>[]> {
  const bytes = await objects.get(importRowsPath(importId, table, chunk));
  if (bytes === null) throw new Error(`Rows of an import are missing: ${table} ${chunk}`);
  const rows: ChunkRow<T>[] = [];
  const decoder = new TextDecoder();
  const pieces = async function* () {
    yield bytes;
  };
  for await (const line of splitLines(pieces())) {
    const parse = () => JSON.parse(decoder.decode(line.subarray(1))) as T;
    rows.push({ parse, last: line[0] === LAST });
  }
  return rows;
}

/** Removes the tarball of an import and its chunks. */
export async function removeImport({ objects }: Context, importId: string): Promise<void> {
  for await (const { key } of objects.list(importRowsPrefix(importId))) await objects.delete(key);
  await objects.delete(importPath(importId));
}

/** Removes leftovers of unfinished imports. */
export async function removeOldImports({ objects, now }: Context): Promise<void> {
  for await (const { key, modifiedAt } of objects.list(IMPORTS_PREFIX)) {
    if (now() - modifiedAt > LEFTOVER_AGE_MS) await objects.delete(key);
  }
}
