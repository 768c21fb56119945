/**
 * Rows of a source, read once and stored in parts: a run works through the parts, so it can continue after any of them,
 * whatever the source was.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import {
  TRANSFER_DEPTH_MAX,
  TRANSFER_ROW_CHARS_MAX,
  TRANSFER_ROWS_MAX,
  TRANSFER_SOURCES_MAX,
  TRANSFER_VALUE_CHARS_MAX,
} from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { jsonFault } from "../../../kv/model/values/json_check.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { transferRowsPath } from "../../../kv/objects/paths.ts";
import { BadSource, type Problem, type SourceRow } from "./source_file.ts";

/** Rows of a part, and characters after which a part ends. */
const PART_ROWS = 500;
const PART_CHARS = 1_000_000;

/** Control characters; marks of files have them in the name of their kind. */
const CONTROLS = /\p{Cc}/u;

/** A stored row. */
export interface StoredRow {
  /** Its number among the rows of its source, from 1. */
  number: number;
  id: string | null;
  data: JsonObject;
  problem?: Problem;
  translation?: SourceRow["translation"];
}

/** A kind of rows that were stored. */
export interface StoredSource {
  source: string;
  /** The number that its parts are stored under. */
  index: number;
  rows: number;
  parts: number;
}

interface Part extends StoredSource {
  lines: string[];
  chars: number;
}

/** Stores rows. */
export class RowWriter {
  readonly #context: Context;
  readonly #transfer: { id: string; generation: string };
  readonly #sources = new Map<string, Part>();
  #rows = 0;

  constructor(context: Context, transfer: { id: string; generation: string }) {
    this.#context = context;
    this.#transfer = transfer;
  }

  /** Rows so far. */
  get rows(): number {
    return this.#rows;
  }

  /** Adds a row; answers it as it was stored, and its line. */
  async add(row: SourceRow): Promise<{ stored: StoredRow; line: string }> {
    this.#rows += 1;
    if (this.#rows > TRANSFER_ROWS_MAX) {
      throw new BadSource(
        `A transfer can have at most ${TRANSFER_ROWS_MAX.toLocaleString("en")} rows`,
      );
    }
    const part = this.#partOf(row.source);
    part.rows += 1;
    const stored = boundedRow(part.rows, row);
    const line = JSON.stringify(stored);
    part.lines.push(line);
    part.chars += line.length;
    if (part.lines.length >= PART_ROWS || part.chars >= PART_CHARS) await this.#flush(part);
    return { stored, line };
  }

  /** Stores what is left; answers the kinds of rows. */
  async finish(): Promise<StoredSource[]> {
    for (const part of this.#sources.values()) if (part.lines.length > 0) await this.#flush(part);
    return [...this.#sources.values()].map(({ source, index, rows, parts }) => {
      return { source, index, rows, parts };
    });
  }

  #partOf(source: string): Part {
    const known = this.#sources.get(source);
    if (known !== undefined) return known;
    if (this.#sources.size >= TRANSFER_SOURCES_MAX) {
      throw new BadSource(`A transfer can have at most ${TRANSFER_SOURCES_MAX} kinds of rows`);
    }
    if (CONTROLS.test(source)) {
      throw new BadSource("The name of a kind of rows has a control character");
    }
    const index = this.#sources.size;
    const part: Part = { source, index, rows: 0, parts: 0, lines: [], chars: 0 };
    this.#sources.set(source, part);
    return part;
  }

  async #flush(part: Part): Promise<void> {
    const { id, generation } = this.#transfer;
    const path = transferRowsPath(id, generation, part.index, part.parts);
    await this.#context.objects.put(path, new TextEncoder().encode(part.lines.join("\n")));
    part.parts += 1;
    part.lines = [];
    part.chars = 0;
  }
}

/** The rows of a part. */
export async function readRows(
  context: Context,
  transfer: StoredTransfer,
  source: Pick<StoredSource, "index">,
  part: number,
): Promise<StoredRow[]> {
  return (await readLines(context, transfer, source, part)).map(parseRow);
}

/** The rows of a part in groups of at most `size`, each parsed when it is wanted. */
export async function* rowGroups(
  context: Context,
  transfer: StoredTransfer,
  source: Pick<StoredSource, "index">,
  { part, size }: { part: number; size: number },
): AsyncGenerator<StoredRow[]> {
  const lines = await readLines(context, transfer, source, part);
  for (let start = 0; start < lines.length; start += size) {
    yield lines.slice(start, start + size).map(parseRow);
  }
}

/** A transfer whose rows are stored. */
interface StoredTransfer {
  id: string;
  generation: string;
}

async function readLines(
  { objects }: Context,
  { id, generation }: StoredTransfer,
  { index }: Pick<StoredSource, "index">,
  part: number,
): Promise<string[]> {
  const bytes = await objects.get(transferRowsPath(id, generation, index, part));
  if (bytes === null) throw new BadSource("The files of the transfer are no longer there");
  return new TextDecoder().decode(bytes).split("\n");
}

function parseRow(line: string): StoredRow {
  return JSON.parse(line);
}

/** A row within the bounds; one that is beyond fails alone. */
function boundedRow(number: number, { id, data, problem, translation }: SourceRow): StoredRow {
  const fault = problem ?? faultOf(data);
  if (fault !== null) return { number, id, data: {}, problem: fault };
  return { number, id, data, ...(translation && { translation }) };
}

function faultOf(data: JsonObject): Problem | null {
  if (jsonFault(data, TRANSFER_DEPTH_MAX) !== null) {
    return { path: "", code: "TOO_LARGE", message: "The row is nested too deeply" };
  }
  let chars = 0;
  let wrong: string | null = null;
  const visit = (value: Json, path: string) => {
    if (typeof value === "string") {
      chars += value.length;
      if (value.length > TRANSFER_VALUE_CHARS_MAX) wrong ??= path;
    } else if (Array.isArray(value)) {
      for (const [at, one] of value.entries()) visit(one, `${path}.${at}`);
    } else if (value !== null && typeof value === "object") {
      for (const [name, one] of Object.entries(value)) {
        visit(one, path === "" ? name : `${path}.${name}`);
      }
    }
  };
  visit(data, "");
  if (wrong !== null) return { path: wrong, code: "TOO_LONG", message: "The value is too long" };
  if (chars <= TRANSFER_ROW_CHARS_MAX) return null;
  return { path: "", code: "TOO_LARGE", message: "The row is too large" };
}
