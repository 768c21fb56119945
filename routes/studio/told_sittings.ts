/**
 * What one person typed into one thing without a long pause, told as one change: many versions, one sentence.
 *
 * @module
 */
import { PAUSE_SECONDS } from "../../kv/history/sittings.ts";
import { changedVerb, type RecentChange } from "./recent_changes.ts";

/** Changes, newest first, with those of a sitting in the place of its newest one. */
export function toldSittings(changes: readonly RecentChange[]): RecentChange[] {
  const told: { change: RecentChange; since: number }[] = [];
  for (const older of changes) {
    const sitting = told.findLast(({ change }) =>
      change.event.type === older.event.type && change.event.id === older.event.id
    );
    const goesOn = sitting !== undefined && sitting.change.byId === older.byId &&
      sitting.change.isTyped && (older.isTyped || older.event.n === 1) &&
      sitting.since - older.event.at < PAUSE_SECONDS;
    if (!goesOn) {
      told.push({ change: older, since: older.event.at });
      continue;
    }
    sitting.since = older.event.at;
    sitting.change = joined(sitting.change, older);
  }
  return told.map(({ change }) => change);
}

/** Where the sitting began with the thing itself, that is what is told. */
function joined(change: RecentChange, older: RecentChange): RecentChange {
  if (older.event.n === 1) return { ...change, verb: older.verb, labels: [], isTyped: false };
  const labels = [...new Set([...change.labels, ...older.labels])];
  return { ...change, labels, verb: changedVerb(labels) };
}
