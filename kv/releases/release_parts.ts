/**
 * The parts of a release that is being published or reverted: one row a document, which says what is to be
 * done with it and, from the commit that has done it, what came of that. A process that continues after a crash, and
 * one that wrongly believes it still has the job, finds a part done or does it: nothing is done twice.
 *
 * @module
 */
import type { Context } from "../versioning/context.ts";
import { releasePartKey, releasePartPrefix } from "../keys.ts";
import type { ReleaseAction } from "../model/entities/release.ts";
import type { Operation } from "../store/operation.ts";
import type { CommitOrder } from "./commit_order.ts";

/** What came of a part. */
export interface PartOutcome {
  /** Version numbers before and after; the same where nothing was to be done, or the document was left alone. */
  before: number;
  after: number;
  /** Why the document was left alone. */
  left?: string;
}

/** What is to be done with a document. */
export interface ReleasePart extends CommitOrder {
  collectionId: string;
  action: ReleaseAction | "put back";
  title: string;
  /** The version that was checked; what was changed since is not overwritten. */
  n: number;
  /** The version that is put back. */
  to?: number;
  outcome?: PartOutcome;
  /** What came of undoing it. */
  undone?: PartOutcome;
}

/** Adds the parts of a job to the commit that begins it. */
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
  return rows.map(({ key, value }) => ({ id: key[2] as string, ...value! }));
}

/** Adds the disappearance of parts to a commit. */
export function deleteParts(
  operation: Operation,
  jobId: string,
  parts: readonly { id: string }[],
): void {
  for (const { id } of parts) operation.delete(releasePartKey(jobId, id));
}
