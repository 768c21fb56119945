/**
 * Applies the times of a document that have passed. Several may be due at once, after an outage or a failed
 * step: they take effect in the order of their times, decided over one state, so the result does not depend on
 * which job runs first. Pure.
 *
 * @module
 */
import type { DocumentState } from "../model/entities/document.ts";
import { type Translation, translationOf } from "../model/languages/translation.ts";
import { type ScheduledTime, scheduledTimes, secondsOf } from "./schedule_jobs.ts";

/** A document after the times that are due. */
export interface DueOutcome {
  /** The same object when nothing is due; `publishedAt` and `updatedAt` are the caller's to set. */
  state: DocumentState;
  /** The times that took effect, in their order. */
  passed: ScheduledTime[];
}

/** Applies the times of a document that are due at `now` (epoch seconds). */
export function afterDueTimes(state: DocumentState, now: number): DueOutcome {
  const passed = scheduledTimes(state)
    .filter((time) => time.language === undefined && secondsOf(time) <= now)
    .sort((a, b) => secondsOf(a) - secondsOf(b));
  let next = state;
  for (const time of passed) {
    next = "publishAt" in time ? { ...next, status: "published", publishAt: null } : afterEnd(next);
  }
  return { state: next, passed };
}

/** Applies the times of a translation that are due at `now`. */
export function translationAfterDueTimes(
  state: DocumentState,
  language: string,
  now: number,
): { translation: Translation | undefined; passed: ScheduledTime[] } {
  const passed = scheduledTimes(state)
    .filter((time) => time.language === language && secondsOf(time) <= now)
    .sort((a, b) => secondsOf(a) - secondsOf(b));
  let translation = translationOf(state, language);
  for (const time of passed) {
    if (translation === undefined) break;
    if ("publishAt" in time) translation = { ...translation, status: "published", publishAt: null };
    else {
      const { unpublishAt: _passed, ...rest } = translation;
      translation = rest.status === "published" ? { ...rest, status: "draft" } : rest;
    }
  }
  return { translation, passed };
}

/** An end that passes while the document is not public ends nothing, and is spent all the same. */
function afterEnd({ unpublishAt: _passed, ...state }: DocumentState): DocumentState {
  return state.status === "published" ? { ...state, status: "draft" } : state;
}
