/**
 * The parts of a release that is being published or reverted: one row per document with what to do and, from
 * the commit that has done it, the outcome. A process that continues after a crash, or wrongly believes it
 * still has the job, finds a part done or does it: nothing is done twice.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { releasePartKey, releasePartPrefix } from "../keys.ts";
import type { ReleaseAction } from "../model/entities/release.ts";
import type { Operation } from "../store/operation.ts";
import type { CommitOrder } from "./commit_order.ts";

/** The outcome of a part. */
export interface PartOutcome {
  /** Version numbers before and after; the same if nothing was done. */
  before: number;
  after: number;
  /** Why the document was left alone. */
  left?: string;
}

/** The action for a document. */
export interface ReleasePart extends CommitOrder {
  collectionId: string;
  action: ReleaseAction | "put back";
  /** The languages that it is about; absent for its original. */
  languages?: readonly string[];
  title: string;
  /** The version that was checked; later changes are not overwritten. */
  n: number;
  /** The version that is put back. */
  to?: number;
  outcome?: PartOutcome;
  /** The outcome of undoing it. */
  undone?: PartOutcome;
}

/** Adds the parts of a job to the commit that starts it. */
export function stageParts(
  operation: Operation,
  jobId: string,
  parts: readonly (ReleasePart & { id: string })[],
): void {
  for (const { id, ...part } of parts) operation.set(releasePartKey(jobId, id), part);
}

/** The parts of a job. */
export async function readParts(
  { store }: Context,
  jobId: string,
): Promise<(ReleasePart & { id: string })[]> {
  const rows = await store.listAll<ReleasePart>({ prefix: releasePartPrefix(jobId) });
  return rows.map(({ key, value }) => ({ id: key[2] as string, ...value }));
}

/** Deletes parts in a commit. */
export function deleteParts(
  operation: Operation,
  jobId: string,
  parts: readonly { id: string }[],
): void {
  for (const { id } of parts) operation.delete(releasePartKey(jobId, id));
}
