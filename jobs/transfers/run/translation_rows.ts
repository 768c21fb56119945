/**
 * Rows that are translations of the documents of other rows. They are written once all documents are there.
 *
 * @module
 */
import { zip } from "../../../kv/model/primitives/zip.ts";
import type { Entry } from "../../../kv/store/operation.ts";
import { keyOfRow, type Transferred } from "../../../kv/transfers/transfer_changes.ts";
import { writeTranslationRow } from "../../../kv/transfers/write_translation.ts";
import { TRANSFER_ROWS_AT_ONCE_MAX } from "../../limits.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import type { StoredLine } from "./report.ts";
import { failedLine, hashOf, lineOf, problemsOf, wantedState } from "./row_lines.ts";
import type { PlannedRows, TransferRun } from "./transfer_run.ts";

/** The line of a translation until its document is there; of one that is not written, the line that it keeps. */
export function translationLine(
  run: TransferRun,
  planned: PlannedRows,
  row: MappedRow,
  { value }: Entry<Transferred>,
): StoredLine {
  const line = lineOf(planned, row);
  if (row.translated?.code === null) {
    const message = "The site does not have its language";
    const problem = { path: "language", code: "LANGUAGE_INVALID", message };
    return { ...line, status: "skipped", problems: [...line.problems, problem] };
  }
  if (!run.isDry) return { ...line, status: "unchanged", open: true, isTranslation: true };
  const status = value === null ? "created" : value.hash === hashOf(row) ? "unchanged" : "updated";
  return { ...line, status };
}

/** Writes translations; answers a line for each. */
export async function writeTranslations(
  run: TransferRun,
  planned: PlannedRows,
  mapped: readonly MappedRow[],
): Promise<StoredLine[]> {
  const { context, plan: { sourceKey } } = run;
  const kind = planned.collection.source;
  const keyOf = (id: string) => keyOfRow({ sourceKey, kind, id });
  const [own, originals] = await Promise.all([
    context.store.getMany(mapped.map(({ sourceId }) => keyOf(sourceId))),
    context.store.getMany(mapped.map((row) => keyOf(row.translated?.sourceId ?? ""))),
  ]) as [Entry<Transferred>[], Entry<Transferred>[]];
  const rows = zip(mapped, zip(own, originals));
  const lines: StoredLine[] = [];
  for (let start = 0; start < rows.length; start += TRANSFER_ROWS_AT_ONCE_MAX) {
    run.signal.throwIfAborted();
    const group = rows.slice(start, start + TRANSFER_ROWS_AT_ONCE_MAX);
    lines.push(
      ...await Promise.all(
        group.map(([row, [mark, original]]) =>
          writeTranslation(run, planned, row, { mark: mark.value, original: original.value })
        ),
      ),
    );
  }
  return lines;
}

async function writeTranslation(
  run: TransferRun,
  planned: PlannedRows,
  row: MappedRow,
  { mark, original }: { mark: Transferred | null; original: Transferred | null },
): Promise<StoredLine> {
  const line = { ...lineOf(planned, row), isTranslation: true } as const;
  const [[code, body] = ["", {}]] = Object.entries(row.translations);
  if (original === null) {
    const message = "The document that it translates was not transferred";
    return failedLine(planned, row, [{ path: "", code: "INVALID_REFERENCE", message }]);
  }
  const { id } = original;
  const hash = hashOf(row);
  const wanted = wantedState(row, run.context.now() / 1000);
  const more = {
    id,
    ...(wanted !== null && { wanted, languages: [code] }),
    ...(row.addresses.length > 0 && { addresses: row.addresses }),
  };
  const isKnown = mark !== null && mark.id === id;
  if (isKnown && mark.hash === hash && mark.jobId !== run.writer.jobId) {
    return { ...line, ...more, status: "unchanged" };
  }
  try {
    const own = {
      row: { sourceKey: run.plan.sourceKey, kind: planned.collection.source, id: row.sourceId },
      hash,
    };
    const write = { id, code, body, own };
    const isChanged = await writeTranslationRow(
      run.deps.content,
      run.actor,
      run.writer,
      write,
    );
    // A step that runs again after it was cut off finds its own writing.
    const status = mark?.jobId === run.writer.jobId
      ? mark.did
      : !isKnown
      ? "created"
      : isChanged
      ? "updated"
      : "unchanged";
    return { ...line, ...more, status };
  } catch (error) {
    return failedLine(planned, row, problemsOf(error, { body }));
  }
}
