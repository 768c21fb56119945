/**
 * The phase of documents: each row of a part becomes a document, or changes the one that it has become before. A row
 * that cannot be written fails alone.
 *
 * @module
 */
import type { Collection, Schema } from "../../../kv/model/entities/collection.ts";
import { readDocumentBody } from "../../../kv/model/input/document_input.ts";
import type { Detail } from "../../../kv/refusals.ts";
import { type Pipeline, pipelined } from "../../../kv/store/concurrency.ts";
import { DOCUMENT_EXISTS, writeDocumentRow } from "../../../kv/transfers/write_document.ts";
import { writeTranslationRow } from "../../../kv/transfers/write_translation.ts";
import type { TransferCounts } from "../../../kv/transfers/transfers.ts";
import { targetSlug } from "../../../kv/model/transfers/plan.ts";
import { TRANSFER_ROWS_AT_ONCE_MAX, TRANSFER_ROWS_MAPPED_MAX } from "../../limits.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import { FILE_MISSING } from "../mapping/map_scope.ts";
import { rowGroups } from "../reading/row_store.ts";
import type { Problem } from "../reading/source_file.ts";
import { countLines, partName, readLines, type StoredLine, writeLines } from "./report.ts";
import { failedLine, hashOf, lineOf, problemOf, problemsOf, wantedState } from "./row_lines.ts";
import { matchOf } from "./matched_documents.ts";
import { isNewKind, type MarkedRow, markedRows, unmarkedRows } from "./row_marks.ts";
import { mapRows } from "./row_lookup.ts";
import { translationLine } from "./translation_rows.ts";
import { mappedAuthor } from "./source_authors.ts";
import { plannedCollection, plannedSchema } from "./planned_collection.ts";
import {
  type PlannedPart,
  type PlannedRows,
  rowScope,
  type TransferRun,
  writesRows,
} from "./transfer_run.ts";

/** Problems that the later phases look at again. */
const OPEN = "INVALID_REFERENCE";

/** The rows of a part that are written, in groups. */
interface WrittenPart {
  planned: PlannedRows;
  /** The ids of the rows that were begun. */
  seen: Set<string>;
  /** How many rows were begun, and the line of each when it is written. */
  begun: number;
  lines: StoredLine[];
}

/**
 * Writes the documents of parts. Rows are mapped a group at a time while those before are written, so that few of them
 * are in memory and no commit waits long; rows that are written at the same time share commits.
 */
export async function writeParts(
  run: TransferRun,
  parts: Iterable<PlannedPart>,
): Promise<TransferCounts> {
  const { context, record, writer } = run;
  const written = new Map<string, StoredLine[]>();
  await pipelined(TRANSFER_ROWS_AT_ONCE_MAX, async (pipeline) => {
    let before: PlannedRows | null = null;
    for (const { planned, part } of parts) {
      // Rows may refer to those of kinds that come before theirs.
      if (before !== null && before !== planned) await pipeline.drain();
      before = planned;
      const name = partName("documents", planned.stored.index, part);
      const wanted = run.onlyFailed ? await failedBefore(run, name) : null;
      const scope = rowScope(run, planned.collection);
      // What is tried is not committed, so nothing would check an assumption.
      const isNew = !run.isDry && await isNewKind(run, planned);
      const writing = newPart(planned);
      written.set(name, writing.lines);
      // Once for a part: rows that refer to later ones are written again by the next phase anyway.
      let settled: (() => Promise<void>) | undefined = pipeline.drain;
      const settle = async () => {
        await settled?.();
        settled = undefined;
      };
      const groups = rowGroups(context, record, planned.stored, {
        part,
        size: TRANSFER_ROWS_MAPPED_MAX,
      });
      for await (const rows of groups) {
        const mapped = (await mapRows(run, rows, scope, settle))
          .filter(({ sourceId }) => wanted === null || wanted.has(sourceId));
        const rowsOf = isNew ? unmarkedRows : markedRows;
        await beginRows(run, writing, await rowsOf(run, planned, mapped), pipeline);
      }
    }
  });
  for (const [name, lines] of written) {
    await writeLines(context, record.id, writer.jobId, name, lines);
  }
  return countLines([...written.values()].flat());
}

/** Writes mapped rows; answers a line for each. */
export async function writeRows(
  run: TransferRun,
  planned: PlannedRows,
  mapped: readonly MappedRow[],
): Promise<StoredLine[]> {
  const writing = newPart(planned);
  const rows = await markedRows(run, planned, mapped);
  await pipelined(
    TRANSFER_ROWS_AT_ONCE_MAX,
    (pipeline) => beginRows(run, writing, rows, pipeline),
  );
  return writing.lines;
}

function newPart(planned: PlannedRows): WrittenPart {
  return { planned, seen: new Set(), begun: 0, lines: [] };
}

/** Starts writing each row; its line gets its place when it is written. */
async function beginRows(
  run: TransferRun,
  part: WrittenPart,
  rows: readonly MarkedRow[],
  { begin }: Pipeline,
): Promise<void> {
  const { planned, seen, lines } = part;
  const target = run.isDry
    ? { collection: plannedCollection(run, planned.collection), schema: plannedSchema(run) }
    : null;
  for (const marked of rows) {
    const { row } = marked;
    run.signal.throwIfAborted();
    const index = part.begun++;
    const isTwice = seen.has(row.sourceId);
    seen.add(row.sourceId);
    await begin(async () => {
      lines[index] = isTwice
        ? twice(planned, row)
        : row.translated !== null && !row.isFailed
        ? translationLine(run, planned, row, marked.known.mark)
        : target === null
        ? await writeRow(run, planned, marked)
        : await tryRow(run, planned, target, marked);
    });
  }
}

/** A second row of the same id in one part would be written at the same time. */
function twice(planned: PlannedRows, row: MappedRow): StoredLine {
  const message = "Another row has the same id";
  return failedLine(planned, row, [{
    path: "id",
    code: "NOT_UNIQUE",
    message,
    value: row.sourceId,
  }]);
}

/** Why a row is not written at all. */
function refusedLine(run: TransferRun, planned: PlannedRows, row: MappedRow): StoredLine | null {
  if (row.isFailed) return failedLine(planned, row, row.problems);
  const author = mappedAuthor(run.authors, run.plan, planned.collection, row.sourceId);
  if (author !== null) {
    const { addresses } = row;
    return { ...lineOf(planned, row), id: author, status: "skipped", addresses };
  }
  if (row.status === "trashed") {
    const problem = { path: "status", code: "INVALID_STATUS", message: "It is in the trash" };
    return { ...lineOf(planned, row), status: "skipped", problems: [problem] };
  }
  const lacksMedia = !run.plan.media.skipMissing &&
    row.problems.some(({ message }) => message === FILE_MISSING);
  return lacksMedia ? failedLine(planned, row, row.problems) : null;
}

async function writeRow(
  run: TransferRun,
  planned: PlannedRows,
  { row, known, isDeleted }: MarkedRow,
): Promise<StoredLine> {
  const refused = refusedLine(run, planned, row);
  if (refused !== null) return refused;
  const line = lineOf(planned, row);
  const { collection } = planned;
  const { mark } = known;
  const hash = hashOf(row);
  const wanted = wantedState(row, run.context.now() / 1000);
  const more = {
    ...(wanted !== null && { wanted }),
    ...(row.problems.some(({ code }) => code === OPEN) && { open: true } as const),
    ...(row.addresses.length > 0 && { addresses: row.addresses }),
    ...(row.workingCopy !== null && wanted?.status === "published" && {
      hasWorkingCopy: true,
    } as const),
  };
  const isWritten = mark.value?.hash === hash && mark.value.jobId !== run.writer.jobId;
  if (mark.value !== null && isWritten && !isDeleted) {
    // A run that was cut off may have left it a draft.
    const { waits, id } = mark.value;
    const { wanted: _, hasWorkingCopy: _copy, ...settled } = more;
    return { ...line, ...(waits ? more : settled), id, status: "unchanged" };
  }
  try {
    const { did, id, reason } = await writeDocumentRow(run.deps.content, run.actor, run.writer, {
      row: { sourceKey: run.plan.sourceKey, kind: collection.source, id: row.sourceId },
      collection: targetSlug(collection),
      body: row.body,
      language: row.language,
      hash,
      createdAt: row.createdAt ?? row.publishedAt,
      publishedAt: row.status === "published" ? row.publishedAt ?? row.createdAt : null,
      createdBy: row.authors.map((id) => run.authors.users.get(id)).find(Boolean) ?? null,
      waits: wanted !== null,
      createOnly: collection.mode === "create",
      matched: mark.value === null || isDeleted ? await matchOf(run, planned, row) : null,
    }, known);
    if (did === "skipped") {
      const problem = { path: "", code: "CONFLICT", message: reason ?? "Skipped" };
      return { ...line, id, status: did, problems: [problem] };
    }
    return {
      ...line,
      ...more,
      ...await writeLanguages(run, id, row, line.problems),
      id,
      status: did,
    };
  } catch (error) {
    return failedLine(planned, row, problemsOf(error, row));
  }
}

/** Writes the translations of a row; one that cannot be written is a problem of its row. */
async function writeLanguages(
  { deps: { content }, actor, writer }: TransferRun,
  id: string,
  { translations }: MappedRow,
  before: Problem[],
): Promise<Pick<StoredLine, "languages" | "problems">> {
  const languages: string[] = [];
  const problems = [...before];
  for (const [code, body] of Object.entries(translations)) {
    try {
      await writeTranslationRow(content, actor, writer, { id, code, body });
      languages.push(code);
    } catch (error) {
      problems.push(
        ...problemsOf(error, { body }).map((one) => ({ ...one, path: `${one.path} (${code})` })),
      );
    }
  }
  return { problems, ...(languages.length > 0 && { languages }) };
}

/** The whole check of a row, without writing it. */
async function tryRow(
  run: TransferRun,
  planned: PlannedRows,
  { collection, schema }: { collection: Collection; schema: Schema },
  { row, known: { mark }, isDeleted }: MarkedRow,
): Promise<StoredLine> {
  const value = isDeleted ? null : mark.value;
  const refused = refusedLine(run, planned, row);
  if (refused !== null) return refused;
  const line = lineOf(planned, row);
  if (value?.hash === hashOf(row)) return { ...line, id: value.id, status: "unchanged" };
  const isPublic = wantedState(row, run.context.now() / 1000)?.status === "published";
  const body = {
    ...row.body,
    ...(isPublic && { status: "published" }),
    ...(row.language !== null && { _language: row.language }),
  };
  const { details } = readDocumentBody(body, collection, schema, {
    mode: "create",
    blocks: "accept",
  });
  const isLacking = ({ code }: Detail) => code === "REQUIRED";
  const wrong = details.filter((detail) => !isLacking(detail));
  if (wrong.length > 0) {
    return failedLine(planned, row, wrong.map((detail) => problemOf(detail, row.body)));
  }
  const lacking = details.filter(isLacking).map((detail) => problemOf(detail, row.body));
  const existing = value?.id ?? await matchOf(run, planned, row);
  if (existing !== null && planned.collection.mode === "create") {
    const problem = { path: "", code: "CONFLICT", message: DOCUMENT_EXISTS };
    return { ...line, id: existing, status: "skipped", problems: [problem] };
  }
  const status = existing === null ? "created" : "updated";
  return { ...line, status, problems: [...line.problems, ...lacking] };
}

/** The rows that failed in the run before. */
async function failedBefore(run: TransferRun, name: string): Promise<Set<string>> {
  const { context, record: { id, runs }, writer: { jobId } } = run;
  const before = runs.findLast(({ jobId: other, action }) => other !== jobId && writesRows(action));
  if (before === undefined) return new Set();
  const lines = await readLines(context, id, before.jobId, name);
  return new Set(lines.filter(({ status }) => status === "failed").map(({ sourceId }) => sourceId));
}
