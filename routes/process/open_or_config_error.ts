/**
 * Reports resources that cannot be opened at start as one line that names the variable to change.
 *
 * @module
 */
import { textBefore } from "../../kv/model/primitives/text_before.ts";
import { ObjectStoreUnavailable } from "../../kv/unavailable.ts";
import { type Config, ConfigError } from "./config.ts";

/**
 * Opens a resource; a failure becomes a ConfigError that names `variable`, or the one for this
 * error.
 */
export async function openOrConfigError<T>(
  variable: string | ((error: Error) => string),
  open: () => T | Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const line = textBefore(error.message, "\n");
    // These lines name their variable themselves: only they know which of many it is.
    if (error instanceof ObjectStoreUnavailable) throw new ConfigError(line, { cause: error });
    const name = typeof variable === "string" ? variable : variable(error);
    throw new ConfigError(`${name}: ${line}`, { cause: error });
  }
}

/** The variable with the location of the database. */
export function storeVariable({ KV_URL, onDeploy }: Pick<Config, "KV_URL" | "onDeploy">): string {
  return KV_URL === "" && !onDeploy ? "DATA_DIR" : "KV_URL";
}

/** The variable to blame when nothing can listen at `HOST` and `PORT`. */
export function listenVariable(error: Error): string {
  const isPort = error instanceof Deno.errors.AddrInUse ||
    error instanceof Deno.errors.PermissionDenied;
  return isPort ? "PORT" : "HOST";
}
