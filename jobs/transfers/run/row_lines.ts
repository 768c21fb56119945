/**
 * Lines of a report about rows, and what decides whether a row has changed.
 *
 * @module
 */
import type { Json } from "../../../kv/model/entities/entity.ts";
import { sha256 } from "../../../kv/model/values/sha256.ts";
import { type Detail, Refusal } from "../../../kv/refusals.ts";
import { targetSlug } from "../../../kv/model/transfers/plan.ts";
import type { WantedState } from "../../../kv/transfers/write_document.ts";
import type { MappedRow } from "../mapping/map_row.ts";
import type { Problem } from "../reading/source_file.ts";
import type { StoredLine } from "./report.ts";
import type { PlannedRows } from "./transfer_run.ts";

/** The line of a row, without what became of it. */
export function lineOf(
  { collection }: PlannedRows,
  { sourceId, problems }: MappedRow,
): Omit<StoredLine, "status"> {
  return { source: collection.source, sourceId, collection: targetSlug(collection), problems };
}

/** The line of a row that was not written. */
export function failedLine(planned: PlannedRows, row: MappedRow, problems: Problem[]): StoredLine {
  return { ...lineOf(planned, row), status: "failed", problems };
}

/** The problems of a refusal; anything else that goes wrong is retried with the whole part. */
export function problemsOf(error: unknown, { body }: Pick<MappedRow, "body">): Problem[] {
  if (!(error instanceof Refusal) || error.code === "UNAVAILABLE") throw error;
  const { details } = error.facts;
  if (details === undefined) return [{ path: "", code: error.code, message: error.message }];
  return details.map((detail) => problemOf(detail, body));
}

/** A fault of a body as a problem of its row. */
export function problemOf({ field, code, message }: Detail, body: Record<string, Json>): Problem {
  const value = body[field.split(".")[0] ?? ""];
  return { path: field, code, message, ...(value !== undefined && { value }) };
}

/** Digest of everything that is written of a row. */
export function hashOf(row: MappedRow): string {
  const { body, status, createdAt, publishedAt, translations, workingCopy, language } = row;
  const languages = [
    ...Object.keys(translations).length > 0 ? [translations] : [],
    ...language === null ? [] : [language],
  ];
  const changes = workingCopy === null ? [] : [{ workingCopy }];
  return sha256(JSON.stringify([body, status, createdAt, publishedAt, ...languages, ...changes]));
}

/** The state that a document is to be brought to; null for a draft. */
export function wantedState(
  { status, createdAt, publishedAt }: MappedRow,
  now: number,
): WantedState | null {
  if (status === "published") return { status, publishedAt: publishedAt ?? createdAt };
  if (status === "archived") return { status, publishedAt };
  if (status !== "scheduled") return null;
  const isAhead = publishedAt !== null && publishedAt > now;
  return { status: isAhead ? "scheduled" : "published", publishedAt };
}
