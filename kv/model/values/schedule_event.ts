/**
 * The events of time: hooks of plugins that may be called at set times.
 *
 * @module
 */

const HOUR_MS = 3_600_000;

/** The prefix of the names of these events. */
export const SCHEDULE_PREFIX = "schedule.";

const PERIODS_MS = { "schedule.hourly": HOUR_MS, "schedule.daily": 24 * HOUR_MS } as const;

/** An event of time. */
export type ScheduleEvent = keyof typeof PERIODS_MS;

/** All of them. */
export const SCHEDULE_EVENTS = Object.keys(PERIODS_MS) as ScheduleEvent[];

/** Whether an event is one of time. */
export function isScheduleEvent(event: string): event is ScheduleEvent {
  return Object.hasOwn(PERIODS_MS, event);
}

/** The number of the hour, or day, at `now` (milliseconds, UTC). */
export function periodAt(event: ScheduleEvent, now: number): number {
  return Math.floor(now / PERIODS_MS[event]);
}
