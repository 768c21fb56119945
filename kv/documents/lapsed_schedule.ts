/**
 * Schedules that a restore brings back although their time has passed.
 *
 * @module
 */
import type { DocumentState } from "../model/document.ts";

/** Why a restored document is another than its version says. */
export const LAPSED = "its time of publication had passed, so it is a draft";

/** A time of publication that has passed brings a draft back: nobody wants to publish by restoring. */
export function withoutLapsedSchedule(
  state: DocumentState,
  at: number,
): { state: DocumentState; lapsed: boolean } {
  const lapsed = state.status === "scheduled" && state.publishAt !== null && state.publishAt <= at;
  return { state: lapsed ? { ...state, status: "draft", publishAt: null } : state, lapsed };
}
