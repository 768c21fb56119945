/**
 * What rows of a source would become, beside what they are.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { readDocumentBody } from "../../../kv/model/input/document_input.ts";
import type { Plan, PlanCollection } from "../../../kv/model/transfers/plan.ts";
import type { TransferRecord } from "../../../kv/transfers/transfers.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import { readRows, type StoredRow } from "../reading/row_store.ts";
import { plannedCollection, plannedSchema } from "./planned_collection.ts";
import { mapRows } from "./row_lookup.ts";
import type { TransferDeps } from "./transfer_deps.ts";
import { rowScope, runOf } from "./transfer_run.ts";

/** The first rows of a kind as documents. */
export async function sampleRows(
  deps: TransferDeps,
  record: TransferRecord,
  plan: Plan,
  collection: PlanCollection,
  count: number,
): Promise<Json[]> {
  const { context } = deps.content;
  const run = await runOf(deps, record, plan, {
    context,
    writer: { transferId: record.id, jobId: `sample of ${record.id}`, summary: "" },
    isDry: true,
    onlyFailed: false,
    signal: new AbortController().signal,
  });
  const stored = run.facts.sources.find(({ source }) => source === collection.source);
  const rows: StoredRow[] = [];
  for (let part = 0; stored !== undefined && part < stored.parts && rows.length < count; part++) {
    rows.push(...await readRows(context, record, stored, part));
  }
  const some = rows.slice(0, count);
  const mapped = await mapRows(run, some, rowScope(run, collection));
  const target = plannedCollection(run, collection);
  const schema = plannedSchema(run);
  return mapped.map((row, index) => {
    const { details } = readDocumentBody(shownBody(row), target, schema, {
      mode: row.translated === null ? "create" : "patch",
      blocks: "accept",
    });
    const problems = [
      ...row.problems.map((problem) => ({ ...problem })),
      ...details.map(({ field: path, code, message }) => ({ path, code, message })),
    ];
    return { source: some[index]?.data ?? {}, document: documentOf(row), problems };
  });
}

/** The body of a document, or of the translation that a row is. */
function shownBody({ translated, translations, body }: MappedRow): Record<string, Json> {
  return translated === null ? body : Object.values(translations)[0] ?? {};
}

function documentOf(row: MappedRow): Json {
  const { status, createdAt, publishedAt, translated } = row;
  const code = translated === null ? row.language : translated.code;
  const language = translated === null && code === null ? {} : { language: code };
  return { ...shownBody(row), ...language, status, createdAt, publishedAt };
}
