/**
 * The rows of a backup that is being written, as objects of some megabytes: what was read once is not read
 * again if another process continues. A part counts from the commit that names it; unreferenced parts any
 * more is swept.
 *
 * @module
 */
import { backupPartKey, backupPartPrefix, versionHoldsKey } from "../versioning/backup_keys.ts";
import type { Context } from "../context.ts";
import type { TableName } from "../model/entities/backup.ts";
import { BACKUP_PARTS_PREFIX, backupPartPath } from "../objects/paths.ts";
import { Operation } from "../store/operation.ts";
import { BACKUP_PART_BYTES } from "../tuning.ts";
import { SnapshotGone } from "./rows.ts";
import type { Holds } from "../versioning/version_holds.ts";

/** Parts older than this that no backup names were left behind, milliseconds. */
const ORPHAN_AGE_MS = 86_400_000;
/** Rows that are deleted in one commit. */
const DELETED_AT_ONCE = 500;

/** Consecutive lines of one table inside a part. */
interface Section {
  table: TableName | "media";
  rows: number;
  bytes: number;
}

/** A part as its row tells of it. */
interface PartRow {
  object: string;
  sections: Section[];
}

/** Gathers lines until they make a part. */
export class PartBuffer {
  #bytes = new Uint8Array(BACKUP_PART_BYTES);
  #filled = 0;
  readonly #sections: Section[] = [];

  /** Adds a line, of which it takes a copy; answers whether the part is full. */
  add(table: Section["table"], line: Uint8Array): boolean {
    let section = this.#sections.at(-1);
    if (section?.table !== table) this.#sections.push(section = { table, rows: 0, bytes: 0 });
    section.rows += 1;
    section.bytes += line.byteLength;
    if (this.#filled + line.byteLength > this.#bytes.byteLength) {
      const larger = new Uint8Array(this.#filled + line.byteLength);
      larger.set(this.#bytes.subarray(0, this.#filled));
      this.#bytes = larger;
    }
    this.#bytes.set(line, this.#filled);
    this.#filled += line.byteLength;
    return this.#filled >= BACKUP_PART_BYTES;
  }

  /** Stores the part; it counts once `operation` is committed. */
  async store(context: Context, operation: Operation, id: string, n: number): Promise<void> {
    const object = backupPartPath(id, context.newId(context.now()));
    await context.objects.put(object, this.#bytes.subarray(0, this.#filled));
    operation.set(
      backupPartKey(id, n),
      { object, sections: this.#sections } satisfies PartRow,
    );
  }
}

/** The parts of a backup, to be read table by table in the order in which they were written. */
export class BackupParts {
  readonly #context: Context;
  readonly #parts: PartRow[];
  #last: { object: string; bytes: Uint8Array } | null = null;

  private constructor(context: Context, parts: PartRow[]) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Opens the parts of a backup; throws {@linkcode SnapshotGone} unless all are there. */
  static async open(context: Context, id: string, count: number): Promise<BackupParts> {
    const rows = await context.store.listAll<PartRow>({ prefix: backupPartPrefix(id) });
    if (rows.length !== count) throw new SnapshotGone("Parts of a backup are gone");
    return new BackupParts(context, rows.map(({ value }) => value));
  }

  /** How many rows and bytes a table has. */
  sizeOf(table: Section["table"]): { rows: number; bytes: number } {
    const size = { rows: 0, bytes: 0 };
    for (const section of this.#parts.flatMap(({ sections }) => sections)) {
      if (section.table !== table) continue;
      size.rows += section.rows;
      size.bytes += section.bytes;
    }
    return size;
  }

  /** The bytes of a table, in pieces. */
  async *contentOf(table: Section["table"]): AsyncGenerator<Uint8Array> {
    for (const { object, sections } of this.#parts) {
      let start = 0;
      for (const section of sections) {
        const end = start + section.bytes;
        if (section.table === table) yield (await this.#load(object)).subarray(start, end);
        start = end;
      }
    }
  }

  async #load(object: string): Promise<Uint8Array> {
    if (this.#last?.object === object) return this.#last.bytes;
    const bytes = await this.#context.objects.get(object);
    if (bytes === null) throw new SnapshotGone(`A part of a backup is gone: ${object}`);
    this.#last = { object, bytes };
    return bytes;
  }
}

/** Removes the parts of a backup, their rows first. */
export async function removeParts({ store, objects }: Context, id: string): Promise<void> {
  const rows = await store.listAll<PartRow>({ prefix: backupPartPrefix(id) });
  for (let start = 0; start < rows.length; start += DELETED_AT_ONCE) {
    const some = rows.slice(start, start + DELETED_AT_ONCE);
    const operation = new Operation();
    for (const { key } of some) operation.delete(key);
    await store.commit(operation);
    for (const { value } of some) await objects.delete(value.object);
  }
}

/** Removes parts that processes left behind which died. */
export async function sweepParts(context: Context): Promise<void> {
  const { objects, now } = context;
  const left = new Set<string>();
  const { value: holds } = await context.store.get<Holds>(versionHoldsKey);
  for await (const { key, modifiedAt } of objects.list(BACKUP_PARTS_PREFIX)) {
    const [, id = ""] = key.split("/");
    if (now() - modifiedAt < ORPHAN_AGE_MS || (holds?.[id] ?? 0) > now()) continue;
    left.add(id);
    await objects.delete(key);
  }
  for (const id of left) await removeParts(context, id);
}
