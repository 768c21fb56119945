/**
 * `?dryRun=true`: tells what would happen, and changes nothing.
 *
 * @module
 */
import { invalid } from "../../kv/refusals.ts";

/** Whether a query asks for a dry run; anything but a yes or no is refused. */
export function isDryRun(dryRun = "false"): boolean {
  if (dryRun === "true" || dryRun === "false") return dryRun === "true";
  throw invalid("dryRun", "INVALID_CHOICE", "Must be true or false");
}
