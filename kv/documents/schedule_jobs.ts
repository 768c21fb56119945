/**
 * The times of a document are jobs that wait for them: when it is to be published, and when its publication
 * ends. A time that no longer holds leaves none.
 *
 * @module
 */
import type { Context } from "../context.ts";
import { addJob, dropJob, scheduleJobId } from "../jobs/jobs.ts";
import type { DocumentState } from "../model/entities/document.ts";
import type { Operation } from "../store/operation.ts";

/** A time at which a document, or its translation into a language, changes its status; epoch seconds. */
export type ScheduledTime = ({ publishAt: number } | { unpublishAt: number }) & {
  language?: string | undefined;
};

/** A time that a document waits for. */
export function scheduledTimes(state: DocumentState | null): ScheduledTime[] {
  if (state === null) return [];
  const { status, publishAt, unpublishAt } = state;
  const times: ScheduledTime[] = [];
  if (status === "scheduled" && publishAt !== null) times.push({ publishAt });
  if (canExpire(state) && unpublishAt !== undefined) times.push({ unpublishAt });
  if (status === "archived" || status === "trashed") return times;
  for (const [language, translation] of Object.entries(state.translations ?? {})) {
    const { status, publishAt, unpublishAt } = translation;
    if (status === "scheduled" && publishAt !== null) times.push({ publishAt, language });
    if (canExpire(translation) && unpublishAt !== undefined) times.push({ unpublishAt, language });
  }
  return times;
}

/** Whether a document is public, or will be, so that its publication may end. */
export function canExpire({ status }: Pick<DocumentState, "status">): boolean {
  return status === "published" || status === "scheduled";
}

/** The id of the job that waits for a time. */
export function scheduledJobId(documentId: string, time: ScheduledTime): string {
  const { language } = time;
  const name = language === undefined ? documentId : `${documentId} ${language}`;
  return "publishAt" in time
    ? scheduleJobId(name, time.publishAt)
    : scheduleJobId(`${name} end`, time.unpublishAt);
}

/** Adds the jobs that the times of a document's next state need, and drops those that it needs no more. */
export function stageSchedule(
  operation: Operation,
  context: Context,
  documentId: string,
  { before, after, by }: {
    before: DocumentState | null;
    after: DocumentState | null;
    /** The user who sets the times. */
    by: string | null;
  },
): void {
  const held = new Map(scheduledTimes(before).map((one) => [scheduledJobId(documentId, one), one]));
  for (const time of scheduledTimes(after)) {
    if (!held.delete(scheduledJobId(documentId, time))) {
      addScheduleJob(operation, context, documentId, time, by);
    }
  }
  for (const [id, time] of held) dropJob(operation, "SCHEDULE", id, dueAt(time));
}

/** Adds the job that waits for a time of a document. */
export function addScheduleJob(
  operation: Operation,
  context: Context,
  documentId: string,
  time: ScheduledTime,
  by: string | null = null,
): void {
  addJob(operation, context, {
    type: "SCHEDULE",
    id: scheduledJobId(documentId, time),
    payload: { documentId, ...time, ...(by !== null && { by }) },
    dueAt: dueAt(time),
  });
}

/** A scheduled time in epoch seconds. */
export function secondsOf(time: ScheduledTime): number {
  return "publishAt" in time ? time.publishAt : time.unpublishAt;
}

function dueAt(time: ScheduledTime): number {
  return 1_000 * secondsOf(time);
}
