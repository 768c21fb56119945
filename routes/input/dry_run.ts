/**
 * `?dryRun=true`: tells what would happen, and changes nothing.
 *
 * @module
 */
import { invalid } from "../../kv/refusals.ts";
import { refuseMisspelled } from "../query/parameters.ts";

/**
 * Whether a query asks for a dry run. Anything but a yes or no is refused, and so is what differs only in case
 * from the parameter: it would be carried out.
 */
export function isDryRun(query: Readonly<Record<string, string>>): boolean {
  refuseMisspelled(Object.keys(query), ["dryRun"]);
  const { dryRun = "false" } = query;
  if (dryRun === "true" || dryRun === "false") return dryRun === "true";
  throw invalid("dryRun", "INVALID_CHOICE", "Must be true or false");
}
