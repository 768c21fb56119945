/**
 * Times that a restore brings back although they have passed.
 *
 * @module
 */
import type { DocumentState } from "../model/entities/document.ts";
import { afterDueTimes } from "./due_times.ts";

/** Why a restored document differs from its version, by which of its times had passed. */
const REASONS = {
  publication: "its time of publication had passed, so it is a draft",
  end: "the end of its publication had passed, so it is a draft",
} as const;

/** A restored state whose times have passed becomes a draft: a restore makes nothing public that a schedule did not. */
export function withoutLapsedSchedule(
  state: DocumentState,
  at: number,
): { state: DocumentState; lapsed: string | null } {
  const { passed, state: next } = afterDueTimes(state, at);
  const [first] = passed;
  if (first === undefined) return { state, lapsed: null };
  // An end that passed before the publication begins leaves the schedule as it is.
  if (next.status === "scheduled") return { state: next, lapsed: null };
  const draft: DocumentState = { ...state, status: "draft", publishAt: null };
  delete draft.unpublishAt;
  return { state: draft, lapsed: "publishAt" in first ? REASONS.publication : REASONS.end };
}
