/**
 * Failures of commands that an operator can do something about, as one line. Anything else is a bug and keeps its
 * stack trace.
 *
 * @module
 */
import { textBefore } from "../../kv/model/primitives/text_before.ts";
import { ObjectStoreUnavailable, StoreUnavailable } from "../../kv/unavailable.ts";
import { JobFailed } from "../../jobs/run_now.ts";

const FILE_ERRORS = Object.values(Deno.errors);

/** The line for a failure; null for a bug. */
export function failureLine(error: unknown): string | null {
  if (error instanceof Deno.errors.AlreadyExists) {
    return `The file already exists: ${quotedPath(error.message)}`;
  }
  const isExpected = error instanceof JobFailed || error instanceof StoreUnavailable ||
    error instanceof ObjectStoreUnavailable || FILE_ERRORS.some((known) => error instanceof known);
  return isExpected ? textBefore((error as Error).message, "\n") : null;
}

/** Deno names the path in quotes at the end. */
function quotedPath(message: string): string {
  return /'([^']*)'$/.exec(message)?.[1] ?? message;
}
