/**
 * Runs in the browser. The islands of transfers, loaded by the pages that have one.
 *
 * @module
 */
import { TransferPlanForm } from "./transfer_plan.ts";
import { startTransferProgress } from "./transfer_progress.ts";
import { startTransferSource } from "./transfer_source.ts";
import type { TransferTools } from "./transfer_tools.ts";

/** Starts the island that an element is. */
export function startTransferIsland(tools: TransferTools): (element: HTMLElement) => void {
  return (element) => {
    const { island } = element.dataset;
    if (island === "transfer-plan") new TransferPlanForm(tools, element).start();
    else if (island === "transfer-progress") startTransferProgress(tools, element);
    else startTransferSource(tools, element as HTMLFormElement);
  };
}
