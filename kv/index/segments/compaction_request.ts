/**
 * Requests the compaction of a list index once enough rows have been written to it.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { addJob } from "../../jobs/jobs.ts";
import type { Collection } from "../../model/entities/collection.ts";
import type { Operation } from "../../store/operation.ts";

/** Adds the compaction of a collection's index to a commit; asking often does it once. */
export function requestCompaction(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
  { id }: Pick<Collection, "id">,
): void {
  const payload = { collectionId: id };
  addJob(operation, context, { type: "COMPACT_INDEX", name: `compact ${id}`, payload });
}
