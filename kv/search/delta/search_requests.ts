/**
 * Asking for work on the search index: its compaction after additions to its delta, and its rebuild after
 * changes to the texts that documents have.
 *
 * @module
 */
import type { Context } from "../../context.ts";
import { addJob } from "../../jobs/jobs.ts";
import type { Operation } from "../../store/operation.ts";
import { COMPACTION_PENDING_MIN } from "../../tuning.ts";

/** How likely one posting or removal asks: several times before a compaction has enough to do. */
const ASKS = 8 / COMPACTION_PENDING_MIN;

/** Adds the compaction of the search index to a commit; asking often does it once. */
export function requestSearchCompaction(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "COMPACT_SEARCH", name: "search", payload: {} });
}

/** The same, now and then: for a commit that adds one entry to the delta. */
export function requestSearchCompactionSometimes(operation: Operation, context: Context): void {
  if (context.store.random() < ASKS) requestSearchCompaction(operation, context);
}

/** Adds the rebuild of the index of languages; asking often does it once. */
export function requestLanguagesRebuild(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  const payload = { force: true, languages: true };
  addJob(operation, context, { type: "REBUILD_SEARCH", name: "search languages rebuild", payload });
}

/** Adds the rebuild of the search index; asking often does it once. */
export function requestSearchRebuild(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  const payload = { force: true };
  addJob(operation, context, { type: "REBUILD_SEARCH", name: "search rebuild", payload });
}
