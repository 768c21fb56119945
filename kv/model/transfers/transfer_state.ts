/**
 * The states of transfers, and what their jobs do.
 *
 * @module
 */

/** States in which no job works on a transfer. */
export const RESTING_STATES = ["planned", "done", "failed", "cancelled", "undone"] as const;

/** A state in which no job works on a transfer. */
export type RestingState = typeof RESTING_STATES[number];

/** The states of a transfer. */
export type TransferState = "analysing" | "running" | "paused" | RestingState;

/** What a job does for a transfer. */
export const TRANSFER_ACTIONS = ["analyse", "run", "dryRun", "update", "retry", "undo"] as const;

/** What a job does for a transfer. */
export type TransferAction = typeof TRANSFER_ACTIONS[number];

/** Whether an action writes the rows that it goes through. */
export function writesRows(action: TransferAction): boolean {
  return action === "run" || action === "update" || action === "retry";
}

/** Whether no job works on a transfer in a state. */
export function isResting(state: TransferState): state is RestingState {
  return RESTING_STATES.some((one) => one === state);
}
