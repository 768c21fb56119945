/**
 * The rows of one table: their form, their order, and that histories have no gaps but what pruning has left.
 *
 * @module
 */
import type { z } from "zod";
import {
  FieldKeyLine,
  FormerAddressLine,
  isVersionTable,
  type KeyLine,
  OldSlugLine,
  type TableName,
  TransferChangeLine,
  TransferLine,
  TransferredLine,
  VersionLine,
  VersionNameLine,
} from "../model/entities/backup.ts";
import { kindOf } from "../model/entities/entity_kinds.ts";
import { firstIssue } from "../model/input/first_issue.ts";

/** Digits by which version numbers are compared as text. */
const VERSION_DIGITS = 12;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Checks rows one after the other. */
export class TableCheck {
  readonly #table: TableName;
  readonly #fail: (row: number, message: string) => void;
  #last: VersionLine | null = null;
  #lastKey = "";
  #rows = 0;
  /** Entities that are alive, as far as the table was read. */
  entities = 0;

  constructor(table: TableName, fail: (row: number, message: string) => void) {
    this.#table = table;
    this.#fail = fail;
  }

  /** Checks a row; `isNew` when it begins another entity. `alive` gets each living entity's state. */
  row(row: number, line: Uint8Array, alive: (version: VersionLine) => void): { isNew: boolean } {
    this.#rows = row;
    const value = parseLine(line);
    if (!isVersionTable(this.#table)) {
      this.#checkKey(row, value);
      return { isNew: true };
    }
    const parsed = VersionLine.safeParse(value);
    if (!parsed.success) {
      this.#fail(row, `The row is malformed: ${reason(parsed.error)}`);
      return { isNew: true };
    }
    const version = parsed.data as VersionLine;
    const isNew = version.entity_id !== this.#last?.entity_id;
    this.#checkOrder(row, version);
    if (isNew) this.#close(row - 1, alive);
    this.#last = version;
    return { isNew };
  }

  /** After the last row. */
  end(alive: (version: VersionLine) => void): void {
    this.#close(this.#rows, alive);
  }

  #checkKey(row: number, value: unknown): void {
    const parsed = LINES[this.#table as keyof typeof LINES].safeParse(value);
    if (!parsed.success) return this.#fail(row, `The row is malformed: ${reason(parsed.error)}`);
    const key = keyOf(parsed.data);
    if (key <= this.#lastKey && row > 1) this.#fail(row, "The rows are out of order");
    this.#lastKey = key;
    this.entities += 1;
  }

  #checkOrder(row: number, version: VersionLine): void {
    if (version.entity_type !== this.#table) this.#fail(row, "The row is of another table");
    const last = this.#last;
    if (last === null) return;
    if (version.entity_id === last.entity_id) {
      const fault = numberFault(last, version);
      if (fault !== null) this.#fail(row, fault);
      if (version.changed_at < last.changed_at) this.#fail(row, "The versions go back in time");
    } else if (version.entity_id < last.entity_id) this.#fail(row, "The rows are out of order");
  }

  /** The last version of an entity is what would be put in place. */
  #close(row: number, alive: (version: VersionLine) => void): void {
    const last = this.#last;
    if (last === null || last.state === null) return;
    const fault = stateFault(last);
    if (fault !== null) return this.#fail(row, fault);
    this.entities += 1;
    alive(last);
  }
}

/** The fault in a version number that follows another one; null if there is none. */
function numberFault(last: VersionLine, { version_number: n, gap }: VersionLine): string | null {
  if (n <= last.version_number) return "The version numbers are out of order";
  const next = last.version_number + 1;
  if (n === next && gap === undefined || n > next && gap?.first === next) return null;
  return "The version numbers have a gap";
}

/** The rows of tables that hold no versions. */
const LINES = {
  field_key: FieldKeyLine,
  old_slug: OldSlugLine,
  version_name: VersionNameLine,
  former_address: FormerAddressLine,
  transfer: TransferLine,
  transferred: TransferredLine,
  transfer_change: TransferChangeLine,
};

/** The sort key of a row. */
function keyOf(line: KeyLine): string {
  if ("key" in line) return `${line.collection_id} ${line.key}`;
  if ("address" in line) return line.address;
  if ("source_key" in line) return bytesOf([line.source_key, line.kind, line.source_id]);
  if ("plan" in line) return line.id;
  if ("transfer_id" in line) return `${line.transfer_id} ${line.entity_type} ${line.entity_id}`;
  if ("slug" in line) return `${line.collection_id} ${line.slug}`;
  const number = String(line.version_number).padStart(VERSION_DIGITS, "0");
  return `${line.entity_type} ${line.entity_id} ${number}`;
}

/** Texts of any script in the order of their bytes, as the store has them. */
function bytesOf(parts: readonly string[]): string {
  return parts.map((part) => encoder.encode(part).toHex()).join(" ");
}

/** The fault in the state of an entity that is not deleted; null if the service can read it. */
function stateFault({ entity_type: type, entity_id: id, state }: VersionLine): string | null {
  if (state?.id !== id) return "the state is another entity's";
  const result = kindOf(type).shape.safeParse(state);
  if (result.success) return null;
  return `the state's ${firstIssue(result.error).path || "form"} is wrong`;
}

function reason(error: z.ZodError): string {
  const { path, message } = firstIssue(error);
  return `${path} ${message}`.trim().slice(0, 200);
}

function parseLine(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line));
  } catch {
    return undefined;
  }
}
