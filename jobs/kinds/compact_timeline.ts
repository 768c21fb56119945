/**
 * COMPACT_TIMELINE: compacts the logs of all entity types into segments, one piece of work after the other.
 *
 * @module
 */
import type { Context } from "../../kv/context.ts";
import { addJob } from "../../kv/jobs/jobs.ts";
import { ENTITY_TYPES } from "../../kv/model/entities/entity_kinds.ts";
import type { Operation } from "../../kv/store/operation.ts";
import { compactTimeline } from "../../kv/history/timeline/compaction.ts";
import { again, type JobKind, jobKind, next } from "../runner/job_kind.ts";

/** The shortest time between two runs, milliseconds. */
const GAP_MS = 1_000;

/** The kind of job that compacts timelines. */
export function compactTimelineKind(): JobKind<"COMPACT_TIMELINE"> {
  return jobKind("COMPACT_TIMELINE", {
    compact: async ({ context, cursor }) => {
      let { type: index, pieces } = cursor ?? { type: 0, pieces: 0 };
      for (const type of ENTITY_TYPES.slice(index)) {
        const { done } = await compactTimeline(context, type);
        if (done) {
          index += 1;
          continue;
        }
        pieces += 1;
        return again({ type: index, pieces }, { done: pieces, total: pieces });
      }
      return next({ pieces });
    },
  }, { gapMs: GAP_MS });
}

/** Adds the compaction of all timelines; asking often does it once. */
export function requestTimelineCompaction(
  operation: Operation,
  context: Pick<Context, "now" | "newId">,
): void {
  addJob(operation, context, { type: "COMPACT_TIMELINE", name: "timeline", payload: {} });
}
