/**
 * The report of a run: one line for each row, stored by the parts of the rows, so that a part that runs again replaces
 * its own lines.
 *
 * @module
 */
import type { Context } from "../../../kv/context.ts";
import { TRANSFER_PROBLEMS_MAX, TRANSFER_SHOWN_CHARS_MAX } from "../../../kv/limits/transfers.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { transferReportPath, transferReportPrefix } from "../../../kv/objects/paths.ts";
import type { WantedState } from "../../../kv/transfers/write_document.ts";
import { NO_ROWS, type TransferCounts } from "../../../kv/transfers/transfers.ts";
import type { Problem } from "../reading/source_file.ts";

/** A line of a report. */
export interface ReportLine {
  source: string;
  sourceId: string;
  /** Slug of the target. */
  collection: string;
  id?: string;
  status: "created" | "updated" | "unchanged" | "skipped" | "failed";
  problems: Problem[];
}

/** A line with what the later phases need. */
export interface StoredLine extends ReportLine {
  /** The state that the document is still to be brought to. */
  wanted?: WantedState;
  /** Set if it refers to documents or files that were missing. */
  open?: true;
  /** Set if it is a translation of another row's document, whose state it leaves alone. */
  isTranslation?: true;
  /** Set if its unpublished changes are written once it is published. */
  hasWorkingCopy?: true;
  /** Languages that were written and are published with it. */
  languages?: string[];
  /** Addresses that it had in its source. */
  addresses?: string[];
}

/** The name of a part in a report. */
export function partName(phase: "documents" | "media", source: number, part: number): string {
  return `${phase}-${String(source).padStart(4, "0")}-${String(part).padStart(8, "0")}`;
}

/** Stores the lines of a part. */
export async function writeLines(
  { objects }: Context,
  transferId: string,
  jobId: string,
  name: string,
  lines: readonly StoredLine[],
): Promise<void> {
  const text = lines.map((line) => JSON.stringify(bounded(line))).join("\n");
  await objects.put(transferReportPath(transferId, jobId, name), new TextEncoder().encode(text));
}

/** The lines of a part; none if it was not stored. */
export async function readLines(
  { objects }: Context,
  transferId: string,
  jobId: string,
  name: string,
): Promise<StoredLine[]> {
  const bytes = await objects.get(transferReportPath(transferId, jobId, name));
  const text = bytes === null ? "" : new TextDecoder().decode(bytes);
  return text === "" ? [] : text.split("\n").map((line) => JSON.parse(line) as StoredLine);
}

/** All lines of a run, in order. */
export async function* reportLines(
  context: Context,
  transferId: string,
  jobId: string,
): AsyncGenerator<ReportLine> {
  const prefix = transferReportPrefix(transferId, jobId);
  for await (const { key } of context.objects.list(prefix)) {
    const name = key.slice(prefix.length);
    for (const line of await readLines(context, transferId, jobId, name)) {
      const { source, sourceId, collection, id, status, problems } = line;
      yield { source, sourceId, collection, ...(id !== undefined && { id }), status, problems };
    }
  }
}

/** How the rows of some lines ended. */
export function countLines(lines: readonly ReportLine[]): TransferCounts {
  const counts = { ...NO_ROWS };
  for (const { status, problems } of lines) {
    counts[status] += 1;
    if (status !== "failed" && problems.length > 0) counts.warnings += 1;
  }
  return counts;
}

/** The sum of two counts; with `times` -1 what the first has more than the second. */
export function addCounts(a: TransferCounts, b: TransferCounts, times: 1 | -1 = 1): TransferCounts {
  return {
    created: a.created + times * b.created,
    updated: a.updated + times * b.updated,
    unchanged: a.unchanged + times * b.unchanged,
    skipped: a.skipped + times * b.skipped,
    failed: a.failed + times * b.failed,
    warnings: a.warnings + times * b.warnings,
  };
}

function bounded(line: StoredLine): StoredLine {
  return {
    ...line,
    problems: line.problems.slice(0, TRANSFER_PROBLEMS_MAX).map((problem) =>
      problem.value === undefined ? problem : { ...problem, value: shortened(problem.value) }
    ),
  };
}

function shortened(value: Json): Json {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (text.length <= TRANSFER_SHOWN_CHARS_MAX) return value;
  return `${text.slice(0, TRANSFER_SHOWN_CHARS_MAX)}…`;
}
