/**
 * Runs in the browser. The islands of transfers, loaded by the pages that have one.
 *
 * @module
 */
export { startTransferPlan } from "./transfer_plan.ts";
export { startTransferProgress } from "./transfer_progress.ts";
export { startTransferSource } from "./transfer_source.ts";
