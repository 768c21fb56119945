/**
 * How a plugin has fared lately, and when it is paused: when a message to it was given up, and when its
 * code fails several times in a row. It receives no events until an administrator enables it.
 *
 * @module
 */
import { CODE_FAILURES_MAX } from "../../limits/packages.ts";

/** The record of a plugin's failures. */
export interface PluginHealth {
  /** Failed calls, one after the other. */
  failures: number;
  /** Epoch seconds. */
  pausedAt: number | null;
  reason: string | null;
}

/** A call that failed. */
export interface PluginFailure {
  /** Whether it was the plugin's own code: an outage of a receiver passes, a fault in code stays. */
  isCode: boolean;
  reason: string;
  /** Whether the message is not sent again. */
  isGivenUp: boolean;
}

/** A plugin that has not failed. */
export const HEALTHY: PluginHealth = { failures: 0, pausedAt: null, reason: null };

/** Health after another failure, at a time in epoch seconds. */
export function afterFailure(
  health: PluginHealth,
  { isCode, reason, isGivenUp }: PluginFailure,
  at: number,
): PluginHealth {
  const failures = health.failures + 1;
  const pauses = isGivenUp || (isCode && failures >= CODE_FAILURES_MAX);
  if (health.pausedAt !== null || !pauses) return { ...health, failures };
  const count = failures === 1 ? "1 failure" : `${failures} failures in a row`;
  return {
    failures,
    pausedAt: at,
    reason: `Paused after ${count}: ${reason}`.slice(0, 500),
  };
}
