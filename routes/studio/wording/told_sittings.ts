/**
 * What one person typed into one thing without a long pause, or changed in it in the same way several times, as one
 * change: many versions, one sentence.
 *
 * @module
 */
import { PAUSE_SECONDS } from "../../../kv/versioning/edit_sessions.ts";
import { changedVerb, type RecentChange } from "./recent_changes.ts";

/** Changes, newest first, with those of a sitting in the place of its newest one. */
export function toldSittings(changes: readonly RecentChange[]): RecentChange[] {
  const told: { change: RecentChange; since: number }[] = [];
  for (const older of changes) {
    const sitting = told.findLast(({ change }) =>
      change.event.type === older.event.type && change.event.id === older.event.id
    );
    const goesOn = sitting !== undefined && sitting.change.byId === older.byId &&
      (isTypedOn(sitting.change, older) || isRepeated(sitting.change, older)) &&
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

function isTypedOn(change: RecentChange, older: RecentChange): boolean {
  return change.isTyped && (older.isTyped || older.event.n === 1);
}

/** Each document that is put into a release, for example, is a change of its documents. */
function isRepeated(change: RecentChange, older: RecentChange): boolean {
  return older.event.n > 1 && change.labels.length > 0 && change.verb === older.verb &&
    change.note === older.note && String(change.labels) === String(older.labels);
}

/** Where the sitting began with the thing itself, that is what is told. */
function joined(change: RecentChange, older: RecentChange): RecentChange {
  if (older.event.n === 1) return { ...change, verb: older.verb, labels: [], isTyped: false };
  const labels = [...new Set([...change.labels, ...older.labels])];
  return { ...change, labels, verb: changedVerb(labels) };
}
