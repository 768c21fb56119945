/**
 * Merges edit sessions: versions that one user created without a long pause, or the same change made several
 * times, become one entry of the recent changes.
 *
 * @module
 */
import { PAUSE_SECONDS } from "../../../kv/versioning/edit_sessions.ts";
import { changedVerb, type RecentChange } from "./recent_changes.ts";

/** Changes, newest first. A session takes the position of its newest version. */
export function mergeEditSessions(changes: readonly RecentChange[]): RecentChange[] {
  const merged: { change: RecentChange; since: number }[] = [];
  for (const older of changes) {
    const session = merged.findLast(({ change }) =>
      change.event.type === older.event.type && change.event.id === older.event.id
    );
    const continues = session !== undefined && session.change.byId === older.byId &&
      (isTypedOn(session.change, older) || isRepeated(session.change, older)) &&
      session.since - older.event.at < PAUSE_SECONDS;
    if (!continues) {
      merged.push({ change: older, since: older.event.at });
      continue;
    }
    session.since = older.event.at;
    session.change = joined(session.change, older);
  }
  return merged.map(({ change }) => change);
}

function isTypedOn(change: RecentChange, older: RecentChange): boolean {
  return change.isTyped && (older.isTyped || older.event.n === 1);
}

/** For example, each document added to a release is a version of the release. */
function isRepeated(change: RecentChange, older: RecentChange): boolean {
  return older.event.n > 1 && change.labels.length > 0 && change.verb === older.verb &&
    change.note === older.note && String(change.labels) === String(older.labels);
}

/** A session that starts with the creation is shown as the creation. */
function joined(change: RecentChange, older: RecentChange): RecentChange {
  if (older.event.n === 1) return { ...change, verb: older.verb, labels: [], isTyped: false };
  const labels = [...new Set([...change.labels, ...older.labels])];
  return { ...change, labels, verb: changedVerb(labels) };
}
