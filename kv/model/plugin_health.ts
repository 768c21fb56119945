/**
 * How a plugin has fared lately, and when it is paused. One that fails again and again is told of nothing
 * more until somebody enables it.
 *
 * @module
 */

/** What is kept of a plugin's failures. Times are epoch seconds. */
export interface PluginHealth {
  /** Failed calls, one after the other. */
  failures: number;
  /** When the first of them was. */
  since: number | null;
  pausedAt: number | null;
  reason: string | null;
}

/** Who is called: an outage of a receiver passes, a fault in code stays. */
export type CallKind = "http" | "code";

/** After how many failures in a row, and how long after the first of them, a plugin is paused. */
export const PAUSE_AFTER: Readonly<Record<CallKind, { failures: number; seconds: number }>> = {
  http: { failures: 10, seconds: 3_600 },
  code: { failures: 5, seconds: 0 },
};

/** A plugin that has not failed. */
export const HEALTHY: PluginHealth = { failures: 0, since: null, pausedAt: null, reason: null };

/** Health after another failure. */
export function afterFailure(
  health: PluginHealth,
  { kind, at, reason, final }: { kind: CallKind; at: number; reason: string; final: boolean },
): PluginHealth {
  const failures = health.failures + 1;
  const since = health.since ?? at;
  const limit = PAUSE_AFTER[kind];
  const pauses = final || (failures >= limit.failures && at - since >= limit.seconds);
  if (health.pausedAt !== null || !pauses) return { ...health, failures, since };
  const count = failures === 1 ? "1 failure" : `${failures} failures in a row`;
  return {
    failures,
    since,
    pausedAt: at,
    reason: `Paused after ${count}: ${reason}`.slice(0, 500),
  };
}
