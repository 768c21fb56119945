/**
 * The time of a release is a job that waits for it.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob, dropJob, scheduleJobId } from "../jobs/jobs.ts";
import type { ReleaseState } from "../model/entities/release.ts";
import type { Operation } from "../store/operation.ts";

/** The time that a release waits for, epoch seconds, or null. */
function timeOf(state: ReleaseState | null): number | null {
  return state?.state === "scheduled" ? state.publishAt : null;
}

/** The id of the job that waits for the time of a release. */
export function releaseScheduleId(releaseId: string, publishAt: number): string {
  return scheduleJobId(`${releaseId} release`, publishAt);
}

/** Adds the job that the next state of a release needs, and drops the one that it needs no more. */
export function stageReleaseSchedule(
  operation: Operation,
  context: Context,
  releaseId: string,
  before: ReleaseState | null,
  after: ReleaseState | null,
): void {
  const [held, wanted] = [timeOf(before), timeOf(after)];
  if (held === wanted) return;
  if (held !== null) {
    dropJob(operation, "RELEASE", releaseScheduleId(releaseId, held), held * 1_000);
  }
  if (wanted !== null) addReleaseSchedule(operation, context, releaseId, wanted);
}

/** Adds the job that waits for a time of a release. */
export function addReleaseSchedule(
  operation: Operation,
  context: Context,
  releaseId: string,
  publishAt: number,
): void {
  addJob(operation, context, {
    type: "RELEASE",
    id: releaseScheduleId(releaseId, publishAt),
    payload: { releaseId, action: "publish", publishAt, userId: null },
    dueAt: publishAt * 1_000,
  });
}
