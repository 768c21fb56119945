/**
 * CSV and TSV files: their first row names the columns.
 *
 * @module
 */
import { TRANSFER_ROW_CHARS_MAX } from "../../../kv/limits/transfers.ts";
import type { TransferKind } from "../../../kv/model/transfers/plan.ts";
import { unguardFormula } from "../../../kv/model/primitives/csv_text.ts";
import type { JsonObject } from "../../../kv/model/values/json_object.ts";
import { BadSource, type ReadableFile, type SourceRow } from "../reading/source_file.ts";
import { headText, textOf } from "../reading/text_stream.ts";
import {
  baseName,
  filesWith,
  hasExtension,
  type ReadScope,
  type TransferFormat,
} from "./format.ts";

/** Texts of a table that mean that a cell has no value. */
const NULLS: readonly string[] = ["", "NULL", "\\N"];

/** Comma, semicolon or other separated values. */
export const csv = separated("csv", ["csv"], null);
/** Tab separated values. */
export const tsv = separated("tsv", ["tsv", "tab"], "\t");

/** Texts that mean no value in sources of a kind, unless the plan names others. */
export function initialNulls(kind: TransferKind): readonly string[] {
  return kind === "csv" || kind === "tsv" ? NULLS : [];
}

function separated(
  kind: TransferKind,
  extensions: string[],
  delimiter: string | null,
): TransferFormat {
  return {
    kind,
    matches: (files) => files.some((file) => hasExtension(file, ...extensions)),
    async *read({ files, facts }: ReadScope) {
      for (const file of filesWith(files, ...extensions)) {
        const source = baseName(file.path);
        facts.names[source] ??= source;
        yield* rowsOf(file, source, delimiter ?? delimiterOf(await headText(file)));
      }
    },
  };
}

async function* rowsOf(
  file: ReadableFile,
  source: string,
  delimiter: string,
): AsyncGenerator<SourceRow> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    delimiter,
    columns: columnNames,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: TRANSFER_ROW_CHARS_MAX,
  });
  const feeding = (async () => {
    try {
      for await (const text of textOf(file)) {
        if (!parser.write(text)) await new Promise((drained) => parser.once("drain", drained));
      }
      parser.end();
    } catch (error) {
      parser.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  })();
  try {
    for await (const record of parser) yield { source, id: null, data: withoutGuards(record) };
  } catch (cause) {
    if (cause instanceof BadSource) throw cause;
    const { message = "" } = cause as Error;
    throw new BadSource(`${file.path} is no valid CSV: ${message.slice(0, 200)}`, { cause });
  }
  await feeding;
}

function withoutGuards(record: Record<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, unguardFormula(value)]),
  );
}

/** Names of columns, each once. */
function columnNames(header: string[]): string[] {
  const taken = new Set<string>();
  return header.map((cell, index) => {
    const wanted = unguardFormula(cell.trim()).slice(0, 200) || `column_${index + 1}`;
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
    taken.add(name);
    return name;
  });
}

/** The separator that stands most often in the first line, outside of quotes. */
function delimiterOf(head: string): string {
  const line = (head.split(/\r?\n/).find((line) => line.trim() !== "") ?? "")
    .replace(/"(?:[^"]|"")*"/g, "");
  const counts = [",", ";", "\t", "|"].map((one) => ({ one, count: line.split(one).length - 1 }));
  const best = counts.reduce((a, b) => b.count > a.count ? b : a);
  return best.one;
}
