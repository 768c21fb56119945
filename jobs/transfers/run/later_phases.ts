/**
 * The phases after the documents: references to documents that were written later, publication, and former addresses.
 * Each goes through the lines of the report, which say what is left to be done.
 *
 * @module
 */
import { stageFormerAddress } from "../../../kv/redirects/former_addresses.ts";
import type { Json } from "../../../kv/model/entities/entity.ts";
import { Operation } from "../../../kv/store/operation.ts";
import { FORMER_ADDRESSES_MAX } from "../../../kv/limits/transfers.ts";
import { settleStatus } from "../../../kv/transfers/write_document.ts";
import type { TransferCounts } from "../../../kv/transfers/transfers.ts";
import {
  publishRowLanguages,
  writeWorkingCopyRow,
} from "../../../kv/transfers/write_translation.ts";
import { TRANSFER_ROWS_AT_ONCE_MAX } from "../../limits.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import { readRows } from "../reading/row_store.ts";
import { writeRows } from "./documents_phase.ts";
import {
  addCounts,
  countLines,
  partName,
  readLines,
  type StoredLine,
  writeLines,
} from "./report.ts";
import { problemsOf } from "./row_lines.ts";
import { mapRows } from "./row_lookup.ts";
import { writeTranslations } from "./translation_rows.ts";
import { type PlannedRows, rowScope, type TransferRun } from "./transfer_run.ts";

/** Addresses of one commit. */
const ADDRESSES_PER_COMMIT = 200;

/** Runs `change` on the lines of a part, and stores them again if it answers others. */
async function withLines(
  run: TransferRun,
  { stored }: PlannedRows,
  part: number,
  change: (lines: StoredLine[]) => Promise<StoredLine[] | null>,
): Promise<TransferCounts | null> {
  if (run.isDry) return null;
  const { context, record: { id }, writer: { jobId } } = run;
  const name = partName("documents", stored.index, part);
  const before = await readLines(context, id, jobId, name);
  const next = await change(before);
  if (next === null) return null;
  await writeLines(context, id, jobId, name, next);
  return addCounts(countLines(next), countLines(before), -1);
}

/** Writes rows again that referred to documents that did not exist yet, and the rows that translate others. */
export async function resolveReferences(
  run: TransferRun,
  planned: PlannedRows,
  part: number,
): Promise<TransferCounts | null> {
  return await withLines(run, planned, part, async (lines) => {
    const open = new Set(lines.filter((line) => line.open).map(({ sourceId }) => sourceId));
    if (open.size === 0) return null;
    const rows = await readRows(run.context, run.record, planned.stored, part);
    const mapped = (await mapRows(run, rows, rowScope(run, planned.collection)))
      .filter(({ sourceId }) => open.has(sourceId));
    const isDocument = ({ translated }: MappedRow) => translated === null;
    const written = [
      ...await writeRows(run, planned, mapped.filter(isDocument)),
      ...await writeTranslations(run, planned, mapped.filter((row) => !isDocument(row))),
    ];
    const again = new Map(written.map((line) => [line.sourceId, line]));
    return lines.map((line) => {
      const later = line.open ? again.get(line.sourceId) : undefined;
      if (later === undefined) return line;
      // What was created or changed before stays so.
      const isFirst = line.isTranslation || later.status === "failed";
      return isFirst ? later : { ...later, status: line.status };
    });
  });
}

/** Publishes, schedules and archives. */
export async function settlePart(
  run: TransferRun,
  planned: PlannedRows,
  part: number,
): Promise<TransferCounts | null> {
  return await withLines(run, planned, part, async (lines) => {
    const waiting = lines.filter(({ id, wanted, status }) =>
      id !== undefined && wanted !== undefined && status !== "failed" && status !== "skipped"
    );
    if (waiting.length === 0) return null;
    const copies = await workingCopies(run, planned, part, lines);
    const settled = new Map<string, StoredLine>();
    for (let start = 0; start < waiting.length; start += TRANSFER_ROWS_AT_ONCE_MAX) {
      run.signal.throwIfAborted();
      const group = waiting.slice(start, start + TRANSFER_ROWS_AT_ONCE_MAX);
      for (const line of await Promise.all(group.map((line) => settleLine(run, line, copies)))) {
        settled.set(line.sourceId, line);
      }
    }
    return lines.map((line) => settled.get(line.sourceId) ?? line);
  });
}

/** The bodies of unpublished changes of a part's rows, by the rows' ids. */
async function workingCopies(
  run: TransferRun,
  planned: PlannedRows,
  part: number,
  lines: readonly StoredLine[],
): Promise<Map<string, Record<string, Json>>> {
  const wanted = new Set(lines.flatMap((line) => line.hasWorkingCopy ? line.sourceId : []));
  if (wanted.size === 0) return new Map();
  const rows = await readRows(run.context, run.record, planned.stored, part);
  const mapped = await mapRows(run, rows, rowScope(run, planned.collection));
  return new Map(
    mapped.flatMap(({ sourceId, workingCopy }) =>
      workingCopy !== null && wanted.has(sourceId) ? [[sourceId, workingCopy]] : []
    ),
  );
}

async function settleLine(
  run: TransferRun,
  line: StoredLine,
  copies: ReadonlyMap<string, Record<string, Json>>,
): Promise<StoredLine> {
  const { id, wanted } = line;
  if (id === undefined || wanted === undefined) return line;
  try {
    if (!line.isTranslation) {
      await settleStatus(run.deps.content, run.actor, run.writer, id, wanted);
    }
    const { languages = [] } = line;
    if (wanted.status === "published" && languages.length > 0) {
      const { deps: { content }, actor, writer } = run;
      await publishRowLanguages(content, actor, writer, id, languages, wanted.publishedAt);
    }
    const copy = copies.get(line.sourceId);
    if (copy !== undefined) {
      await writeWorkingCopyRow(run.deps.content, run.actor, run.writer, id, copy);
    }
    return line;
  } catch (error) {
    // It stays a draft, and the report says what it lacks.
    return { ...line, problems: [...line.problems, ...problemsOf(error, { body: {} })] };
  }
}

/** Keeps the addresses that documents had in their source. */
export async function keepAddresses(
  run: TransferRun,
  planned: PlannedRows,
  part: number,
): Promise<TransferCounts | null> {
  if (!run.plan.redirects) return null;
  return await withLines(run, planned, part, async (lines) => {
    const found = lines.flatMap(addressesOf);
    if (found.length === 0) return null;
    if (!await run.addressRoom.take(found.map(({ address }) => address))) {
      return lines.map(withoutRoom);
    }
    for (let start = 0; start < found.length; start += ADDRESSES_PER_COMMIT) {
      const operation = new Operation();
      for (const { address, ...entity } of found.slice(start, start + ADDRESSES_PER_COMMIT)) {
        const row = { type: "document", ...entity, transfer: run.record.id } as const;
        stageFormerAddress(operation, address, row);
      }
      await run.context.store.commit(operation);
    }
    return null;
  });
}

/** The former addresses that a line has for its document, or the translation that it is; none if the row failed. */
function addressesOf(
  { id, addresses = [], isTranslation, languages, status }: StoredLine,
): { id: string; language?: string; address: string }[] {
  if (id === undefined || status === "failed") return [];
  const [language] = isTranslation ? languages ?? [] : [];
  return addresses.map((address) => ({
    id,
    ...(language !== undefined && { language }),
    address,
  }));
}

/** The line of a row whose former addresses are not kept. */
function withoutRoom(line: StoredLine): StoredLine {
  if (addressesOf(line).length === 0) return line;
  const most = FORMER_ADDRESSES_MAX.toLocaleString("en");
  const message = `A site can keep at most ${most} former addresses`;
  return { ...line, problems: [...line.problems, { path: "", code: "TOO_LARGE", message }] };
}
