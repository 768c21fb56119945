/**
 * Values that field migrations could not convert: a row for each document, written in the commit that drops
 * the value, so that all of them can be found however many there are.
 *
 * @module
 */
import { lostValueKey, lostValuePrefix } from "../keys.ts";
import type { Json } from "../model/entities/entity.ts";
import type { Operation } from "../store/operation.ts";
import type { Store } from "../store/store.ts";

/** How long the rows are kept: as long as the record of a job may be. */
const KEPT_MS = 90 * 86_400_000;

/** A document whose value would be, or was, lost. */
export type LostValue = { id: string; title: string; value: Json; reason: string };

/** Adds what a migration could not convert to the commit of the document. */
export function stageLostValue(operation: Operation, jobId: string, lost: LostValue): void {
  operation.set(lostValueKey(jobId, lost.id), lost, { expireIn: KEPT_MS });
}

/** A page of what a migration could not convert, in order of the documents' ids. */
export async function listLostValues(
  store: Store,
  jobId: string,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ data: LostValue[]; total: number }> {
  const data: LostValue[] = [];
  let total = 0;
  const first = (page - 1) * perPage;
  for await (const { value } of store.list<LostValue>({ prefix: lostValuePrefix(jobId) })) {
    if (total >= first && data.length < perPage) data.push(value);
    total += 1;
  }
  return { data, total };
}
