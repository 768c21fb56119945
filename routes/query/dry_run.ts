/**
 * `?dryRun=true`: validates a write and changes nothing.
 *
 * @module
 */
import { invalid } from "../../kv/refusals.ts";
import { parameterInvalid, refuseMisspelled } from "./parameters.ts";

/**
 * Whether a query asks for a dry run. Anything but a yes or no is refused, and so is what differs only in case
 * from the parameter: it would be carried out.
 */
export function isDryRun(query: Readonly<Record<string, string[]>>): boolean {
  const dryRun = dryRunOf(query);
  if (dryRun === undefined) throw invalid("dryRun", "INVALID_CHOICE", "Must be true or false");
  return dryRun;
}

/** The same for callers that refuse themselves: undefined if it is invalid or repeated. */
export function dryRunOf(query: Readonly<Record<string, string[]>>): boolean | undefined {
  refuseMisspelled(Object.keys(query), ["dryRun"]);
  const [dryRun, ...others] = query.dryRun ?? ["false"];
  if (others.length > 0) return undefined;
  return dryRun === "true" ? true : dryRun === "false" ? false : undefined;
}

/**
 * Refuses `dryRun` on a route that does not support it, because the request would be carried out.
 */
export function refuseDryRun(query: Readonly<Record<string, string[]>>, what: string): void {
  if (dryRunOf(query) !== false) throw parameterInvalid(`${what} does not support dryRun`);
}
